import type { Counts } from '../../domain/run-events';
import type { Queryable } from '../../platform/database/database';

const NO_COUNTS: Counts = { passed: 0, failed: 0, error: 0, canceled: 0, total: 0 };

/** How the scenario runs of a run stand now, counted from their rows (invariant 4). */
export async function countScenarioRuns(db: Queryable, testRunId: string): Promise<Counts> {
  const [counts] = await db.query<Counts>(
    `SELECT count(*) FILTER (WHERE status = 'passed')::int AS passed,
            count(*) FILTER (WHERE status = 'failed')::int AS failed,
            count(*) FILTER (WHERE status = 'error')::int AS error,
            count(*) FILTER (WHERE status = 'canceled')::int AS canceled,
            count(*)::int AS total
     FROM scenario_runs WHERE test_run_id = $1`,
    [testRunId],
  );
  return counts ?? NO_COUNTS;
}

/** passed / total × 100, one decimal more than a percentage needs; 0 for a run without scenarios. */
export function passRateOf({ passed, total }: Pick<Counts, 'passed' | 'total'>): number {
  return total === 0 ? 0 : Math.round((passed / total) * 10_000) / 100;
}
