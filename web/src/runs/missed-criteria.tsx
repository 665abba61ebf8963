import { useState } from 'react';
import { Link } from 'wouter';
import { isMustPass, missedOf } from '../../../machines/criterion-outcome';
import type { TestRun } from '../api/runs';
import type { CriterionResult, ScenarioRun } from '../api/scenario-runs';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { useScenarioRuns } from './use-scenario-runs';

const SHOWN_AT_FIRST = 5;

interface Missed {
  readonly run: ScenarioRun;
  readonly result: CriterionResult;
}

/** What a pass rate hides: how much of the checklists was missed, and which of it nobody may miss. */
export function MissedCriteria({ run }: { readonly run: TestRun }) {
  const list = useScenarioRuns(run);
  const [isWhole, setWhole] = useState(false);
  const graded = (list.data?.results ?? []).filter(({ criteria_results }) => criteria_results !== null);
  const missed = graded.flatMap((one) => missedOf(one.criteria_results).map((result) => ({ run: one, result })));
  const grave = missed.filter(({ result }) => isMustPass(result) || result.max_points < 0);
  const criteria = graded.reduce((sum, { criteria_results }) => sum + (criteria_results?.length ?? 0), 0);
  if (graded.length === 0) return null;
  return (
    <section className="panel missed" aria-labelledby="missed-title">
      <h2 id="missed-title">What was missed</h2>
      <p>{sentenceOf(missed, criteria, graded.length)}</p>
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

function sentenceOf(missed: readonly Missed[], criteria: number, graded: number): string {
  const among = `${counted(criteria, 'criterion', 'criteria')} of ${counted(graded, 'graded scenario')}`;
  if (missed.length === 0) return `Nothing: the ${among} were met, at least in part.`;
  const must = missed.filter(({ result }) => isMustPass(result)).length;
  const forbidden = missed.filter(({ result }) => result.max_points < 0).length;
  const parts = [
    ...(must > 0 ? [`${must} of them must-pass`] : []),
    ...(forbidden > 0 ? [`${forbidden} of them acts that the agent must not do`] : []),
  ];
  return `${missed.length} of the ${among}${parts.map((part) => `, ${part}`).join('')}.`;
}
