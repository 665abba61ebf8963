import { useState } from 'react';
import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import type { Comparison } from '../api/statistics';
import { Loading } from '../parts/loading';
import { counted } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { useScenarioRuns } from '../runs/use-scenario-runs';

interface Props {
  readonly base: TestRun;
  readonly head: TestRun;
  readonly comparison: Comparison;
}

const NAMED_AT_MOST = 100;

/** The number of scenarios that the verdict covers, and of those it leaves out; scenarios of only one run are named on request. */
export function LeftOut({ base, head, comparison }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { only_before, only_after } = comparison.scenarios;
  if (only_before + only_after === 0) return <p className="quiet">{scopeOf(comparison)}</p>;
  return (
    <details className="left-out" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="quiet">{scopeOf(comparison)}</summary>
      {isOpen && <Names base={base} head={head} />}
    </details>
  );
}

function scopeOf({ scenarios }: Comparison): string {
  const { compared, changed, only_before, only_after, ungraded } = scenarios;
  const left = [
    ...(changed > 0 ? [`${changed} changed between the runs`] : []),
    ...(only_before > 0 ? [`${only_before} only in the run before`] : []),
    ...(only_after > 0 ? [`${only_after} only in the run after`] : []),
    ...(ungraded > 0 ? [`${ungraded} without a verdict in one of them`] : []),
  ];
  return `${counted(compared, 'scenario')} compared.${left.length === 0 ? '' : ` Left out: ${left.join(', ')}.`}`;
}

function Names({ base, head }: Omit<Props, 'comparison'>) {
  const [before, after] = [useScenarioRuns(base), useScenarioRuns(head)];
  const failed = [before, after].find(({ isError }) => isError);
  if (failed !== undefined) return <Problem error={failed.error} onRetry={() => void failed.refetch()} />;
  if (before.data === undefined || after.data === undefined) return <Loading />;
  const [was, is] = [namesOf(before.data.results), namesOf(after.data.results)];
  return (
    <>
      <OneSided title="Only in the run before" scenarios={[...was].filter(([id]) => !is.has(id))} />
      <OneSided title="Only in the run after" scenarios={[...is].filter(([id]) => !was.has(id))} />
    </>
  );
}

function OneSided({
  title,
  scenarios,
}: {
  title: string;
  scenarios: readonly (readonly [id: string, name: string])[];
}) {
  if (scenarios.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {scenarios.slice(0, NAMED_AT_MOST).map(([id, name]) => (
          <li key={id}>
            <Link href={`/scenarios/${id}`}>
              <Name>{name}</Name>
            </Link>
          </li>
        ))}
        {scenarios.length > NAMED_AT_MOST && <li className="quiet">and {scenarios.length - NAMED_AT_MOST} more</li>}
      </ul>
    </>
  );
}

function namesOf(
  runs: readonly { readonly scenario_id: string; readonly scenario_name: string }[],
): Map<string, string> {
  return new Map(runs.map(({ scenario_id, scenario_name }) => [scenario_id, scenario_name]));
}
