import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { spaced } from '../../../src/domain';
import { readGrid, type Grid, type GridRow } from '../api/grid';
import type { TestRun } from '../api/runs';
import { Loading } from '../parts/loading';
import { counted, percentText } from '../parts/numbers';
import { Pager } from '../parts/pager';
import { Problem } from '../parts/problem';
import { SIGNS } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { trialTable, type TrialColumn, type TrialConversation } from './trial-columns';

type Grouping = 'category' | 'severity';

/** As many are drawn without a pause, however many trials a scenario has. */
const CELLS_A_PAGE = 2_000;
const ROWS_A_PAGE = { least: 10, most: 100 };

/** Scenarios × trials, the worst first; each cell leads to its conversation. */
export function TrialGrid({ run }: { readonly run: TestRun }) {
  const [isOpen, setOpen] = useState(false);
  // How large it is, before it is asked for.
  const size = useQuery({
    queryKey: ['grid', run.id, 'size'],
    queryFn: ({ signal }) => readGrid([run.id], { order: 'worst', limit: 1, page: 0 }, signal),
    staleTime: Infinity,
  });
  const columns = size.data?.results[0]?.cells[0]?.held ?? 0;
  // With one conversation a scenario it would repeat the list.
  if (size.data === undefined || columns < 2) return null;
  return (
    <details className="circumstances trial-grid" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        Grid: {counted(size.data.total, 'scenario')} × {counted(columns, 'conversation')}
      </summary>
      {isOpen && <Pages run={run} columns={columns} />}
    </details>
  );
}

interface PagesProps {
  readonly run: TestRun;
  /** Conversations of each scenario. */
  readonly columns: number;
}

/** Read when it is asked for: a large run has twenty thousand cells. */
function Pages({ run, columns }: PagesProps) {
  const [by, setBy] = useState<Grouping | null>(null);
  const [page, setPage] = useState(0);
  const limit = Math.min(ROWS_A_PAGE.most, Math.max(ROWS_A_PAGE.least, Math.floor(CELLS_A_PAGE / columns)));
  const order = by ?? 'worst';
  const grid = useQuery({
    queryKey: ['grid', run.id, order, limit, page],
    queryFn: ({ signal }) => readGrid([run.id], { order, limit, page }, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return (
    <>
      <label className="grouped">
        Grouped by{' '}
        <select
          className="narrow"
          value={by ?? ''}
          onChange={({ target: { value } }) => {
            setBy(value === 'category' || value === 'severity' ? value : null);
            setPage(0);
          }}
        >
          <option value="">nothing, the worst first</option>
          <option value="category">category</option>
          <option value="severity">severity</option>
        </select>
      </label>
      <p className="quiet small">
        {SIGNS.passed} passed, {SIGNS.failed} failed, {SIGNS.failed}! failed with a must-pass criterion violated,{' '}
        {SIGNS.error} error, {SIGNS.canceled} canceled
      </p>
      {grid.isError && <Problem error={grid.error} onRetry={() => void grid.refetch()} />}
      {grid.isPending && <Loading />}
      {grid.data && (
        <>
          <Cells grid={grid.data} by={grid.data.groups.length === 0 ? null : by} />
          <Pager page={page} pageSize={limit} total={grid.data.total} onPage={setPage} />
        </>
      )}
    </>
  );
}

interface CellsProps {
  readonly grid: Grid;
  readonly by: Grouping | null;
}

function Cells({ grid: { groups, results }, by }: CellsProps) {
  const { columns, rows } = useMemo(
    () => trialTable(results.map(({ cells: [cell] }) => cell?.conversations ?? [])),
    [results],
  );
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Scenarios by trials">
      <table>
        <thead>
          <tr>
            <th scope="col">Scenario</th>
            {columns.map((column) => (
              <th key={columnName(column)} scope="col" title={visibleText(columnName(column))}>
                {column.trial}
                {column.patient !== null && (
                  <span className="small">
                    {' '}
                    <Name>{column.patient}</Name>
                  </span>
                )}
              </th>
            ))}
            <th scope="col">Passed</th>
          </tr>
        </thead>
        {portions(results, by).map(({ name, from, to }) => (
          <tbody key={name ?? 'none'}>
            {by !== null && (
              <tr className="group">
                <th scope="rowgroup" colSpan={columns.length + 2}>
                  <Name>{name === null ? `no ${by}` : spaced(name)}</Name>:{' '}
                  {counted(groups.find((group) => group.name === name)?.scenarios ?? to - from, 'scenario')}
                </th>
              </tr>
            )}
            {results.slice(from, to).map((row, place) => (
              <Row key={row.scenario_id} row={row} columns={columns} cells={rows[from + place] ?? []} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: GridRow;
  readonly columns: readonly TrialColumn[];
  readonly cells: readonly (TrialConversation | null)[];
}

function Row({ row: { scenario_name: name, cells: whole }, columns, cells }: RowProps) {
  const [fared] = whole;
  return (
    <tr>
      <th scope="row" title={visibleText(name)}>
        <Name>{name}</Name>
      </th>
      {cells.map((cell, place) => (
        <td key={columnName(columns[place])}>
          <Cell cell={cell} of={name} column={columns[place]} />
        </td>
      ))}
      <td className="number">
        {fared?.passed ?? 0} of {fared?.graded ?? 0}
      </td>
    </tr>
  );
}

interface CellProps {
  readonly cell: TrialConversation | null;
  readonly of: string;
  readonly column: TrialColumn | undefined;
}

function Cell({ cell, of, column }: CellProps) {
  if (cell === null) return <span className="unseen">not held</span>;
  const { id, status, score_percent: score, must_pass_violated: isGrave } = cell;
  const said = [
    `${columnName(column)}: ${status}`,
    ...(isGrave ? ['must-pass criterion violated'] : []),
    ...(score === null ? [] : [percentText(score)]),
  ].join(', ');
  return (
    <Link
      href={`/scenario-runs/${id}`}
      className={`trial-mark ${status}`}
      aria-label={`${visibleText(of)}, ${said}`}
      title={said}
    >
      {SIGNS[status]}
      {isGrave && '!'}
    </Link>
  );
}

function columnName(column: TrialColumn | undefined): string {
  if (column === undefined) return '';
  return column.patient === null ? `trial ${column.trial}` : `trial ${column.trial}, ${column.patient}`;
}

interface Portion {
  readonly name: string | null;
  readonly from: number;
  readonly to: number;
}

/** Rows of the same group that follow each other: the service has put them together. */
function portions(rows: readonly GridRow[], by: Grouping | null): Portion[] {
  const found: Portion[] = [];
  for (const [place, row] of rows.entries()) {
    const name = by === null ? null : row[by];
    const last = found.at(-1);
    if (last?.name === name) found[found.length - 1] = { ...last, to: place + 1 };
    else found.push({ name, from: place, to: place + 1 });
  }
  return found;
}
