import type { Counts, RunEvent } from '../../domain';
import type { Transaction, Queryable } from '../../platform/database';
import { type EventDraft, appendEvents, type LockedRun } from './run-log';

type EndType = 'test_run_complete' | 'test_run_failed' | 'test_run_canceled';

/** The last event of a run. */
export function endOf(type: EndType, counts: Counts): EventDraft {
  return {
    type,
    passed_count: counts.passed,
    failed_count: counts.failed,
    error_count: counts.error,
    canceled_count: counts.canceled,
    pass_rate: passRateOf(counts),
  };
}

/** Cancels everything of a locked run that is not final, and logs that and the end of the run, whose row the caller writes. */
export async function callOff(
  tx: Transaction,
  run: LockedRun,
  type: EndType,
): Promise<{ readonly canceled: readonly string[]; readonly events: readonly RunEvent[] }> {
  const canceled = await tx.query<{ id: string }>(
    `UPDATE scenario_runs SET status = 'canceled', canceled_at = now(), completed_at = now(), owner = NULL
     WHERE test_run_id = $1 AND status IN ('pending', 'running', 'grading') RETURNING id`,
    [run.id],
  );
  const events = await appendEvents(tx, run.id, [
    ...canceled.map(({ id }): EventDraft => ({ type: 'scenario_canceled', scenario_run_id: id })),
    endOf(type, await countScenarioRuns(tx, run.id)),
  ]);
  return { canceled: canceled.map(({ id }) => id), events };
}

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
