import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { isFinalTestRun } from '../../../src/domain';
import { listRuns, RUNS_A_PAGE, type TestRun, type TestRunList } from '../api/runs';
import { ChosenRuns, TickRuns } from '../grid/chosen-runs';
import { isTicked, toggled, type TickedRun } from '../grid/ticked-runs';
import { Loading } from '../parts/loading';
import { counted, percentText, rangeText } from '../parts/numbers';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { PassBar } from '../parts/pass-bar';
import { Problem } from '../parts/problem';
import { agentTitle, runTitle } from '../parts/run-title';
import { Status } from '../parts/status';
import { Tags } from '../parts/tags';
import { Time } from '../parts/time';
import { toneOf } from '../parts/tone';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { AgentTrends } from '../trends/agent-trends';
import { FirstSteps } from '../start/first-steps';
import { Notes } from './annotations';
import { addressOf, choiceOf, filterOf, type RunChoice } from './run-filter';
import { NoSuchRuns, RunFilters } from './run-filters';

const LIVE_EVERY_MS = 1_500;
const IDLE_EVERY_MS = 10_000;

/** All runs, newest first, in their current state. */
export function RunsPage() {
  const [search, setSearch] = useSearchParams();
  const [chosen, setChosen] = useState<readonly TickedRun[]>([]);
  const choice = choiceOf(search);
  const filter = filterOf(choice);
  const isWhole = Object.keys(choice).length === 0;
  const page = Math.max(0, Number(search.get('page') ?? '1') - 1) || 0;
  const runs = useQuery({
    queryKey: ['runs', filter, page],
    queryFn: ({ signal }) => listRuns(filter, page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isLive(state.data) ? LIVE_EVERY_MS : IDLE_EVERY_MS),
  });
  const choose = (changes: RunChoice, replace = false) => setSearch(addressOf({ ...choice, ...changes }), { replace });
  const agentName = runs.data?.runs.find(({ agent_id }) => agent_id === choice.agent_id)?.agent_name;
  return (
    <>
      <PageHead title="Runs" lead="Each run takes one agent through a set of scenarios." />
      <RunFilters choice={choice} agentName={agentName} onChoose={choose} />
      {runs.isError && <Problem error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <Loading />}
      {runs.data && runs.data.runs.length === 0 && (isWhole ? <FirstSteps /> : <NoSuchRuns choice={choice} />)}
      {runs.data && runs.data.runs.length > 0 && (
        <>
          {page === 0 && isWhole && <AgentTrends />}
          {runs.data.runs.filter(({ status }) => isFinalTestRun(status)).length > 1 && <TickRuns />}
          <RunTable runs={runs.data.runs} chosen={chosen} onToggle={(run) => setChosen(toggled(chosen, run))} />
          <ChosenRuns ticked={chosen} />
          <Pager
            page={page}
            pageSize={RUNS_A_PAGE}
            total={runs.data.total}
            onPage={(next) =>
              setSearch((now) => {
                now.delete('page');
                if (next > 0) now.set('page', String(next + 1));
                return now;
              })
            }
          />
        </>
      )}
    </>
  );
}

interface TableProps {
  readonly runs: readonly TestRun[];
  readonly chosen: readonly TickedRun[];
  readonly onToggle: (run: TickedRun) => void;
}

function RunTable({ runs, chosen, onToggle }: TableProps) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Run and agent</th>
            <th scope="col">Status</th>
            <th scope="col">Pass rate</th>
            <th scope="col">Conversations</th>
            <th scope="col">Started</th>
            <th scope="col">Compare</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link href={`/runs/${run.id}`} className="clamp" title={visibleText(runTitle(run))}>
                  <Name>{runTitle(run)}</Name>
                </Link>
                <p className="quiet small clamp" title={visibleText(belowTitle(run))}>
                  <Name>{belowTitle(run)}</Name>
                </p>
                <Notes run={run} isShort />
                {run.tags.length > 0 && (
                  <p>
                    <Tags
                      tags={run.tags}
                      shownAtMost={3}
                      hrefOf={(tag) => `/?${new URLSearchParams({ tag }).toString()}`}
                    />
                  </p>
                )}
                {isFinalTestRun(run.status) && run.passed_count + run.failed_count > 0 && (
                  <Link href={`/runs/${run.id}/review`} className="small" aria-label={`Review blind: ${runTitle(run)}`}>
                    Review blind
                  </Link>
                )}
              </th>
              <td data-label="Status">
                <Status of={run.status} />
              </td>
              <td data-label="Pass rate">
                <PassRate run={run} />
              </td>
              <td data-label="Conversations">
                <span className="unbroken">
                  {run.passed_count} of {run.total_scenarios} passed
                </span>
                <p className="quiet small">{othersOf(run)}</p>
              </td>
              <td data-label="Started">
                <Time at={run.started_at ?? run.scheduled_at ?? run.created_at} />
              </td>
              <td {...(isFinalTestRun(run.status) && { 'data-label': 'Compare' })}>
                {isFinalTestRun(run.status) && (
                  <input
                    type="checkbox"
                    title="Choose it for a comparison or a grid"
                    aria-label={`Choose ${visibleText(runTitle(run))}`}
                    checked={isTicked(chosen, run.id)}
                    onChange={() => onToggle({ id: run.id, at: run.created_at })}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Who was examined, and whether by voice; the id of a run whose title already says who. */
function belowTitle(run: TestRun): string {
  const title = run.name === null ? run.test_run_id : agentTitle(run);
  return run.modality === 'spoken' ? `${title}, spoken` : title;
}

/** Only a completed run has a pass rate; a run in progress has a provisional one. */
function PassRate({ run }: { run: TestRun }) {
  const graded = run.passed_count + run.failed_count;
  if (!isFinalTestRun(run.status) && graded === 0) return <span className="quiet">–</span>;
  if (run.status === 'failed' || run.status === 'canceled') return <span className="quiet">no result</span>;
  const rate = run.graded_pass_rate ?? null;
  const violated = run.must_pass_violated_count ?? null;
  const tone = toneOf({ rate: run.pass_rate, passThreshold: run.pass_threshold, mustPassViolated: violated });
  const missed = violated !== null && violated > 0 && (
    <p className="small must-pass-missed">
      <span aria-hidden="true">! </span>must-pass violated in {violated.toLocaleString()}
    </p>
  );
  if (rate === null) return <PassBar rate={run.pass_rate} settled={isFinalTestRun(run.status)} tone={tone} />;
  const { value, ...interval } = rate;
  if (graded === run.total_scenarios) {
    return (
      <>
        <PassBar rate={run.pass_rate} settled interval={interval} tone={tone} />
        {missed}
      </>
    );
  }
  // The two rates differ: scenario runs without a verdict count as not passed in one, and are left out of the other.
  return (
    <>
      <PassBar rate={run.pass_rate} settled tone={tone} />
      <p className="quiet small number">
        {percentText(value)} of {graded.toLocaleString()} graded, {rangeText(interval)}
      </p>
      {missed}
    </>
  );
}

/** The counts of other outcomes than passed, without zeros. */
function othersOf(run: TestRun): string {
  const parts = [
    ...(run.failed_count > 0 ? [`${run.failed_count} failed`] : []),
    ...(run.error_count > 0 ? [counted(run.error_count, 'error')] : []),
    ...(run.canceled_count > 0 ? [`${run.canceled_count} canceled`] : []),
  ];
  return parts.join(', ');
}

function isLive(list: TestRunList | undefined): boolean {
  return list?.runs.some(({ status }) => status === 'running' || status === 'pending') ?? false;
}
