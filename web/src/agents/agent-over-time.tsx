import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { gravityOf } from '../../../src/domain';
import { getAgentHistory, type AgentHistory, type HistoryPoint } from '../api/agent-history';
import { ChosenRuns, TickRuns } from '../grid/chosen-runs';
import { isTicked, toggled, type TickedRun } from '../grid/ticked-runs';
import { Empty } from '../parts/empty';
import { Loaded } from '../parts/loaded';
import { percentText } from '../parts/numbers';
import { isOffline, OfflineNotice, offlineRuns } from '../parts/offline-notice';
import { SeverityTag } from '../parts/severity-tag';
import { Time, timeText } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { PointChange, PointRate } from '../trends/point-figures';
import { pointTitle, TrendChart } from '../trends/trend-chart';

/** The most points whose labels can still be told apart. */
const RUNS_AT_MOST = 50;

/** How one agent fared, run after run; any two runs lead to their comparison, and up to eight to their grid. */
export function AgentOverTime({ agentId }: { readonly agentId: string }) {
  const history = useQuery({
    queryKey: ['agent-history', agentId, RUNS_AT_MOST],
    queryFn: ({ signal }) => getAgentHistory(agentId, RUNS_AT_MOST, signal),
  });
  return <Loaded query={history}>{(found) => (found.points.length === 0 ? <NoRuns /> : <Runs of={found} />)}</Loaded>;
}

function NoRuns() {
  return (
    <Empty title="No run has ended yet">
      <p>Its pass rates appear here, run after run, as soon as a run has ended.</p>
    </Empty>
  );
}

function Runs({ of: { points, more } }: { readonly of: AgentHistory }) {
  const [chosen, setChosen] = useState<readonly TickedRun[]>([]);
  const toggle = (run: TickedRun) => setChosen(toggled(chosen, run));
  const baseline = points.find((point) => point.baseline);
  return (
    <section className="stack" aria-labelledby="over-time">
      <h2 id="over-time">{more ? `Its ${points.length} newest runs` : 'Its runs'}</h2>
      <OfflineNotice where={offlineRuns(points.map(isOffline))} />
      {points.length > 1 && (
        <div className="panel trends over-time">
          <TrendChart points={points} isLarge />
          <p className="quiet small">
            Bars are 95 % intervals. A line joins runs over the same scenarios, trials and examiners; others are not
            comparable. × no result; ! must-pass criterion violated
            {baseline !== undefined && '; the dashed line is the baseline'}.
          </p>
        </div>
      )}
      {points.length > 1 && <TickRuns />}
      <HistoryTable points={points} chosen={chosen} onToggle={toggle} />
      <ChosenRuns ticked={chosen} />
    </section>
  );
}

interface TableProps {
  readonly points: readonly HistoryPoint[];
  readonly chosen: readonly TickedRun[];
  readonly onToggle: (run: TickedRun) => void;
}

function HistoryTable({ points, chosen, onToggle }: TableProps) {
  const severities = [
    ...new Set(points.flatMap(({ by_severity }) => by_severity.map(({ severity }) => severity))),
  ].sort((one, other) => gravityOf(other) - gravityOf(one));
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Runs of this agent">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Compare</span>
            </th>
            <th scope="col">Run</th>
            <th scope="col">Version</th>
            <th scope="col">Pass rate, 95 % interval</th>
            {severities.map((severity) => (
              <th key={severity} scope="col">
                <SeverityTag severity={severity} />
              </th>
            ))}
            <th scope="col">Mean score</th>
            <th scope="col">Must-pass violated</th>
            <th scope="col">Compared with the run before</th>
          </tr>
        </thead>
        <tbody>
          {points
            .map((point, place) => ({ point, before: points[place - 1] }))
            .toReversed()
            .map(({ point, before }) => (
              <tr key={point.test_run_id}>
                <td data-label="Compare">
                  <input
                    type="checkbox"
                    aria-label={`Choose ${visibleText(pointTitle(point))}, ${timeText(point.at)}`}
                    checked={isTicked(chosen, point.test_run_id)}
                    onChange={() => onToggle({ id: point.test_run_id, at: point.at })}
                  />
                </td>
                <th scope="row">
                  <Link href={`/runs/${point.test_run_id}`}>
                    <Name>{pointTitle(point)}</Name>
                  </Link>
                  <p className="quiet small">
                    <Time at={point.at} />
                    {point.baseline && ', baseline'}
                  </p>
                </th>
                <td data-label="Version">
                  {point.agent_version === null ? <span className="quiet">–</span> : <Name>{point.agent_version}</Name>}
                  {isConfigNew(point, before) && <p className="quiet small">config changed</p>}
                </td>
                <td data-label="Pass rate" className="number">
                  <PointRate of={point} />
                </td>
                {severities.map((severity) => (
                  <td key={severity} data-label={severity} className="number">
                    <Severity of={point} severity={severity} />
                  </td>
                ))}
                <td data-label="Mean score" className="number">
                  {point.mean_score === null ? '–' : percentText(point.mean_score)}
                </td>
                <td data-label="Must-pass violated" className="number">
                  {point.must_pass_violations ?? '–'}
                </td>
                <td data-label="Compared with the run before">
                  <PointChange point={point} points={points} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function isConfigNew({ agent_config_hash: now }: HistoryPoint, before: HistoryPoint | undefined): boolean {
  const was = before?.agent_config_hash ?? null;
  return now !== null && was !== null && now !== was;
}

function Severity({ of, severity }: { readonly of: HistoryPoint; readonly severity: string }) {
  const group = of.by_severity.find((one) => one.severity === severity);
  if (group === undefined || group.value === null) return <span className="quiet">–</span>;
  return (
    <>
      {percentText(group.value)}
      <p className="quiet small unbroken">
        {group.passed} of {group.graded}
      </p>
    </>
  );
}
