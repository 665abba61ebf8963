import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { getAgentHistory, type AgentHistory, type HistoryPoint } from '../api/agent-history';
import { recentRuns } from '../api/runs';
import { percentText, rangeText } from '../parts/numbers';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { pointTitle, TrendChart } from './trend-chart';
import { PointChange, PointRate } from './point-figures';
import { agentsWithTrends } from './trends';

const AGAIN_EVERY_MS = 30_000;
/** The most points of a curve that can be read at a glance. */
const RUNS_AT_MOST = 16;
const ENOUGH_COVERAGE = 95;

/** The pass rates of each agent from run to run; nothing before an agent has two runs. */
export function AgentTrends() {
  const { data } = useQuery({
    queryKey: ['recent-runs'],
    queryFn: ({ signal }) => recentRuns(signal),
    refetchInterval: AGAIN_EVERY_MS,
  });
  const histories = useQueries({
    queries: agentsWithTrends(data ?? []).map(({ agent_id, newest }) => ({
      queryKey: ['agent-history', agent_id, newest],
      queryFn: ({ signal }: { signal: AbortSignal }) => getAgentHistory(agent_id, RUNS_AT_MOST, signal),
      staleTime: Infinity,
    })),
  });
  const shown = histories.flatMap(({ data: history }) =>
    history === undefined || history.points.length < 2 ? [] : [history],
  );
  if (shown.length === 0) return null;
  return (
    <section className="trends" aria-label="Trend of each agent">
      <ul>
        {shown.map((history) => (
          <li key={history.agent_id} className="panel">
            <AgentTrend history={history} />
          </li>
        ))}
      </ul>
      <p className="quiet small">
        Bars are 95 % intervals. A line joins runs over the same scenarios, trials and examiners; others are not
        comparable. × no result; ! must-pass criterion violated.
      </p>
    </section>
  );
}

function AgentTrend({ history: { agent_id, agent_name, points, more } }: { readonly history: AgentHistory }) {
  const [isOpen, setOpen] = useState(false);
  const latest = points.findLast(({ graded_pass_rate: rate }) => rate !== null);
  return (
    <>
      <div className="trend-head">
        <Link href={`/agents/${agent_id}`} className="trend-name" title={visibleText(agent_name)}>
          <Name>{agent_name}</Name>
        </Link>
        {latest !== undefined && <Latest point={latest} points={points} />}
      </div>
      <TrendChart points={points} />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{more ? `Table of the ${points.length} newest runs` : `Table of the ${points.length} runs`}</summary>
        {isOpen && <HistoryTable points={points} />}
      </details>
    </>
  );
}

/** The newest rate with its interval, and the change since the run that it can be compared with. */
function Latest({ point, points }: { readonly point: HistoryPoint; readonly points: readonly HistoryPoint[] }) {
  const { graded_pass_rate: rate, coverage, test_run_id: id } = point;
  if (rate === null) return null;
  return (
    <p className="trend-latest">
      <Link href={`/runs/${id}`} className="number">
        {percentText(rate.value)}
      </Link>{' '}
      <span className="quiet small number">
        {rangeText(rate)}
        {coverage < ENOUGH_COVERAGE && `, ${percentText(coverage)} have a verdict`}
      </span>
      <br />
      <span className="small">
        <PointChange point={point} points={points} />
      </span>
    </p>
  );
}

/** The same as a table of words and figures. */
function HistoryTable({ points }: { readonly points: readonly HistoryPoint[] }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Pass rate, 95 % interval</th>
            <th scope="col">Must-pass</th>
            <th scope="col">Compared with the run before</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.test_run_id}>
              <th scope="row">
                <Link href={`/runs/${point.test_run_id}`}>
                  <Name>{pointTitle(point)}</Name>
                </Link>
                <p className="quiet small">
                  <Time at={point.at} />
                  {point.baseline && ', baseline'}
                </p>
              </th>
              <td data-label="Pass rate" className="number">
                <PointRate of={point} />
              </td>
              <td data-label="Must-pass" className="number">
                {violationsText(point)}
              </td>
              <td data-label="Compared">
                <PointChange point={point} points={points} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function violationsText({ must_pass_violations: violations }: HistoryPoint): string {
  if (violations === null) return 'not known';
  return violations === 0 ? 'none violated' : `${violations.toLocaleString()} violated`;
}
