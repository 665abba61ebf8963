import type { TestRunStatus } from '../../domain';
import type { Transaction } from '../../platform/database';
import { MAX_FAILED_SUPERVISIONS, LEASE_SECONDS } from './lease';
import { lockRun, type LockedRun } from './run-log';

/** Names one supervision of a test run; every write of the supervisor carries it and is refused when it is stale. */
export interface Supervision {
  readonly testRunId: string;
  readonly owner: string;
  readonly attempt: number;
}

/** What a process needs to supervise a run. */
export interface SupervisionClaim {
  readonly testRunId: string;
  readonly attempt: number;
  readonly status: TestRunStatus;
  readonly scheduledAt: string | null;
  readonly concurrencyLimit: number;
  /** Scenario runs that are not final, in order. */
  readonly unsettled: readonly string[];
}

/** Of a row of processes `p`: it has the judge that the run `t` calibrates. */
const HAS_ITS_JUDGE = `p.judges @> jsonb_build_array(t.calibrated_judge || jsonb_build_object('asked', t.judge_model))`;

/**
 * Takes over runs that have no supervisor. Work reaches the processes that hear the supervisor: one that calibrates a judge is left to
 * a process that has this judge, until for the time of a lease there has been none.
 */
export async function adoptRuns(tx: Transaction, owner: string, limit: number): Promise<readonly SupervisionClaim[]> {
  const rows = await tx.query<{
    id: string;
    attempt: number;
    status: TestRunStatus;
    scheduled_at: Date | null;
    concurrency_limit: number;
  }>(
    `UPDATE test_runs SET owner = $1, attempt = attempt + 1, heartbeat_at = now()
     WHERE id IN (
       SELECT id FROM test_runs t WHERE status IN ('scheduled', 'pending', 'running')
         AND (owner IS NULL OR heartbeat_at < now() - make_interval(secs => $2))
         AND failed_supervisions < $4
         AND (calibrated_judge IS NULL OR EXISTS (SELECT FROM processes p WHERE p.id = $1 AND ${HAS_ITS_JUDGE})
           OR (heartbeat_at < now() - make_interval(secs => $2) AND NOT EXISTS (
             SELECT FROM processes p WHERE p.seen_at > now() - make_interval(secs => $2) AND ${HAS_ITS_JUDGE})))
       ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id, attempt, status, scheduled_at, concurrency_limit`,
    [owner, LEASE_SECONDS, limit, MAX_FAILED_SUPERVISIONS],
  );
  const claims: SupervisionClaim[] = [];
  for (const row of rows) {
    claims.push({
      testRunId: row.id,
      attempt: row.attempt,
      status: row.status,
      scheduledAt: row.scheduled_at?.toISOString() ?? null,
      concurrencyLimit: row.concurrency_limit,
      unsettled: await findUnsettled(tx, row.id),
    });
  }
  return claims;
}

export async function lockSupervised(
  tx: Transaction,
  supervision: Supervision,
): Promise<LockedRun | 'superseded' | 'canceled'> {
  const run = await lockRun(tx, supervision.testRunId);
  if (run === undefined || run.status === 'canceled') return 'canceled';
  if (run.attempt !== supervision.attempt || run.owner !== supervision.owner) return 'superseded';
  return run;
}

/** What is not final of a run, in order. */
export async function findUnsettled(tx: Transaction, testRunId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM scenario_runs WHERE test_run_id = $1 AND status IN ('pending', 'running', 'grading')
     ORDER BY position`,
    [testRunId],
  );
  return rows.map((row) => row.id);
}
