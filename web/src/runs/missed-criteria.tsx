import { useState } from 'react';
import { Link } from 'wouter';
import { isMustPass, missedOf, tallyMissed, type MissedTally } from '../../../machines/criterion-outcome';
import type { TestRun } from '../api/runs';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { useScenarioRuns } from './use-scenario-runs';

const SHOWN_AT_FIRST = 5;

/** What a pass rate hides: how much of the checklists was missed, and which must-pass criteria. */
export function MissedCriteria({ run }: { readonly run: TestRun }) {
  const list = useScenarioRuns(run);
  const [isWhole, setWhole] = useState(false);
  const runs = list.data?.results ?? [];
  const tally = tallyMissed(runs);
  const grave = runs
    .flatMap((one) => missedOf(one.criteria_results).map((result) => ({ run: one, result })))
    .filter(({ result }) => isMustPass(result) || result.max_points < 0);
  if (tally.graded === 0) return null;
  return (
    <section className="panel missed" aria-labelledby="missed-title">
      <h2 id="missed-title">What was missed</h2>
      <p>{sentenceOf(tally, run.trials > 1 ? 'graded conversation' : 'graded scenario')}</p>
      {grave.length > 0 && (
        <ul>
          {grave.slice(0, isWhole ? undefined : SHOWN_AT_FIRST).map(({ run: one, result }, index) => (
            <li key={index}>
              <span className={isMustPass(result) ? 'tag must-pass' : 'tag'}>
                {result.max_points < 0 ? 'must not' : 'must pass'}
              </span>
              <span>
                <Name>{result.criterion}</Name>{' '}
                <Link href={`/scenario-runs/${one.id}`} className="small">
                  <Name>{one.scenario_name}</Name>
                </Link>
                {run.trials > 1 && <span className="quiet small"> trial {one.trial}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {grave.length > SHOWN_AT_FIRST && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${grave.length}`}
        </button>
      )}
    </section>
  );
}

function sentenceOf({ graded, criteria, missed, mustPass, forbidden }: MissedTally, noun: string): string {
  const among = `${counted(criteria, 'criterion', 'criteria')} of ${counted(graded, noun)}`;
  if (missed === 0) return `Nothing: the ${among} were met, at least in part.`;
  const parts = [
    ...(mustPass > 0 ? [`${mustPass} of them must-pass`] : []),
    ...(forbidden > 0 ? [`${forbidden} of them acts that the agent must not do`] : []),
  ];
  return `${missed} of the ${among}${parts.map((part) => `, ${part}`).join('')}.`;
}
