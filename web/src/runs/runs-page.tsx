import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { isFinalTestRun, TEST_RUN_STATUSES, type TestRunStatus } from '../../../src/domain';
import { listRuns, RUNS_A_PAGE, type TestRun, type TestRunList } from '../api/runs';
import { Empty } from '../parts/empty';
import { Loading } from '../parts/loading';
import { counted, percentText, rangeText } from '../parts/numbers';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { PassBar } from '../parts/pass-bar';
import { Problem } from '../parts/problem';
import { Status } from '../parts/status';
import { Tags } from '../parts/tags';
import { Time } from '../parts/time';
import { toneOf } from '../parts/tone';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { FirstSteps } from '../start/first-steps';
import { AgentTrends } from './agent-trends';

const LIVE_EVERY_MS = 1_500;
const IDLE_EVERY_MS = 10_000;

/** All runs, newest first, in their current state. */
export function RunsPage() {
  const [search, setSearch] = useSearchParams();
  const status = statusOf(search.get('status'));
  const page = Math.max(0, Number(search.get('page') ?? '1') - 1) || 0;
  const runs = useQuery({
    queryKey: ['runs', status, page],
    queryFn: ({ signal }) => listRuns(status, page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isLive(state.data) ? LIVE_EVERY_MS : IDLE_EVERY_MS),
  });
  return (
    <>
      <PageHead title="Runs" lead="Each run takes one agent through a set of scenarios." />
      <div className="filters" role="group" aria-label="Show only runs that are">
        {[null, ...TEST_RUN_STATUSES].map((option) => (
          <button
            key={option ?? 'all'}
            type="button"
            className="chip"
            aria-pressed={option === status}
            onClick={() => setSearch(option === null ? {} : { status: option })}
          >
            {option ?? 'all'}
          </button>
        ))}
      </div>
      {runs.isError && <Problem error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <Loading />}
      {runs.data && runs.data.runs.length === 0 && <NoRuns status={status} />}
      {runs.data && runs.data.runs.length > 0 && (
        <>
          {page === 0 && <AgentTrends />}
          <RunTable runs={runs.data.runs} />
          <Pager
            page={page}
            pageSize={RUNS_A_PAGE}
            total={runs.data.total}
            onPage={(next) =>
              setSearch({ ...(status !== null && { status }), ...(next > 0 && { page: String(next + 1) }) })
            }
          />
        </>
      )}
    </>
  );
}

function NoRuns({ status }: { status: TestRunStatus | null }) {
  if (status !== null) {
    return (
      <Empty title={`No ${status} runs`}>
        <p>
          <Link href="/">See all runs</Link>
        </p>
      </Empty>
    );
  }
  return <FirstSteps />;
}

function RunTable({ runs }: { runs: readonly TestRun[] }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Run and agent</th>
            <th scope="col">Status</th>
            <th scope="col">Pass rate</th>
            <th scope="col">Scenarios</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link href={`/runs/${run.id}`} className="clamp" title={visibleText(run.name ?? run.test_run_id)}>
                  <Name>{run.name ?? run.test_run_id}</Name>
                </Link>
                <p className="quiet small clamp" title={visibleText(run.agent_name)}>
                  <Name>{run.agent_name}</Name>
                </p>
                {run.note !== null && (
                  <p className="quiet small clamp" title={visibleText(run.note)}>
                    <Name>{run.note}</Name>
                  </p>
                )}
                {run.tags.length > 0 && <Tags tags={run.tags} shownAtMost={3} />}
                {isFinalTestRun(run.status) && run.passed_count + run.failed_count > 0 && (
                  <Link
                    href={`/runs/${run.id}/review`}
                    className="small"
                    aria-label={`Review blind: ${run.name ?? run.test_run_id}`}
                  >
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
              <td data-label="Scenarios">
                <span className="unbroken">
                  {run.passed_count} of {run.total_scenarios} passed
                </span>
                <p className="quiet small">{othersOf(run)}</p>
              </td>
              <td data-label="Started">
                <Time at={run.started_at ?? run.scheduled_at ?? run.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
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

function statusOf(given: string | null): TestRunStatus | null {
  return TEST_RUN_STATUSES.find((status) => status === given) ?? null;
}
