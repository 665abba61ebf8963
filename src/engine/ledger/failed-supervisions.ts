import { Injectable } from '@nestjs/common';
import { isFinalTestRun } from '../../domain';
import { MAX_FAILED_SUPERVISIONS, LEASE_SECONDS } from './lease';
import { CommittedEvents, type EventDraft, appendEvents, lockRun, type LockedRun } from './run-log';
import { Database, type Transaction } from '../../platform/database';
import { countScenarioRuns, endOf } from './run-end';
import type { Supervision } from './supervision';

const ERROR_CODE = 'internal';
const ERROR_MESSAGE = `Given up after ${MAX_FAILED_SUPERVISIONS} failures to carry the run on; the service's log names the run and the cause.`;

/** Runs ended in one round. */
const ENDED_AT_ONCE = 20;

/** Counts how often the supervision of a run failed, and ends the run that fails again and again (invariant 10). */
@Injectable()
export class FailedSupervisions {
  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
  ) {}

  /** Lets another process, or this one, try again. */
  async note({ testRunId, owner, attempt }: Supervision): Promise<void> {
    await this.database.engine.query(
      `UPDATE test_runs SET owner = NULL, failed_supervisions = failed_supervisions + 1
       WHERE id = $1 AND owner = $2 AND attempt = $3`,
      [testRunId, owner, attempt],
    );
  }

  /** Runs that failed too often and have no supervisor. */
  async find(): Promise<readonly string[]> {
    const rows = await this.database.engine.query<{ id: string }>(
      `SELECT id FROM test_runs WHERE status IN ('scheduled', 'pending', 'running') AND failed_supervisions >= $1
         AND (owner IS NULL OR heartbeat_at < now() - make_interval(secs => $2))
       ORDER BY created_at LIMIT $3`,
      [MAX_FAILED_SUPERVISIONS, LEASE_SECONDS, ENDED_AT_ONCE],
    );
    return rows.map(({ id }) => id);
  }

  /** Ends the run as failed, and what is not final of it in an error. False when it is final already. */
  async end(testRunId: string): Promise<boolean> {
    const { events, isEnded } = await this.database.transaction(async (tx) => {
      const run = await lockRun(tx, testRunId);
      if (run === undefined || isFinalTestRun(run.status)) return { events: [], isEnded: false };
      const errors = await endScenarioRuns(tx, run);
      await tx.query(
        `UPDATE test_runs SET status = 'failed', completed_at = now(), owner = NULL, error_message = $2 WHERE id = $1`,
        [testRunId, ERROR_MESSAGE],
      );
      const end = endOf('test_run_failed', await countScenarioRuns(tx, testRunId));
      return { events: await appendEvents(tx, testRunId, [...errors, end]), isEnded: true };
    });
    this.committed.publish(events);
    return isEnded;
  }
}

async function endScenarioRuns(tx: Transaction, { id }: LockedRun): Promise<EventDraft[]> {
  const ended = await tx.query<{ id: string }>(
    `UPDATE scenario_runs SET status = 'error', completed_at = now(), owner = NULL, error_code = $2, error_message = $3
     WHERE test_run_id = $1 AND status IN ('pending', 'running', 'grading') RETURNING id`,
    [id, ERROR_CODE, ERROR_MESSAGE],
  );
  return ended.map((row) => ({
    type: 'scenario_error',
    scenario_run_id: row.id,
    error_code: ERROR_CODE,
    error: ERROR_MESSAGE,
  }));
}
