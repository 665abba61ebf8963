import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { isFinalTestRun, TEST_RUN_STATUSES } from '../../../src/domain';
import { listRuns, RUNS_A_PAGE, type RunFilter, type TestRun, type TestRunList } from '../api/runs';
import { ChosenRuns, TickRuns } from '../grid/chosen-runs';
import { isTicked, toggled, type TickedRun } from '../grid/ticked-runs';
import { Empty } from '../parts/empty';
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

const LIVE_EVERY_MS = 1_500;
const IDLE_EVERY_MS = 10_000;

/** All runs, newest first, in their current state. */
export function RunsPage() {
  const [search, setSearch] = useSearchParams();
  const [chosen, setChosen] = useState<readonly TickedRun[]>([]);
  const filter = filterOf(search);
  const page = Math.max(0, Number(search.get('page') ?? '1') - 1) || 0;
  const runs = useQuery({
    queryKey: ['runs', filter, page],
    queryFn: ({ signal }) => listRuns(filter, page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isLive(state.data) ? LIVE_EVERY_MS : IDLE_EVERY_MS),
  });
  /** @param changes undefined drops a filter */
  const show = (changes: RunFilter, replace = false) =>
    setSearch(
      Object.fromEntries(
        Object.entries({ ...filter, ...changes }).flatMap(([name, value]) =>
          value === undefined || value === '' ? [] : [[name, value]],
        ),
      ),
      { replace },
    );
  const agentName = runs.data?.runs.find(({ agent_id }) => agent_id === filter.agent_id)?.agent_name;
  return (
    <>
      <PageHead title="Runs" lead="Each run takes one agent through a set of scenarios." />
      <div className="filters" role="group" aria-label="Show only runs that are">
        {[undefined, ...TEST_RUN_STATUSES].map((option) => (
          <button
            key={option ?? 'all'}
            type="button"
            className="chip"
            aria-pressed={option === filter.status}
            onClick={() => show({ status: option })}
          >
            {option ?? 'all'}
          </button>
        ))}
      </div>
      <div className="filters" role="search">
        <input
          className="search"
          type="search"
          aria-label="Search runs"
          placeholder="Search name, note, tag, agent, version"
          maxLength={LONGEST_SEARCH}
          value={filter.q ?? ''}
          onChange={({ target }) => show({ q: target.value.trimStart() }, true)}
        />
        {filter.tag !== undefined && (
          <button type="button" className="chip" aria-pressed onClick={() => show({ tag: undefined })}>
            tag <Name>{filter.tag}</Name> <span aria-hidden="true">×</span>
          </button>
        )}
        {filter.agent_id !== undefined && (
          <button type="button" className="chip" aria-pressed onClick={() => show({ agent_id: undefined })}>
            agent <Name>{agentName ?? filter.agent_id}</Name> <span aria-hidden="true">×</span>
          </button>
        )}
      </div>
      {runs.isError && <Problem error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <Loading />}
      {runs.data && runs.data.runs.length === 0 && <NoRuns filter={filter} />}
      {runs.data && runs.data.runs.length > 0 && (
        <>
          {page === 0 && Object.keys(filter).length === 0 && <AgentTrends />}
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

const WORDS: Readonly<Record<string, string>> = {
  status: 'status',
  tag: 'the tag',
  agent_id: 'the agent',
  q: 'the text',
};

/** The address of the same list with one filter less. */
function without(filter: RunFilter, field: string): string {
  const others = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (name !== field) others.set(name, value);
  return others.toString();
}

function NoRuns({ filter }: { filter: RunFilter }) {
  const asked = [
    ...(filter.status === undefined ? [] : [filter.status]),
    ...(filter.tag === undefined ? [] : [`tagged ${filter.tag}`]),
    ...(filter.agent_id === undefined ? [] : ['of that agent']),
    ...(filter.q === undefined ? [] : [`with “${filter.q}”`]),
  ];
  if (asked.length === 0) return <FirstSteps />;
  return (
    <Empty title="No such runs">
      <p>
        No run is <Name>{asked.join(', ')}</Name>. {asked.length > 1 && 'Drop one of these: '}
        {asked.length > 1 &&
          Object.entries(filter).map(([field, value]) => (
            <span key={field}>
              <Link href={`/?${without(filter, field)}`}>
                <Name>{WORDS[field] ?? field}</Name>
                {field === 'status' || field === 'q' ? (
                  <>
                    {' '}
                    <Name>{value}</Name>
                  </>
                ) : null}
              </Link>{' '}
            </span>
          ))}
        <Link href="/">See all runs</Link>
      </p>
    </Empty>
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
            <th scope="col">Scenarios</th>
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
              <td data-label="Scenarios">
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

/** Who was examined; the id of a run whose title already says that. */
function belowTitle(run: TestRun): string {
  return run.name === null ? run.test_run_id : agentTitle(run);
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

/** Longer texts and tags are refused by the service. */
const LONGEST_SEARCH = 200;

/** What the address asks for; what it cannot ask for is left out. */
function filterOf(search: URLSearchParams): RunFilter {
  const status = TEST_RUN_STATUSES.find((one) => one === search.get('status'));
  const text = (name: string) => search.get(name)?.slice(0, LONGEST_SEARCH) ?? '';
  return {
    ...(status !== undefined && { status }),
    ...Object.fromEntries(
      ['agent_id', 'tag', 'q'].flatMap((name) => (text(name).trim() === '' ? [] : [[name, text(name)]])),
    ),
  };
}
