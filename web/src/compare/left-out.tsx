import { useState } from 'react';
import { Link } from 'wouter';
import type { ScenarioRun } from '../api/scenario-runs';
import type { TestRun } from '../api/runs';
import type { Comparison } from '../api/statistics';
import { Loading } from '../parts/loading';
import { counted } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { ChangedText, type RevisedScenario } from './changed-text';
import { useScenarioRuns } from '../runs/use-scenario-runs';

interface Props {
  readonly base: TestRun;
  readonly head: TestRun;
  readonly comparison: Comparison;
}

const NAMED_AT_MOST = 100;

/** The number of scenarios that the verdict covers, and of those it leaves out; those of only one run are named on request, and what was changed is shown line by line. */
export function LeftOut({ base, head, comparison }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { only_before, only_after, changed } = comparison.scenarios;
  if (only_before + only_after + changed === 0) return <p className="quiet">{scopeOf(comparison)}</p>;
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
      <Revised scenarios={revisedIn(before.data.results, after.data.results)} />
      <OneSided title="Only in the run before" scenarios={[...was].filter(([id]) => !is.has(id))} />
      <OneSided title="Only in the run after" scenarios={[...is].filter(([id]) => !was.has(id))} />
    </>
  );
}

function Revised({ scenarios }: { readonly scenarios: readonly RevisedScenario[] }) {
  if (scenarios.length === 0) return null;
  return (
    <>
      <h3>Changed between the runs</h3>
      {scenarios.slice(0, NAMED_AT_MOST).map((one) => (
        <ChangedText key={one.id} scenario={one} />
      ))}
      {scenarios.length > NAMED_AT_MOST && <p className="quiet">and {scenarios.length - NAMED_AT_MOST} more</p>}
    </>
  );
}

/** Those that both runs examined, with another text or rubric. */
function revisedIn(before: readonly ScenarioRun[], after: readonly ScenarioRun[]): RevisedScenario[] {
  const was = new Map(before.map((run) => [run.scenario_id, run.scenario_content_hash]));
  const found = new Map<string, RevisedScenario>();
  for (const { scenario_id: id, scenario_name: name, scenario_content_hash: hash } of after) {
    const earlier = was.get(id);
    // Where one of them did not keep it, nothing is known.
    if (typeof earlier === 'string' && hash !== null && earlier !== hash)
      found.set(id, { id, name, before: earlier, after: hash });
  }
  return [...found.values()];
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
