import { gravityOf, SCENARIO_RUN_STATUSES, type ScenarioRunStatus } from '../../../src/domain';

/** The fields of a line for searching and sorting. */
export interface Listed {
  readonly name: string;
  readonly status: ScenarioRunStatus;
  readonly severity: string | null;
  readonly category: string | null;
  readonly turns: number;
  readonly latency: number | null;
  readonly cost: number | null;
  readonly score: number | null;
  readonly note: string | null;
}

/** Columns that the list can be sorted by, each with its first order. */
export const COLUMNS = [
  ['status', 'Status', 'up'],
  ['name', 'Scenario', 'up'],
  ['severity', 'Severity', 'down'],
  ['category', 'Category', 'up'],
  ['turns', 'Turns', 'up'],
  ['latency', 'Latency', 'down'],
  ['cost', 'Cost', 'down'],
  ['score', 'Score', 'up'],
] as const;
export type Column = (typeof COLUMNS)[number][0];

/** Whether the least comes first. */
export interface Order {
  readonly by: Column;
  readonly isUp: boolean;
}

/** Filters and order of a list, as the address has them. */
export interface ListView {
  readonly status: ScenarioRunStatus | null;
  readonly text: string;
  /** Null for the run's own order. */
  readonly order: Order | null;
}

/** Reads `?status=failed&q=chest&sort=-latency`; invalid values are ignored. */
export function readView(search: URLSearchParams): ListView {
  const status = SCENARIO_RUN_STATUSES.find((one) => one === search.get('status')) ?? null;
  const sort = search.get('sort') ?? '';
  const column = COLUMNS.find(([by]) => by === sort.replace(/^-/, ''));
  return {
    status,
    text: search.get('q') ?? '',
    order: column === undefined ? null : { by: column[0], isUp: !sort.startsWith('-') },
  };
}

/** The parameters of the address; defaults are left out. */
export function writeView({ status, text, order }: ListView): Record<string, string> {
  return {
    ...(status !== null && { status }),
    ...(text !== '' && { q: text }),
    ...(order !== null && { sort: `${order.isUp ? '' : '-'}${order.by}` }),
  };
}

/** The order after a press of a column's heading: first the column's first order, then the reverse, then the run's own. */
export function nextOrder(order: Order | null, by: Column): Order | null {
  const isUpFirst = COLUMNS.some(([column, , first]) => column === by && first === 'up');
  if (order?.by !== by) return { by, isUp: isUpFirst };
  return order.isUp === isUpFirst ? { by, isUp: !isUpFirst } : null;
}

/** The rows that a view shows, in its order; equal rows keep the run's order, and rows without a value are last. */
export function arranged<Row extends Listed>(rows: readonly Row[], { status, text, order }: ListView): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isWanted = (row: Row): boolean => {
    if (status !== null && row.status !== status) return false;
    if (words.length === 0) return true;
    const told = `${row.name} ${row.category ?? ''} ${row.severity ?? ''} ${row.note ?? ''}`.toLowerCase();
    return words.every((word) => told.includes(word));
  };
  const wanted = status === null && words.length === 0 ? rows : rows.filter(isWanted);
  if (order === null) return wanted;
  const sign = order.isUp ? 1 : -1;
  return [...wanted].sort((one, other) => {
    const [left, right] = [keyOf(one, order.by), keyOf(other, order.by)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === 'string' || typeof right === 'string') return sign * String(left).localeCompare(String(right));
    return sign * (left - right);
  });
}

/** Statuses that need attention come first. */
const STATUS_ORDER: readonly ScenarioRunStatus[] = [
  'failed',
  'error',
  'canceled',
  'grading',
  'running',
  'pending',
  'passed',
];

function keyOf(row: Listed, by: Column): string | number | null {
  if (by === 'status') return STATUS_ORDER.indexOf(row.status);
  if (by === 'severity') return row.severity === null ? null : gravityOf(row.severity);
  return row[by];
}
