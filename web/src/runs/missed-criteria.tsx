import { useId, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import type { ScenarioRun } from '../api/scenario-runs';
import { counted } from '../parts/numbers';
import { SeverityTag } from '../parts/severity-tag';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { visibleText } from '../parts/visible-parts';
import type { GraveMiss } from './grave-misses';
import { missedScenarios, type MissedScenario } from './missed-scenarios';
import { useScenarioRuns } from './use-scenario-runs';

const SHOWN_AT_FIRST = 3;

/** The missed criteria that a pass rate hides, by scenario, the gravest first. */
export function MissedCriteria({ run }: { readonly run: TestRun }) {
  const list = useScenarioRuns(run);
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  const runs = list.data?.results;
  const missed = useMemo(() => missedScenarios(runs ?? []), [runs]);
  if (runs === undefined || !runs.some(({ criteria_results }) => criteria_results !== null)) return null;
  return (
    <section className="panel missed" aria-labelledby="missed-title">
      <h2 id="missed-title">What was missed</h2>
      {missed.length === 0 && <p>Every criterion was met, at least in part.</p>}
      {missed.slice(0, isWhole || isPrinting ? undefined : SHOWN_AT_FIRST).map((scenario) => (
        <Missed key={scenario.scenario_id} scenario={scenario} trials={run.trials} />
      ))}
      {missed.length > SHOWN_AT_FIRST && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${counted(missed.length, 'scenario')}`}
        </button>
      )}
    </section>
  );
}

function Missed({ scenario, trials }: { scenario: MissedScenario<ScenarioRun>; trials: number }) {
  const id = useId();
  const { scenario_name, severity, runs, grave, others } = scenario;
  const [only] = runs;
  const graded = grave[0]?.graded ?? runs.length;
  return (
    <section className="missed-scenario" aria-labelledby={id}>
      <h3 id={id}>
        {only !== undefined && runs.length === 1 ? (
          <Link href={`/scenario-runs/${only.id}`}>
            <Name>{scenario_name}</Name>
          </Link>
        ) : (
          <Name>{scenario_name}</Name>
        )}{' '}
        {severity !== null && <SeverityTag severity={severity} />}
      </h3>
      {grave.length > 0 && (
        <ul>
          {grave.map((miss) => (
            <li key={`${miss.criterion} ${miss.isForbidden}`}>
              <span className={miss.isMustPass ? 'tag must-pass' : 'tag'}>
                {miss.isForbidden ? 'must not' : 'must pass'}
              </span>
              <span>
                <Name>{miss.criterion}</Name>
                {graded > 1 && <Trials miss={miss} trials={trials} />}
              </span>
            </li>
          ))}
        </ul>
      )}
      {others > 0 && (
        <p className="quiet small">
          {grave.length > 0 ? 'and ' : ''}
          {grave.length > 0
            ? counted(others, 'other criterion', 'other criteria')
            : counted(others, 'criterion', 'criteria')}
          {grave.length === 0 && runs.length > 1 && `, in ${counted(runs.length, 'conversation')}`}
        </p>
      )}
    </section>
  );
}

/** The conversations in which it happened. */
function Trials({ miss: { scenario_name, runs, graded }, trials }: { miss: GraveMiss<ScenarioRun>; trials: number }) {
  // Several patients are several conversations too.
  const noun = graded > trials ? 'conversations' : 'trials';
  return (
    <span className="quiet small">
      {', '}
      {runs.length === graded ? `in all ${graded} ${noun}` : `in ${runs.length} of ${graded} ${noun}`}:{' '}
      {runs.map(({ id, trial }, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <Link href={`/scenario-runs/${id}`} aria-label={`trial ${trial} of ${visibleText(scenario_name)}`}>
            {trial}
          </Link>
        </span>
      ))}
    </span>
  );
}
