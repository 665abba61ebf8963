import type { ErrorCode } from '../../machines/failure';
import type { ScenarioRunStatus } from '../../machines/statuses';
import { ownTurn } from '../concurrency/own-turn';
import type { Queryable } from './connections';
import { examinersOf, findingsOf, type Examiners, type Findings } from './ledger/findings';
import type { JsonObject } from './ledger/scenario-run.changes';
import type { StoredCriterionResult } from './scenario-runs.store';

/** A scenario run of which statistics count more than pass and fail. */
export interface NotableRun {
  readonly id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly status: ScenarioRunStatus;
  readonly findings: Findings;
}

export interface RunFindings {
  /** In the run's order. */
  readonly notable: readonly NotableRun[];
  /** All who examined, most often first. */
  readonly examiners: readonly Examiners[];
}

/** Scenario runs that ended alike, or that have not ended. */
export interface Ending {
  readonly status: ScenarioRunStatus;
  readonly error_code: ErrorCode | null;
  /** Null before they have ended, and of those that a release before has ended. */
  readonly examiners: Examiners | null;
  readonly count: number;
}

/** Rows of older releases whose marks are read at a time. */
const OLDER_AT_ONCE = 50;

/** What stands out in a run beside pass and fail, and who examined. */
export async function readFindings(
  database: Queryable,
  testRunId: string,
): Promise<RunFindings & { readonly endings: readonly Ending[] }> {
  const [endings, kept] = await Promise.all([
    database.query<Ending>(ENDINGS, [testRunId]),
    database.query<NotableRow>(NOTABLE, [testRunId]),
  ]);
  const known = endings.flatMap(({ examiners, count }) => (examiners === null ? [] : [{ examiners, count }]));
  if (!endings.some(isOlder)) return { notable: kept, examiners: mostOftenFirst(known), endings };
  const older = await readOlder(database, testRunId);
  const notable = [...kept, ...older.notable].sort((one, other) => one.position - other.position);
  return { notable, examiners: mostOftenFirst([...known, ...older.examiners]), endings };
}

function isOlder({ status, examiners }: Ending): boolean {
  return examiners === null && (status === 'passed' || status === 'failed' || status === 'error');
}

interface NotableRow extends NotableRun {
  readonly position: number;
}

const NOTABLE = `
  SELECT id, position, scenario_id, scenario_name, trial, status, findings FROM scenario_runs
  WHERE test_run_id = $1 AND findings IS NOT NULL ORDER BY position`;

interface ExaminersRow {
  readonly examiners: Examiners;
  readonly count: number;
}

const ENDINGS = `
  SELECT status, error_code, examiners::json AS examiners, count::int FROM (
    SELECT status, error_code, examiners::text AS examiners, count(*) AS count FROM scenario_runs
    WHERE test_run_id = $1 GROUP BY 1, 2, 3
  ) alike ORDER BY count DESC, examiners COLLATE "C"`;

/** What a process of a release before has ended: of these the marks themselves are read, a page at a time. */
const OLDER = `
  SELECT id, position, scenario_id, scenario_name, trial, status, criteria_results, metadata FROM scenario_runs
  WHERE test_run_id = $1 AND position > $2 AND examiners IS NULL AND status IN ('passed', 'failed', 'error')
  ORDER BY position LIMIT ${OLDER_AT_ONCE}`;

interface OlderRow extends Omit<NotableRow, 'findings'> {
  readonly criteria_results: readonly StoredCriterionResult[] | null;
  readonly metadata: JsonObject;
}

async function readOlder(
  database: Queryable,
  testRunId: string,
): Promise<{ readonly notable: readonly NotableRow[]; readonly examiners: readonly ExaminersRow[] }> {
  const notable: NotableRow[] = [];
  const examiners: ExaminersRow[] = [];
  for (let last = 0; ;) {
    const rows = await database.query<OlderRow>(OLDER, [testRunId, last]);
    for (const { criteria_results, metadata, ...row } of rows) {
      const findings = findingsOf((criteria_results ?? []).map(markOf), metadata);
      if (findings !== null) notable.push({ ...row, findings });
      const cast = examinersOf(metadata);
      if (cast !== null) examiners.push({ examiners: cast, count: 1 });
    }
    if (rows.length < OLDER_AT_ONCE) return { notable, examiners };
    last = rows.at(-1)?.position ?? last;
    await ownTurn(Number.POSITIVE_INFINITY);
  }
}

function markOf({ criterion, tags, decision, max_points, disputed = false }: StoredCriterionResult) {
  return { criterion, tags, decision, points: max_points, disputed };
}

function mostOftenFirst(rows: readonly ExaminersRow[]): Examiners[] {
  const counts = new Map<string, ExaminersRow>();
  for (const { examiners, count } of rows) {
    const key = JSON.stringify(examiners);
    counts.set(key, { examiners, count: (counts.get(key)?.count ?? 0) + count });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count).map(({ examiners }) => examiners);
}
