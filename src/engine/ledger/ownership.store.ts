import { Injectable } from '@nestjs/common';
import type { ScenarioRunStatus } from '../../domain';
import { Database, isLockedOut } from '../../platform/database';
import { FRESH_HEARTBEAT_SECONDS, LEASE_SECONDS } from './lease';

export interface Standing {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  readonly status: ScenarioRunStatus;
  readonly attempt: number;
  /** No process executes it: it was never claimed, was released, or its owner's lease ran out. */
  readonly isUnowned: boolean;
}

/** One execution of a scenario run. */
export interface OwnedAttempt {
  readonly scenarioRunId: string;
  readonly attempt: number;
}

/** How long the lock of a test run is waited for. */
const RENEWAL_WAIT_MS = 500;

/** Without the end of its subquery. */
const RENEW_TEST_RUNS = `
  UPDATE test_runs SET heartbeat_at = now() WHERE id IN (
    SELECT id FROM test_runs
    WHERE id = ANY($2::uuid[]) AND owner = $1 AND status IN ('scheduled', 'pending', 'running')
    ORDER BY id FOR UPDATE`;

/** The owners of rows: heartbeats, lost leases and what waits for an owner. All times are the database's. */
@Injectable()
export class OwnershipStore {
  constructor(private readonly database: Database) {}

  /**
   * Renews the heartbeats of what the process has actors for. A scenario run that another transaction is writing just now
   * is passed over: that write renews it. Writers lock a test run for every turn without renewing it, so we wait for those
   * that are locked, for each by itself and not for long: a deletion may hold one of them for many seconds.
   */
  async renew(owner: string, attempts: readonly OwnedAttempt[], testRunIds: readonly string[]): Promise<void> {
    if (attempts.length > 0) {
      await this.database.engine.query(
        `UPDATE scenario_runs SET heartbeat_at = now() WHERE id IN (
           SELECT s.id FROM unnest($2::uuid[], $3::int[]) AS live(id, attempt)
           JOIN scenario_runs s ON s.id = live.id AND s.attempt = live.attempt
           WHERE s.owner = $1 AND s.status IN ('pending', 'running', 'grading')
             AND s.heartbeat_at < now() - make_interval(secs => $4)
           FOR UPDATE OF s SKIP LOCKED)`,
        [
          owner,
          attempts.map(({ scenarioRunId }) => scenarioRunId),
          attempts.map(({ attempt }) => attempt),
          FRESH_HEARTBEAT_SECONDS,
        ],
      );
    }
    if (testRunIds.length === 0) return;
    const renewed = await this.database.engine.query<{ id: string }>(`${RENEW_TEST_RUNS} SKIP LOCKED) RETURNING id`, [
      owner,
      testRunIds,
    ]);
    const passedOver = new Set(testRunIds);
    for (const { id } of renewed) passedOver.delete(id);
    await Promise.all([...passedOver].map((id) => this.renewLocked(owner, id)));
  }

  private async renewLocked(owner: string, testRunId: string): Promise<void> {
    const renewal = this.database.engine.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${RENEWAL_WAIT_MS}`);
      await tx.query(`${RENEW_TEST_RUNS})`, [owner, [testRunId]]);
    });
    // The next beat tries again, long before the lease runs out.
    await renewal.catch((error: unknown) => {
      if (!isLockedOut(error)) throw error;
    });
  }

  /** The given attempts that this process no longer owns, with the reason. */
  async findLostAttempts(
    owner: string,
    attempts: readonly OwnedAttempt[],
  ): Promise<readonly (OwnedAttempt & { readonly isCanceled: boolean })[]> {
    if (attempts.length === 0) return [];
    const rows = await this.database.engine.query<{ id: string; attempt: number; is_canceled: boolean }>(
      `SELECT live.id, live.attempt, COALESCE(s.status = 'canceled', true) AS is_canceled
       FROM unnest($1::uuid[], $2::int[]) AS live(id, attempt)
       LEFT JOIN scenario_runs s ON s.id = live.id
       WHERE s.id IS NULL OR s.status = 'canceled' OR s.attempt <> live.attempt OR s.owner IS DISTINCT FROM $3`,
      [attempts.map(({ scenarioRunId }) => scenarioRunId), attempts.map(({ attempt }) => attempt), owner],
    );
    return rows.map((row) => ({ scenarioRunId: row.id, attempt: row.attempt, isCanceled: row.is_canceled }));
  }

  /** The given runs that were canceled or deleted in the meantime. */
  async findCanceledRuns(testRunIds: readonly string[]): Promise<readonly string[]> {
    if (testRunIds.length === 0) return [];
    const rows = await this.database.engine.query<{ id: string }>(
      `SELECT live.id FROM unnest($1::uuid[]) AS live(id) LEFT JOIN test_runs t ON t.id = live.id
       WHERE t.id IS NULL OR t.status = 'canceled'`,
      [testRunIds],
    );
    return rows.map((row) => row.id);
  }

  /** How the given scenario runs stand; a deleted one is missing from the answer. */
  async findStanding(scenarioRunIds: readonly string[]): Promise<readonly Standing[]> {
    if (scenarioRunIds.length === 0) return [];
    const rows = await this.database.engine.query<{
      id: string;
      test_run_id: string;
      status: ScenarioRunStatus;
      attempt: number;
      is_unowned: boolean;
    }>(
      `SELECT id, test_run_id, status, attempt,
              (owner IS NULL OR heartbeat_at < now() - make_interval(secs => $2)) AS is_unowned
       FROM scenario_runs WHERE id = ANY($1::uuid[])`,
      [scenarioRunIds, LEASE_SECONDS],
    );
    return rows.map((row) => ({
      scenarioRunId: row.id,
      testRunId: row.test_run_id,
      status: row.status,
      attempt: row.attempt,
      isUnowned: row.is_unowned,
    }));
  }

  /** How long until a time, by the database's clock: the clocks of the processes need not agree. */
  async millisecondsUntil(time: string): Promise<number> {
    const [row] = await this.database.engine.query<{ remaining: number }>(
      'SELECT (extract(epoch FROM $1::timestamptz - clock_timestamp()) * 1000)::float8 AS remaining',
      [time],
    );
    return row?.remaining ?? 0;
  }

  /** Gives up every claim of every process. Only for a database that this process has to itself. */
  async releaseAll(): Promise<void> {
    await this.database.engine.query(
      `UPDATE scenario_runs SET owner = NULL WHERE owner IS NOT NULL AND status IN ('pending', 'running', 'grading')`,
      [],
    );
    await this.database.engine.query(
      `UPDATE test_runs SET owner = NULL WHERE owner IS NOT NULL AND status IN ('scheduled', 'pending', 'running')`,
      [],
    );
  }
}
