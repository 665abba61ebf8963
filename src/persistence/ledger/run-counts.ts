import type { Counts } from '../../../machines/run-events';
import type { Queryable } from '../database';

export const NO_COUNTS: Counts = { passed: 0, failed: 0, error: 0, canceled: 0, total: 0 };

/** How the scenario runs of each run stand now, counted from their rows (invariant 4). */
export async function countScenarioRuns(db: Queryable, testRunIds: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await db.query<Counts & { test_run_id: string }>(
    `SELECT test_run_id,
            count(*) FILTER (WHERE status = 'passed')::int AS passed,
            count(*) FILTER (WHERE status = 'failed')::int AS failed,
            count(*) FILTER (WHERE status = 'error')::int AS error,
            count(*) FILTER (WHERE status = 'canceled')::int AS canceled,
            count(*)::int AS total
     FROM scenario_runs WHERE test_run_id = ANY($1::uuid[]) GROUP BY test_run_id`,
    [testRunIds],
  );
  return new Map(rows.map(({ test_run_id, ...counts }) => [test_run_id, counts]));
}

/** passed / total × 100, one decimal more than a percentage needs; 0 for a run without scenarios. */
export function passRateOf({ passed, total }: Counts): number {
  return total === 0 ? 0 : Math.round((passed / total) * 10_000) / 100;
}
