import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '../../machines/failure';
import type { ScenarioRunStatus } from '../../machines/statuses';
import { ownTurn } from '../concurrency/own-turn';
import { Database, type Transaction } from './database';
import { examinersOf, findingsOf, type Examiners, type Findings } from './ledger/findings';
import type { JsonObject } from './ledger/scenario-run.changes';
import type { StoredCriterionResult } from './scenario-runs.store';

/** How a scenario of a run fared over its trials. */
export interface ScenarioTally {
  readonly scenario_id: string;
  readonly scenario_name: string;
  /** As the scenario has them now; null and none when it is gone. */
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly total: number;
  readonly graded: number;
  readonly passed: number;
}

/** Scenario runs without a verdict. */
export interface UngradedCount {
  readonly status: ScenarioRunStatus;
  readonly error_code: ErrorCode | null;
  readonly count: number;
}

/** A scenario run of which statistics count more than pass and fail. */
export interface NotableRun {
  readonly id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly status: ScenarioRunStatus;
  readonly findings: Findings;
}

/** Everything that the statistics of a run are made of, as it stood at one moment. */
export interface RunTallies {
  /** In the run's order. */
  readonly scenarios: readonly ScenarioTally[];
  readonly ungraded: readonly UngradedCount[];
  /** In the run's order. */
  readonly notable: readonly NotableRun[];
  /** All who examined, most often first. */
  readonly examiners: readonly Examiners[];
}

/** Rows of older releases whose marks are read at a time. */
const OLDER_AT_ONCE = 50;

/** Reads what statistics are made of: sums, and the few rows that are out of the ordinary. */
@Injectable()
export class RunStatisticsStore {
  constructor(private readonly database: Database) {}

  /** All of it from one snapshot, so that a run that goes on adds up. Readers hold no lock that a writer waits for. */
  async read(testRunId: string): Promise<RunTallies> {
    return this.database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return readTallies(tx, testRunId);
    });
  }
}

export async function readTallies(tx: Transaction, testRunId: string): Promise<RunTallies> {
  const tagsOf = readOnce(textsIn);
  const rows = await tx.query<ScenarioRow>(SCENARIOS, [testRunId]);
  const scenarios = rows.map(({ tags, ...row }) => ({ ...row, tags: tagsOf(tags) }));
  const ungraded = await tx.query<UngradedCount>(UNGRADED, [testRunId]);
  const kept = await tx.query<NotableRow>(NOTABLE, [testRunId]);
  const examiners = await tx.query<ExaminersRow>(EXAMINERS, [testRunId]);
  const older = await readOlder(tx, testRunId);
  const notable = [...kept, ...older.notable].sort((one, other) => one.position - other.position);
  return { scenarios, ungraded, notable, examiners: mostOftenFirst([...examiners, ...older.examiners]) };
}

/** Most scenarios share their tags with others: the same text is read once. */
function readOnce<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? read(text);
    known.set(text, value);
    return value;
  };
}

function textsIn(text: string): readonly string[] {
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.flatMap((one) => (typeof one === 'string' ? [one] : [])) : [];
}

interface ScenarioRow extends Omit<ScenarioTally, 'tags'> {
  /** A JSON list. */
  readonly tags: string;
}

const SCENARIOS = `
  SELECT s.scenario_id, min(s.scenario_name COLLATE "C") AS scenario_name, c.category,
         COALESCE(to_json(c.tags)::text, '[]') AS tags, count(*)::int AS total,
         count(*) FILTER (WHERE s.status IN ('passed', 'failed'))::int AS graded,
         count(*) FILTER (WHERE s.status = 'passed')::int AS passed
  FROM scenario_runs s LEFT JOIN scenarios c ON c.id = s.scenario_id
  WHERE s.test_run_id = $1 GROUP BY s.scenario_id, c.id ORDER BY min(s.position)`;

const UNGRADED = `
  SELECT status, error_code, count(*)::int AS count FROM scenario_runs
  WHERE test_run_id = $1 AND status NOT IN ('passed', 'failed')
  GROUP BY status, error_code ORDER BY count DESC, status, error_code`;

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

const EXAMINERS = `
  SELECT examiners::json AS examiners, count::int FROM (
    SELECT examiners::text AS examiners, count(*) AS count FROM scenario_runs
    WHERE test_run_id = $1 AND examiners IS NOT NULL GROUP BY 1
  ) distinct_ones`;

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
  tx: Transaction,
  testRunId: string,
): Promise<{ readonly notable: readonly NotableRow[]; readonly examiners: readonly ExaminersRow[] }> {
  const notable: NotableRow[] = [];
  const examiners: ExaminersRow[] = [];
  for (let last = 0; ;) {
    const rows = await tx.query<OlderRow>(OLDER, [testRunId, last]);
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
