import { Injectable } from '@nestjs/common';
import type { RunEvent } from '../../../machines/run-events';
import { sentenceWithin } from '../../../machines/sentence';
import { isFinalTestRun, type FinalTestRunStatus, type TestRunStatus } from '../../../machines/statuses';
import type { Finished, Started } from '../../../machines/test-run.machine';
import { CommittedEvents } from './committed-events';
import type { Connections } from '../connections';
import { Database, type Transaction } from '../database';
import { LEASE_SECONDS } from './lease';
import { countScenarioRuns } from './run-counts';
import { failOverdue } from './overdue-run';
import { endOf, callOff } from './run-end';
import { RunLimits, TooManyScheduledRuns } from '../run-limits';
import { MAX_FAILED_SUPERVISIONS } from './attempt-limit';
import { appendEvents, lockRuns, type LockedRun } from './run-log';

export interface NewTestRun {
  readonly id: string;
  readonly label: string;
  readonly name: string | null;
  readonly agent: { readonly id: string; readonly name: string; readonly provider: string };
  readonly testSuiteId: string | null;
  readonly scenarioIds: readonly string[];
  readonly maxTurns: number;
  readonly concurrencyLimit: number;
  readonly passThreshold: number;
  /** ISO 8601; null starts the run at once. */
  readonly scheduledAt: string | null;
  /** The process that supervises it. */
  readonly owner: string;
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

export type CancelOutcome =
  | { readonly kind: 'canceled'; readonly testRunId: string; readonly canceledScenarios: number }
  | { readonly kind: 'alreadyFinal'; readonly status: FinalTestRunStatus }
  | { readonly kind: 'unknown' };

export interface Supervision {
  readonly testRunId: string;
  readonly owner: string;
  readonly attempt: number;
}

/** Any number that nothing else in the database uses. */
const SCHEDULING_LOCK = 7_265_117;

/** Writes test runs: each change and the event that tells of it in one transaction. */
@Injectable()
export class TestRunLedger {
  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
    private readonly limits: RunLimits,
  ) {}

