import { useState } from 'react';
import { Link } from 'wouter';
import { tallyMissed, type MissedTally } from '../../../machines/criterion-outcome';
import type { TestRun } from '../api/runs';
import type { ScenarioRun } from '../api/scenario-runs';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { graveMisses, type GraveMiss } from './grave-misses';
import { useScenarioRuns } from './use-scenario-runs';

const SHOWN_AT_FIRST = 5;

/** What a pass rate hides: how much of the checklists was missed, and which must-pass criteria. */
export function MissedCriteria({ run }: { readonly run: TestRun }) {
  const list = useScenarioRuns(run);
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  const runs = list.data?.results ?? [];
  const tally = tallyMissed(runs);
  const grave = graveMisses(runs);
  if (tally.graded === 0) return null;
  return (
    <section className="panel missed" aria-labelledby="missed-title">
      <h2 id="missed-title">What was missed</h2>
      <p>{sentenceOf(tally, run.trials > 1 ? 'graded conversation' : 'graded scenario')}</p>
      {grave.length > 0 && (
        <ul>
          {grave.slice(0, isWhole || isPrinting ? undefined : SHOWN_AT_FIRST).map((miss) => (
            <li key={`${miss.runs[0]?.id} ${miss.criterion}`}>
              <span className={miss.isMustPass ? 'tag must-pass' : 'tag'}>
                {miss.isForbidden ? 'must not' : 'must pass'}
              </span>
              <span>
                <Name>{miss.criterion}</Name> <Where miss={miss} trials={run.trials} />
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

/** The scenario, and of several trials those in which it happened. */
function Where({ miss: { scenario_name, runs, graded }, trials }: { miss: GraveMiss<ScenarioRun>; trials: number }) {
  const [only] = runs;
  if (only === undefined) return null;
  if (graded === 1) {
    return (
      <Link href={`/scenario-runs/${only.id}`} className="small">
        <Name>{scenario_name}</Name>
      </Link>
    );
  }
  // Several patients are several conversations too.
  const noun = graded > trials ? 'conversations' : 'trials';
  return (
    <span className="quiet small">
      <Name>{scenario_name}</Name>,{' '}
      {runs.length === graded ? `in all ${graded} ${noun}` : `in ${runs.length} of ${graded} ${noun}`}:{' '}
      {runs.map(({ id, trial }, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <Link href={`/scenario-runs/${id}`} aria-label={`trial ${trial} of ${scenario_name}`}>
            {trial}
          </Link>
        </span>
      ))}
    </span>
  );
}

function sentenceOf({ graded, criteria, missed, mustPass, forbidden }: MissedTally, noun: string): string {
  const among = `${counted(criteria, 'criterion', 'criteria')} of ${counted(graded, noun)}`;
  if (missed === 0) return `Nothing: the ${among} ${criteria === 1 ? 'was' : 'were'} met, at least in part.`;
  const parts = [
    ...(mustPass > 0 ? [`${mustPass} of them must-pass`] : []),
    ...(forbidden > 0 ? [`${forbidden} of them acts that the agent must not do`] : []),
  ];
  return `${missed} of the ${among}${parts.map((part) => `, ${part}`).join('')}.`;
}
