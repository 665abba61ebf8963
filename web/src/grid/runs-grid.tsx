import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../api/client';
import { readGrid, type GridCell, type GridOrder, type GridRow } from '../api/grid';
import { getRun, type TestRunDetail } from '../api/runs';
import { Loading } from '../parts/loading';
import { counted, percentText, rangeText } from '../parts/numbers';
import { isOffline, OfflineNotice, offlineRuns } from '../parts/offline-notice';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { Problem } from '../parts/problem';
import { runTitle } from '../parts/run-title';
import { SIGNS } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { RUNS_AT_MOST } from './ticked-runs';

const ROWS_A_PAGE = 100;

/** Scenarios × runs: how each scenario fared in up to eight runs, in the order in which they are asked for. */
export function RunsGrid({ ids }: { readonly ids: readonly string[] }) {
  const shown = ids.slice(0, RUNS_AT_MOST);
  const runs = useQueries({
    queries: shown.map((id) => ({
      queryKey: ['run', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => getRun(id, signal),
      retry: false,
    })),
  });
  const found = runs.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const missing = shown.filter(
    (_, place) => runs[place]?.error instanceof ApiError && runs[place].error.status === 404,
  );
  const failure = runs.find(({ error }) => error !== null && !(error instanceof ApiError && error.status === 404));
  return (
    <>
      <PageHead
        title={`Grid of ${counted(found.length, 'run')}`}
        above={{ href: '/', label: 'Runs' }}
        lead="How each scenario fared in each run."
      />
      {ids.length > RUNS_AT_MOST && (
        <p className="notice">
          The address names {ids.length} runs; the first {RUNS_AT_MOST} are shown.
        </p>
      )}
      {missing.length > 0 && (
        <p className="notice">
          {counted(missing.length, 'run')} of this address {missing.length === 1 ? 'does' : 'do'} not exist, or no
          longer: <Name>{missing.join(', ')}</Name>.
        </p>
      )}
      {failure !== undefined && <Problem error={failure.error} onRetry={() => void failure.refetch()} />}
      {runs.some(({ isPending }) => isPending) ? <Loading /> : found.length > 0 && <Grid runs={found} />}
    </>
  );
}

function Grid({ runs }: { readonly runs: readonly TestRunDetail[] }) {
  const [order, setOrder] = useState<GridOrder>('worst');
  const [page, setPage] = useState(0);
  const ids = runs.map(({ id }) => id);
  const grid = useQuery({
    queryKey: ['grid', ids, order, page],
    queryFn: ({ signal }) => readGrid(ids, { order, limit: ROWS_A_PAGE, page }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const holes = grid.data?.missing_somewhere ?? 0;
  const areOffline = runs.map((run, place) => isOffline(run) || grid.data?.runs[place]?.offline === true);
  return (
    <div className="stack trial-grid runs-grid">
      <OfflineNotice where={offlineRuns(areOffline)} />
      {grid.isError && <Problem error={grid.error} onRetry={() => void grid.refetch()} />}
      {grid.isPending && <Loading />}
      <label className="grouped">
        Show first{' '}
        <select
          className="narrow"
          value={order}
          onChange={({ target: { value } }) => {
            setOrder(value === 'differing' ? 'differing' : 'worst');
            setPage(0);
          }}
        >
          <option value="worst">the worst</option>
          <option value="differing">what differs most between the runs</option>
        </select>
      </label>
      <p className="quiet small">
        {SIGNS.passed} all passed, {SIGNS.failed} none passed, ◐ some, ! a must-pass criterion violated
        {holes > 0 && `. ${counted(holes, 'scenario')} ${holes === 1 ? 'is' : 'are'} not in all of the runs`}
      </p>
      <div className="table-frame" tabIndex={0} role="region" aria-label="Scenarios by runs">
        <table>
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              {runs.map((run) => (
                <th key={run.id} scope="col">
                  <Heading of={run} />
                </th>
              ))}
              <th scope="col">First and last</th>
            </tr>
          </thead>
          <tbody>
            {grid.data?.results.map((row) => (
              <Row key={row.scenario_id} of={row} runs={runs} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pageSize={ROWS_A_PAGE} total={grid.data?.total ?? 0} onPage={setPage} />
    </div>
  );
}

function Heading({ of: run }: { readonly of: TestRunDetail }) {
  const rate = run.graded_pass_rate;
  return (
    <>
      <Link href={`/runs/${run.id}`} title={visibleText(runTitle(run))}>
        <Name>{run.agent_version ?? run.name ?? runTitle(run)}</Name>
      </Link>
      <p className="quiet small" title={visibleText(run.agent_name)}>
        <Name>{run.agent_name}</Name>
      </p>
      <p className="number">
        {rate === null ? run.status : percentText(rate.value)}
        {rate !== null && <span className="quiet small"> {rangeText(rate)}</span>}
      </p>
    </>
  );
}

interface RowProps {
  readonly of: GridRow;
  readonly runs: readonly TestRunDetail[];
}

function Row({ of: { scenario_id: id, scenario_name: name, cells }, runs }: RowProps) {
  const [first, last] = [cells[0], cells.at(-1)];
  const canBeside = cells.length > 1 && first !== null && last !== null && first !== undefined && last !== undefined;
  return (
    <tr>
      <th scope="row" title={visibleText(name)}>
        <Link href={`/scenarios/${id}`}>
          <Name>{name}</Name>
        </Link>
      </th>
      {cells.map((cell, place) => (
        <td key={runs[place]?.id ?? place}>
          <Cell cell={cell} of={name} run={runs[place]} />
        </td>
      ))}
      <td>
        {canBeside && (
          <Link
            href={`/side-by-side?base=${first.worst_scenario_run_id}&head=${last.worst_scenario_run_id}`}
            className="small"
            aria-label={`Side by side, first and last run: ${visibleText(name)}`}
          >
            Side by side
          </Link>
        )}
      </td>
    </tr>
  );
}

interface CellProps {
  readonly cell: GridCell | null;
  readonly of: string;
  readonly run: TestRunDetail | undefined;
}

function Cell({ cell, of, run }: CellProps) {
  if (cell === null) {
    return (
      <span className="quiet" title="not in this run">
        <span aria-hidden="true">·</span>
        <span className="unseen">not in this run</span>
      </span>
    );
  }
  const { graded, passed, must_pass_violated: grave, held, worst_scenario_run_id: worst } = cell;
  const tone = graded === 0 ? 'error' : passed === graded ? 'passed' : passed === 0 ? 'failed' : 'some';
  const said = [
    graded === 0 ? `none of ${held} graded` : `${passed} of ${graded} passed`,
    ...(graded > 0 && graded < held ? [`${held - graded} without a verdict`] : []),
    ...(grave > 0 ? [`must-pass criterion violated in ${grave}`] : []),
  ].join(', ');
  return (
    <Link href={`/scenario-runs/${worst}`} className={`trial-mark ${tone}`} title={said}>
      <span aria-hidden="true">
        {CELL_SIGNS[tone]}
        {held > 1 && graded > 0 && ` ${passed}/${graded}`}
        {grave > 0 && '!'}
      </span>
      <span className="unseen">
        {visibleText(of)}, {run !== undefined && visibleText(runTitle(run))}: {said}
      </span>
    </Link>
  );
}

const CELL_SIGNS = { passed: SIGNS.passed, failed: SIGNS.failed, some: '◐', error: '?' } as const;