  /**
   * Stores the run, its scenario runs and its first event; the creating process owns it. Safe to repeat when the answer was lost.
   * @throws TooManyScheduledRuns
   */
  async create(run: NewTestRun): Promise<SupervisionClaim> {
    const status: TestRunStatus = run.scheduledAt === null ? 'running' : 'scheduled';
    return this.writing(this.database, async (tx) => {
      const stored = await tx.query(
        `INSERT INTO test_runs (id, label, name, status, agent_id, agent_name, agent_provider, test_suite_id,
           total_scenarios, max_turns, concurrency_limit, pass_threshold, scheduled_at, started_at, attempt, owner,
           heartbeat_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                 CASE WHEN $4 = 'running' THEN now() END, 1, $14, now())
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        [
          run.id,
          run.label,
          run.name,
          status,
          run.agent.id,
          run.agent.name,
          run.agent.provider,
          run.testSuiteId,
          run.scenarioIds.length,
          run.maxTurns,
          run.concurrencyLimit,
          run.passThreshold,
          run.scheduledAt,
          run.owner,
        ],
      );
      if (stored.length === 0) return { events: [], result: await claimOfStored(tx, run, status) };
      if (status === 'scheduled') await this.checkScheduled(tx);
      const rows = await tx.query<{ id: string; position: number }>(
        `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, scenario_name, scenario)
         SELECT gen_random_uuid(), $1, s.id, chosen.position, s.name,
                json_build_object('name', s.name, 'content', s.content, 'rubric_criteria', s.rubric_criteria)
         FROM unnest($2::uuid[]) WITH ORDINALITY AS chosen(id, position) JOIN scenarios s ON s.id = chosen.id
         RETURNING id, position`,
        [run.id, run.scenarioIds],
      );
      const total = rows.length;
      if (total !== run.scenarioIds.length) {
        // Scenarios are only ever marked inactive, so each chosen id has a row.
        throw new Error('A chosen scenario vanished while the run was stored.');
      }
      const events = await appendEvents(tx, run.id, [
        {
          type: status === 'running' ? 'test_run_started' : 'test_run_scheduled',
          total_scenarios: total,
          scenarios_launched: status === 'running' ? total : 0,
        },
      ]);
      const unsettled = rows.sort((a, b) => a.position - b.position).map((row) => row.id);
      return { events, result: firstClaim(run, status, unsettled) };
    });
  }

  /** A scheduled run is due: it runs now, or has failed when that is noticed too late. Safe to repeat. */
  async start(supervision: Supervision): Promise<Started> {
    return this.writing<Started>(this.database.engine, async (tx) => {
      const run = await lockSupervised(tx, supervision);
      if (typeof run === 'string') return { events: [], result: { kind: run } };
      if (run.status === 'running') return { events: [], result: { kind: 'started' } };
      const failed = await failOverdue(tx, run, this.limits.graceSeconds);
      if (failed !== null) return { events: failed, result: { kind: 'failed' } };
      await tx.query(`UPDATE test_runs SET status = 'running', started_at = now() WHERE id = $1`, [run.id]);
      const { total } = await countScenarioRuns(tx, run.id);
      const events = await appendEvents(tx, run.id, [
        { type: 'test_run_started', total_scenarios: total, scenarios_launched: total },
      ]);
      return { events, result: { kind: 'started' } };
    });
  }

  /** Ends the run when every scenario run is final; otherwise names those that are not. Safe to repeat. */
  async finish(supervision: Supervision): Promise<Finished> {
    return this.writing<Finished>(this.database.engine, async (tx) => {
      const run = await lockSupervised(tx, supervision);
      if (run === 'superseded') return { events: [], result: { kind: 'superseded' } };
      if (run === 'canceled') return { events: [], result: { kind: 'finished', status: 'canceled' } };
      const scenarioRunIds = await findUnsettled(tx, run.id);
      if (scenarioRunIds.length > 0) return { events: [], result: { kind: 'unsettled', scenarioRunIds } };
      const counts = await countScenarioRuns(tx, run.id);
      // A run in which nothing was graded says nothing about the agent: it failed, it did not complete.
      const status = counts.passed + counts.failed > 0 ? 'completed' : 'failed';
      await tx.query(
        `UPDATE test_runs SET status = $2, completed_at = now(), owner = NULL, error_message = $3 WHERE id = $1`,
        [run.id, status, status === 'failed' ? await reasonOfFailure(tx, run.id) : null],
      );
      const type = status === 'completed' ? 'test_run_complete' : 'test_run_failed';
      const events = await appendEvents(tx, run.id, [endOf(type, counts)]);
      return { events, result: { kind: 'finished', status } };
    });
  }

  /** Cancels the run and everything of it that is not final. When this resolves the cancellation is stored. */
  async cancel(testRunId: string): Promise<CancelOutcome> {
    return this.writing<CancelOutcome>(this.database, async (tx) => {
      const run = (await lockRuns(tx, [testRunId])).get(testRunId);
      if (run === undefined) return { events: [], result: { kind: 'unknown' } };
      if (isFinalTestRun(run.status)) return { events: [], result: { kind: 'alreadyFinal', status: run.status } };
      await tx.query(
        `UPDATE test_runs SET status = 'canceled', canceled_at = now(), completed_at = now(), owner = NULL WHERE id = $1`,
        [testRunId],
      );
      const { events, canceled } = await callOff(tx, run, 'test_run_canceled');
      return { events, result: { kind: 'canceled', testRunId, canceledScenarios: canceled } };
    });
  }

  /** Removes the run with its scenario runs, turns and events. False when there is none. */
  async delete(testRunId: string): Promise<boolean> {
    const rows = await this.database.query<{ id: string }>('DELETE FROM test_runs WHERE id = $1 RETURNING id', [
      testRunId,
    ]);
    return rows.length > 0;
  }

  /** Takes over runs that nobody supervises: their process died or gave them back. */
  async adopt(owner: string, limit: number): Promise<readonly SupervisionClaim[]> {
    return this.database.engine.transaction(async (tx) => {
      const rows = await tx.query<{
        id: string;
        attempt: number;
        status: TestRunStatus;
        scheduled_at: Date | null;
        concurrency_limit: number;
      }>(
        `UPDATE test_runs SET owner = $1, attempt = attempt + 1, heartbeat_at = now()
         WHERE id IN (
           SELECT id FROM test_runs WHERE status IN ('scheduled', 'pending', 'running')
             AND (owner IS NULL OR heartbeat_at < now() - make_interval(secs => $2))
             AND failed_supervisions < $4
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
    });
  }

  /** Lets another process supervise the run at once. */
  async handBack({ testRunId, owner, attempt }: Supervision): Promise<void> {
    await this.database.engine.query(
      'UPDATE test_runs SET owner = NULL WHERE id = $1 AND owner = $2 AND attempt = $3',
      [testRunId, owner, attempt],
    );
  }

  /** One at a time, so that those who come together do not all count the same. */
  private async checkScheduled(tx: Transaction): Promise<void> {
    const { mostScheduled } = this.limits;
    await tx.query('SELECT pg_advisory_xact_lock($1)', [SCHEDULING_LOCK]);
    const [row] = await tx.query<{ scheduled: number }>(
      `SELECT count(*)::int AS scheduled FROM test_runs WHERE status = 'scheduled'`,
    );
    if ((row?.scheduled ?? 0) > mostScheduled) throw new TooManyScheduledRuns(mostScheduled);
  }

  private async writing<Result>(
    connections: Pick<Connections, 'transaction'>,
    work: (tx: Transaction) => Promise<{ events: readonly RunEvent[]; result: Result }>,
  ): Promise<Result> {
    const { events, result } = await connections.transaction(work);
    this.committed.tell(events);
    return result;
  }
}

function firstClaim(run: NewTestRun, status: TestRunStatus, unsettled: readonly string[]): SupervisionClaim {
  const { id: testRunId, scheduledAt, concurrencyLimit } = run;
  return { testRunId, attempt: 1, status, scheduledAt, concurrencyLimit, unsettled };
}

/** Of a run that an earlier try has stored after all, moments ago: nobody else knows it yet. */
async function claimOfStored(tx: Transaction, run: NewTestRun, status: TestRunStatus): Promise<SupervisionClaim> {
  const rows = await tx.query<{ id: string }>('SELECT id FROM scenario_runs WHERE test_run_id = $1 ORDER BY position', [
    run.id,
  ]);
  return firstClaim(
    run,
    status,
    rows.map(({ id }) => id),
  );
}

async function lockSupervised(
  tx: Transaction,
  supervision: Supervision,
): Promise<LockedRun | 'superseded' | 'canceled'> {
  const run = (await lockRuns(tx, [supervision.testRunId])).get(supervision.testRunId);
  if (run === undefined || run.status === 'canceled') return 'canceled';
  if (run.attempt !== supervision.attempt || run.owner !== supervision.owner) return 'superseded';
  return run;
}

async function findUnsettled(tx: Transaction, testRunId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM scenario_runs WHERE test_run_id = $1 AND status IN ('pending', 'running', 'grading')
     ORDER BY position`,
    [testRunId],
  );
  return rows.map((row) => row.id);
}

/** One sentence: the errors' common message, or the most frequent one and how many there were. */
async function reasonOfFailure(tx: Transaction, testRunId: string): Promise<string> {
  const rows = await tx.query<{ error_message: string | null; count: number }>(
    `SELECT error_message, count(*)::int AS count FROM scenario_runs
     WHERE test_run_id = $1 AND status = 'error' GROUP BY error_message ORDER BY count DESC, error_message LIMIT 2`,
    [testRunId],
  );
  const [first, second] = rows;
  const message = first?.error_message ?? 'No scenario could be run.';
  return sentenceWithin(
    second === undefined ? message : `Every scenario run ended in an error, most often: ${message}`,
  );
}
