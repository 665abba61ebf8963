import { useState } from 'react';
import type { TestRun } from '../api/runs';
import type { Statistics } from '../api/statistics';
import { counted } from '../parts/numbers';
import { TrialMarks } from '../parts/trial-marks';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { useScenarioRuns } from './use-scenario-runs';

const SHOWN_AT_FIRST = 6;

interface Props {
  readonly run: TestRun;
  readonly statistics: Statistics;
}

/** Scenarios with trials that disagree, the most undecided first, each with its conversations. */
export function Unstable({ run, statistics: { unstable, scenarios, trials } }: Props) {
  const list = useScenarioRuns(run);
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  // Several patients are several conversations too.
  const noun = trials > 1 ? 'trials' : 'conversations';
  if (unstable.length === 0) return <p>The {noun} of every scenario agree.</p>;
  const undecidedFirst = [...unstable].sort((one, other) => distanceFromHalf(one) - distanceFromHalf(other));
  return (
    <>
      <p>
        The {noun} of <strong className="number">{unstable.length}</strong> of {counted(scenarios, 'scenario')}{' '}
        disagree:
      </p>
      <ul className="unstable" aria-label={`Scenarios whose ${noun} disagree`}>
        {undecidedFirst
          .slice(0, isWhole || isPrinting ? undefined : SHOWN_AT_FIRST)
          .map(({ scenario_id, scenario_name, graded, passed }) => (
            <li key={scenario_id}>
              <Name>{scenario_name}</Name>
              <span className="quiet number">
                {passed} of {graded} passed
              </span>
              <TrialMarks trials={(list.data?.results ?? []).filter((one) => one.scenario_id === scenario_id)} />
            </li>
          ))}
      </ul>
      {unstable.length > SHOWN_AT_FIRST && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${unstable.length}`}
        </button>
      )}
    </>
  );
}

function distanceFromHalf({ passed, graded }: Statistics['unstable'][number]): number {
  return Math.abs(passed / graded - 0.5);
}
