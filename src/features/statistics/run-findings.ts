import { patientName, type ErrorCode, type PatientProfile, type ScenarioRunStatus } from '../../domain';
import type { Examiners, Findings } from '../../engine/ledger';
import type { Queryable } from '../../platform/database';

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
  /** Null before they have ended, and where they ended without being examined. */
  readonly examiners: Examiners | null;
  readonly count: number;
}

interface HeldEnding extends Ending {
  /** The different patients of them. */
  readonly patients: readonly Pick<PatientProfile, 'style' | 'language'>[];
}

/** What stands out in a run beside pass and fail, and who examined. */
export async function readFindings(
  database: Queryable,
  testRunId: string,
): Promise<RunFindings & { readonly endings: readonly Ending[] }> {
  const [endings, notable] = await Promise.all([
    database.query<Ending>(ENDINGS, [testRunId]),
    database.query<NotableRun>(NOTABLE, [testRunId]),
  ]);
  return { notable, examiners: mostOftenFirst(endings), endings };
}

/** Who examined in a run, and the names of the patients in alphabetical order. */
export async function readParticipants(
  database: Queryable,
  testRunId: string,
): Promise<Pick<RunFindings, 'examiners'> & { readonly patients: readonly string[] }> {
  const endings = await database.query<HeldEnding>(HELD, [testRunId]);
  const names = new Set(endings.flatMap(({ patients }) => patients.map(patientName)));
  return { examiners: mostOftenFirst(endings), patients: [...names].sort() };
}

const NOTABLE = `
  SELECT id, scenario_id, scenario_name, trial, status, findings FROM scenario_runs
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

const HELD = `
  SELECT status, error_code, examiners::json AS examiners, patients, count::int FROM (
    SELECT status, error_code, examiners, json_agg(patient::json) AS patients, sum(count) AS count FROM (
      SELECT status, error_code, examiners::text AS examiners, patient::text AS patient, count(*) AS count FROM scenario_runs
      WHERE test_run_id = $1 GROUP BY 1, 2, 3, 4
    ) held GROUP BY 1, 2, 3
  ) alike ORDER BY count DESC, examiners COLLATE "C"`;

function mostOftenFirst(rows: readonly Pick<Ending, 'examiners' | 'count'>[]): Examiners[] {
  const counts = new Map<string, ExaminersRow>();
  for (const { examiners, count } of rows) {
    if (examiners === null) continue;
    const key = JSON.stringify(examiners);
    counts.set(key, { examiners, count: (counts.get(key)?.count ?? 0) + count });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count).map(({ examiners }) => examiners);
}

/** One connection for statements that their caller sends side by side: each waits for the one before, as the driver asks for. */
export function queuedStatements(connection: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: <Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> => {
      const answered = last.then(() => connection.query<Row>(sql, params));
      last = answered.catch(() => undefined);
      return answered;
    },
  };
}
