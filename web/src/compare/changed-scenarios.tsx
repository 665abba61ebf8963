import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import { listScenarioRuns, type ScenarioRun } from '../api/scenario-runs';
import type { ChangedScenario, Comparison } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { Pager } from '../parts/pager';
import { TrialMarks } from '../parts/trial-marks';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';

const SHOWN_A_PAGE = 20;

/** More conversations than twenty scenarios can have. */
const CONVERSATIONS_AT_MOST = 2_000;

interface Props {
  readonly base: TestRun;
  readonly head: TestRun;
  readonly comparison: Comparison;
}

/** Which scenarios fared worse, and which better, with the conversations of both runs. */
export function ChangedScenarios({ base, head, comparison: { worse, better, scenarios } }: Props) {
  const same = scenarios.compared - worse.length - better.length;
  return (
    <>
      <Changed title="Worse" sign="▼" change="worse" base={base} head={head} scenarios={worse} />
      <Changed title="Better" sign="▲" change="better" base={base} head={head} scenarios={better} />
      {scenarios.compared > 0 && (
        <p className="quiet">
          {counted(same, 'scenario')} fared the same. Single scenarios move by chance too: whether the agent changed is
          what the verdict says.
        </p>
      )}
    </>
  );
}

interface ChangedProps extends Omit<Props, 'comparison'> {
  readonly title: string;
  readonly sign: string;
  readonly change: 'worse' | 'better';
  readonly scenarios: readonly ChangedScenario[];
}

function Changed({ title, sign, change, base, head, scenarios }: ChangedProps) {
  const [page, setPage] = useState(0);
  const shown = scenarios.slice(page * SHOWN_A_PAGE, (page + 1) * SHOWN_A_PAGE);
  const ids = shown.map(({ scenario_id }) => scenario_id);
  const isPrinting = usePrinting();
  const before = useConversations(base.id, ids);
  const after = useConversations(head.id, ids);
  if (scenarios.length === 0) return null;
  return (
    <section className="stack" aria-labelledby={`changed-${change}`}>
      <h2 id={`changed-${change}`}>
        <span className={`change ${change}`} aria-hidden="true">
          {sign}
        </span>{' '}
        {title}: {counted(scenarios.length, 'scenario')}
      </h2>
      <div className="table-frame">
        <table className="rows compared">
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {(isPrinting ? scenarios : shown).map(({ scenario_id, scenario_name, before: was, after: is }) => (
              <tr key={scenario_id}>
                <th scope="row">
                  <Link href={`/scenarios/${scenario_id}`}>
                    <Name>{scenario_name}</Name>
                  </Link>
                </th>
                <td data-label="Before">
                  <Share of={was} trials={before.get(scenario_id) ?? []} />
                </td>
                <td data-label="After">
                  <Share of={is} trials={after.get(scenario_id) ?? []} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pageSize={SHOWN_A_PAGE} total={scenarios.length} onPage={setPage} />
    </section>
  );
}

function Share({ of, trials }: { of: number; trials: readonly ScenarioRun[] }) {
  return (
    <span className="share">
      <span className="number">{percentText(of * 100)}</span>
      <TrialMarks trials={trials} />
    </span>
  );
}

/** The conversations that a run held of these scenarios. */
function useConversations(runId: string, scenarioIds: readonly string[]): ReadonlyMap<string, ScenarioRun[]> {
  const { data } = useQuery({
    queryKey: ['scenario-runs', runId, 'of', scenarioIds],
    queryFn: ({ signal }) => listScenarioRuns(runId, CONVERSATIONS_AT_MOST, signal, scenarioIds),
    enabled: scenarioIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const found = new Map<string, ScenarioRun[]>();
  for (const run of data?.results ?? []) found.set(run.scenario_id, [...(found.get(run.scenario_id) ?? []), run]);
  return found;
}
