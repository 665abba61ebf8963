import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { gravityOf, spaced } from '../../../src/domain';
import type { TestRun } from '../api/runs';
import { counted, percentText } from '../parts/numbers';
import { SIGNS } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { gridOf, type Grid, type GridCell, type GridColumn, type GridRow } from './trial-grid-rows';
import { useScenarioRuns } from './use-scenario-runs';

type Grouping = 'category' | 'severity';

/** Scenarios × trials, the worst first; each cell leads to its conversation. */
export function TrialGrid({ run }: { readonly run: TestRun }) {
  const list = useScenarioRuns(run);
  const [isOpen, setOpen] = useState(false);
  const grid = useMemo(() => gridOf(list.data?.results ?? []), [list.data]);
  // With one conversation a scenario it would repeat the list.
  if (grid.columns.length < 2) return null;
  const rest = (list.data?.total ?? 0) - (list.data?.results.length ?? 0);
  return (
    <details className="circumstances trial-grid" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        Grid: {counted(grid.rows.length, 'scenario')} × {counted(grid.columns.length, 'conversation')}
      </summary>
      {isOpen && <Cells grid={grid} rest={rest} held={list.data?.results.length ?? 0} />}
    </details>
  );
}

interface CellsProps {
  readonly grid: Grid;
  /** Conversations that are in it, and that are not. */
  readonly held: number;
  readonly rest: number;
}

/** Drawn when it is asked for: a large run has two thousand cells. */
function Cells({ grid, held, rest }: CellsProps) {
  const [by, setBy] = useState<Grouping | null>(null);
  return (
    <>
      <label className="grouped">
        Grouped by{' '}
        <select
          className="narrow"
          value={by ?? ''}
          onChange={({ target: { value } }) => setBy(value === 'category' || value === 'severity' ? value : null)}
        >
          <option value="">nothing, the worst first</option>
          <option value="category">category</option>
          <option value="severity">severity</option>
        </select>
      </label>
      <p className="quiet small">
        {SIGNS.passed} passed, {SIGNS.failed} failed, {SIGNS.failed}! failed with a must-pass criterion violated,{' '}
        {SIGNS.error} error, {SIGNS.canceled} canceled
        {rest > 0 && `. Of the first ${counted(held, 'conversation')} only`}
      </p>
      <div className="table-frame" tabIndex={0} role="region" aria-label="Scenarios by trials">
        <table>
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              {grid.columns.map((column) => (
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
          {groupsOf(grid.rows, by).map(({ name, rows }) => (
            <tbody key={name ?? 'all'}>
              {by !== null && (
                <tr className="group">
                  <th scope="rowgroup" colSpan={grid.columns.length + 2}>
                    <Name>{name === null ? `no ${by}` : spaced(name)}</Name>: {counted(rows.length, 'scenario')}
                  </th>
                </tr>
              )}
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row" title={visibleText(row.name)}>
                    <Name>{row.name}</Name>
                  </th>
                  {row.cells.map((cell, place) => (
                    <td key={columnName(grid.columns[place])}>
                      <Cell cell={cell} of={row.name} column={grid.columns[place]} />
                    </td>
                  ))}
                  <td className="number">
                    {row.passed} of {row.graded}
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </>
  );
}

interface CellProps {
  readonly cell: GridCell | null;
  readonly of: string;
  readonly column: GridColumn | undefined;
}

function Cell({ cell, of, column }: CellProps) {
  if (cell === null) return <span className="unseen">not held</span>;
  const { id, status, score, isGrave } = cell;
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

function columnName(column: GridColumn | undefined): string {
  if (column === undefined) return '';
  return column.patient === null ? `trial ${column.trial}` : `trial ${column.trial}, ${column.patient}`;
}

interface Group {
  readonly name: string | null;
  readonly rows: readonly GridRow[];
}

/** In the order of their worst row; severities the gravest first. What has none comes last. */
function groupsOf(rows: readonly GridRow[], by: Grouping | null): readonly Group[] {
  if (by === null) return [{ name: null, rows }];
  const groups = [...new Set(rows.map((row) => row[by]))].map((name) => ({
    name,
    rows: rows.filter((row) => row[by] === name),
  }));
  const named = groups.filter(({ name }) => name !== null);
  if (by === 'severity') named.sort((one, other) => gravityOf(other.name) - gravityOf(one.name));
  return [...named, ...groups.filter(({ name }) => name === null)];
}
