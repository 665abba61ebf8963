import { Injectable } from '@nestjs/common';
import type { UpdateRunRequest } from '../../../contract/test-runs';
import type { Finished, Started } from '../../../machines';
import { type RunEvent, sentenceWithin, isFinalTestRun, type FinalTestRunStatus } from '../../domain';
import { type Connections, ALONE, type WriteWith, Database, type Transaction } from '../../platform/database';
import { storableText, toStorableJson } from '../../platform/storable-text';
import { CommittedEvents, appendEvents, lockRun, type LockedRun } from './run-log';
import { storeDerivedRun, type NewDerivedRun } from './derived-run';
import { storeImportedRun, type NewImportedRun } from './imported-run';
import { storeNewRunSet, type NewRunSet } from './new-run-set';
import { storeNewRun, type NewTestRun, RunLimits } from './new-test-run';
import { countScenarioRuns, callOff, endOf } from './run-end';
import { adoptRuns, findUnsettled, lockSupervised, type Supervision, type SupervisionClaim } from './supervision';

/**
 * Fails a locked run that still waits for its time when that lies too far back: no client expects it any more, and the agent that
 * it was meant for may have changed by now. Null when it is in time.
 */
async function failOverdue(tx: Transaction, run: LockedRun, graceSeconds: number): Promise<readonly RunEvent[] | null> {
  const [overdue] = await tx.query<{ scheduled_at: Date; late_seconds: number }>(
    `SELECT scheduled_at, extract(epoch FROM now() - scheduled_at)::float8 AS late_seconds FROM test_runs
     WHERE id = $1 AND status = 'scheduled' AND scheduled_at < now() - make_interval(secs => $2)`,
    [run.id, graceSeconds],
  );
  if (overdue === undefined) return null;
  const { scheduled_at, late_seconds } = overdue;
  await tx.query(
    `UPDATE test_runs SET status = 'failed', completed_at = now(), owner = NULL, error_message = $2 WHERE id = $1`,
    [
      run.id,
      `This run was scheduled for ${scheduled_at.toISOString()}, when the service could not start it. ` +
        `It was found ${inWords(late_seconds)} later; SCHEDULE_GRACE allows ${inWords(graceSeconds)}, so it was not started.`,
    ],
  );
  return (await callOff(tx, run, 'test_run_failed')).events;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `26 hours`: in the largest unit of which there are at least two. */
function inWords(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ['second', 1];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export type CancelOutcome =
  | { readonly kind: 'canceled'; readonly testRunId: string; readonly canceledScenarios: number }
  | { readonly kind: 'alreadyFinal'; readonly status: FinalTestRunStatus }
  | { readonly kind: 'unknown' };

/** Writes test runs: each change and its event in one transaction. */
@Injectable()
export class TestRunLedger {
  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
    private readonly limits: RunLimits,
  ) {}

  /**
   * Stores the run, its scenario runs and its first event; the creating process owns it. Safe to repeat when the answer was lost.
   * @param also is written with it
   * @param claim is written before it, in the same transaction: what it throws leaves nothing stored
   * @throws TooManyScheduledRuns, ScenarioVanished, TwinGone
   */
  async create(
    run: NewTestRun,
    also: WriteWith<SupervisionClaim> = ALONE,
    claim: (tx: Transaction) => Promise<void> = ALONE,
  ): Promise<SupervisionClaim> {
    return this.writing(this.database, async (tx) => {
      await claim(tx);
      const stored = await storeNewRun(tx, run, this.limits.mostScheduled);
      await also(tx, stored.result);
      return stored;
    });
  }

  /**
   * Stores a set with all of its runs, or nothing; the creating process owns them. Safe to repeat when the answer was lost.
   * @throws TooManyScheduledRuns, ScenarioVanished
   */
  async createSet(
    set: NewRunSet,
    also: WriteWith<readonly SupervisionClaim[]> = ALONE,
  ): Promise<readonly SupervisionClaim[]> {
    return this.writing(this.database, async (tx) => {
      const stored = await storeNewRunSet(tx, set, this.limits.mostScheduled);
      await also(tx, stored.result);
      return stored;
    });
  }

  /** Stores a run that begins from the rows of another. Safe to repeat when the answer was lost. @throws SourceGone */
  async derive(run: NewDerivedRun, also: WriteWith<SupervisionClaim> = ALONE): Promise<SupervisionClaim> {
    return this.writing(this.database, async (tx) => {
      const stored = await storeDerivedRun(tx, run);
      await also(tx, stored.result);
      return stored;
    });
  }

  /** Stores a run of conversations that were held elsewhere. Safe to repeat when the answer was lost. */
  async importRun(run: NewImportedRun, also: WriteWith<SupervisionClaim> = ALONE): Promise<SupervisionClaim> {
    return this.writing(this.database, async (tx) => {
      const stored = await storeImportedRun(tx, run);
      await also(tx, stored.result);
      return stored;
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
    return this.writing<CancelOutcome>(this.database, (tx) => cancelIn(tx, testRunId));
  }

  /** The same for several runs, all or none; by their ids. */
  async cancelAll(testRunIds: readonly string[]): Promise<ReadonlyMap<string, CancelOutcome>> {
    return this.writing<ReadonlyMap<string, CancelOutcome>>(this.database, async (tx) => {
      const events: RunEvent[] = [];
      const result = new Map<string, CancelOutcome>();
      // In the order in which every writer locks several runs.
      for (const id of [...testRunIds].sort()) {
        const canceled = await cancelIn(tx, id);
        events.push(...canceled.events);
        result.set(id, canceled.result);
      }
      return { events, result };
    });
  }

  /** Ends a run that no process can go on with; `why` is its error. Answers what it canceled: nothing when the run is final already. */
  async abandon(testRunId: string, why: string): Promise<readonly string[]> {
    return this.writing<readonly string[]>(this.database.engine, async (tx) => {
      const run = await lockRun(tx, testRunId);
      if (run === undefined || isFinalTestRun(run.status)) return { events: [], result: [] };
      await tx.query(
        `UPDATE test_runs SET status = 'failed', completed_at = now(), owner = NULL, error_message = $2 WHERE id = $1`,
        [testRunId, storableText(why)],
      );
      const { events, canceled } = await callOff(tx, run, 'test_run_failed');
      return { events, result: canceled };
    });
  }

  /** Changes the annotations of a run; those that are left out stay. False when there is no such run. */
  async annotate(testRunId: string, changed: UpdateRunRequest): Promise<boolean> {
    const columns = Object.entries(changed).flatMap(([column, value]) => (value === undefined ? [] : [column]));
    // With the id, which stays the same, an empty change is a statement too, and tells whether there is such a run.
    const changes = ['id', ...columns].join(', ');
    const rows = await this.database.query<{ id: string }>(
      `UPDATE test_runs SET (${changes}) = (SELECT ${changes} FROM json_populate_record(NULL::test_runs, $2))
       WHERE id = $1 AND calibrated_judge IS NULL RETURNING id`,
      [testRunId, toStorableJson({ ...changed, id: testRunId })],
    );
    return rows.length > 0;
  }

  /**
   * Removes the run. Its scenario runs, turns and events are not found any more, and are deleted in pieces later. False when
   * there is none.
   */
  async delete(testRunId: string): Promise<boolean> {
    const rows = await this.database.query<{ id: string }>(
      `WITH examiners AS (DELETE FROM run_examiners WHERE test_run_id = $1)
       DELETE FROM test_runs WHERE id = $1 RETURNING id`,
      [testRunId],
    );
    return rows.length > 0;
  }

  /** Takes over runs without a supervisor: their process died or gave them back. */
  async adopt(owner: string, limit: number): Promise<readonly SupervisionClaim[]> {
    return this.database.engine.transaction((tx) => adoptRuns(tx, owner, limit));
  }

  /** Lets another process supervise the run at once. */
  async release({ testRunId, owner, attempt }: Supervision): Promise<void> {
    await this.database.engine.query(
      'UPDATE test_runs SET owner = NULL WHERE id = $1 AND owner = $2 AND attempt = $3',
      [testRunId, owner, attempt],
    );
  }

  private async writing<Result>(
    connections: Pick<Connections, 'transaction'>,
    work: (tx: Transaction) => Promise<{ events: readonly RunEvent[]; result: Result }>,
  ): Promise<Result> {
    const { events, result } = await connections.transaction(work);
    this.committed.publish(events);
    return result;
  }
}

async function cancelIn(
  tx: Transaction,
  testRunId: string,
): Promise<{ readonly events: readonly RunEvent[]; readonly result: CancelOutcome }> {
  const run = await lockRun(tx, testRunId);
  if (run === undefined) return { events: [], result: { kind: 'unknown' } };
  if (isFinalTestRun(run.status)) return { events: [], result: { kind: 'alreadyFinal', status: run.status } };
  await tx.query(
    `UPDATE test_runs SET status = 'canceled', canceled_at = now(), completed_at = now(), owner = NULL WHERE id = $1`,
    [testRunId],
  );
  const { events, canceled } = await callOff(tx, run, 'test_run_canceled');
  return { events, result: { kind: 'canceled', testRunId, canceledScenarios: canceled.length } };
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
