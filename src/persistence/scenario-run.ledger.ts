import { Injectable } from '@nestjs/common';
import type { Counts, RunEvent } from '../../machines/run-events';
import type { ScenarioRunStatus } from '../../machines/statuses';
import { CommittedEvents } from './committed-events';
import { Database, type Transaction } from './database';
import { GroupCommit } from './group-commit';
import { toStorableJson } from './json-text';
import { countScenarioRuns, NO_COUNTS } from './run-counts';
import { appendEvents, lockRuns, type RunEventEntry } from './run-log';
import {
  eventsOf,
  isAlreadyRecorded,
  isOutcome,
  recordOf,
  type ChangeOutcome,
  type ScenarioRunChange,
} from './scenario-run.changes';

/**
 * Writes what actors decided: the change, the turn and the events that tell of it in one transaction, fenced by owner and
 * attempt. Changes of one process that arrive together share a transaction.
 */
@Injectable()
export class ScenarioRunLedger {
  private readonly commits: GroupCommit<ScenarioRunChange, ChangeOutcome>;

  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
  ) {
    this.commits = new GroupCommit(
      (changes) => this.write(changes),
      (error) => !this.database.isUnavailable(error),
    );
  }

  /**
   * Resolves when the change is stored or refused. Safe to repeat when the answer was lost: a change that is already in
   * the row counts as committed.
   * @throws the database's error; ask Database.isUnavailable whether to try again
   */
  record(change: ScenarioRunChange): Promise<ChangeOutcome> {
    return this.commits.submit(change);
  }

  private async write(changes: readonly ScenarioRunChange[]): Promise<ChangeOutcome[]> {
    const { outcomes, events } = await this.database.transaction(async (tx) => {
      const runs = await lockRuns(
        tx,
        changes.map((change) => change.testRunId),
      );
      const applied = await applyChanges(tx, changes);
      const counts = await this.countsAfter(tx, changes, applied);
      const entries = changes.flatMap((change, ord): RunEventEntry[] => {
        const scenarioId = applied.get(ord);
        const run = runs.get(change.testRunId);
        if (scenarioId === undefined || run === undefined) return [];
        const countsThen = counts.get(ord) ?? NO_COUNTS;
        return eventsOf(change, scenarioId, countsThen).map((fields) => ({ run, fields }));
      });
      return { events: await appendEvents(tx, entries), outcomes: await this.outcomesOf(tx, changes, applied) };
    });
    this.committed.tell(events satisfies RunEvent[]);
    return outcomes;
  }

  /** The run's counts right after each outcome of the batch: those after all of them, walked backwards. */
  private async countsAfter(
    tx: Transaction,
    changes: readonly ScenarioRunChange[],
    applied: ReadonlyMap<number, string>,
  ): Promise<Map<number, Counts>> {
    const outcomes = changes
      .map((change, ord) => ({ change, ord }))
      .filter(({ change, ord }) => isOutcome(change) && applied.has(ord));
    const countsAt = new Map<number, Counts>();
    if (outcomes.length === 0) return countsAt;
    const latest = await countScenarioRuns(tx, [...new Set(outcomes.map(({ change }) => change.testRunId))]);
    for (const { change, ord } of outcomes.reverse()) {
      const counts = latest.get(change.testRunId) ?? NO_COUNTS;
      countsAt.set(ord, counts);
      const settled =
        change.kind === 'failure' ? 'error' : change.kind === 'verdict' && change.verdict.passed ? 'passed' : 'failed';
      latest.set(change.testRunId, { ...counts, [settled]: counts[settled] - 1 });
    }
    return countsAt;
  }

  private async outcomesOf(
    tx: Transaction,
    changes: readonly ScenarioRunChange[],
    applied: ReadonlyMap<number, string>,
  ): Promise<ChangeOutcome[]> {
    const refused = changes.filter((_, ord) => !applied.has(ord));
    if (refused.length === 0) return changes.map(() => 'committed');
    const rows = await tx.query<{ id: string; status: ScenarioRunStatus; attempt: number; turns: number }>(
      'SELECT id, status, attempt, turns FROM scenario_runs WHERE id = ANY($1::uuid[])',
      [refused.map((change) => change.scenarioRunId)],
    );
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    return changes.map((change, ord): ChangeOutcome => {
      if (applied.has(ord)) return 'committed';
      const row = rowOf.get(change.scenarioRunId);
      if (row === undefined || row.status === 'canceled') return 'canceled';
      if (row.attempt === change.attempt && isAlreadyRecorded(change, row)) return 'committed';
      return 'superseded';
    });
  }
}

/** Applies what the fence lets through. Answers the scenario's id by the position of each applied change. */
async function applyChanges(tx: Transaction, changes: readonly ScenarioRunChange[]): Promise<Map<number, string>> {
  const rows = await tx.query<{ ord: number; scenario_id: string }>(
    `WITH change AS MATERIALIZED (
       SELECT * FROM json_to_recordset($1::json) AS c(
         ord int, id uuid, test_run_id uuid, attempt int, owner uuid, allowed_from json, status text,
         is_final boolean, releases boolean, turn int, patient_message text, patient_at timestamptz, agent_message text,
         agent_at timestamptz, latency_ms float8, continuation json, turn_metadata json, passed boolean,
         score_percent float8, total_points float8, max_points float8, grade_summary text, criteria_results json,
         error_code text, error_message text, metadata json)
     ), fenced AS (
       UPDATE scenario_runs s SET
         status = COALESCE(c.status, s.status),
         turns = COALESCE(c.turn, s.turns),
         heartbeat_at = now(),
         owner = CASE WHEN c.releases THEN NULL ELSE s.owner END,
         passed = COALESCE(c.passed, s.passed),
         score_percent = COALESCE(c.score_percent, s.score_percent),
         total_points = COALESCE(c.total_points, s.total_points),
         max_points = COALESCE(c.max_points, s.max_points),
         grade_summary = COALESCE(c.grade_summary, s.grade_summary),
         criteria_results = COALESCE(c.criteria_results, s.criteria_results),
         error_code = COALESCE(c.error_code, s.error_code),
         error_message = COALESCE(c.error_message, s.error_message),
         metadata = COALESCE(c.metadata, s.metadata),
         completed_at = CASE WHEN c.is_final THEN clock_timestamp() ELSE s.completed_at END
       FROM change c
       WHERE s.id = c.id AND s.test_run_id = c.test_run_id
         AND s.attempt = c.attempt AND s.owner = c.owner
         AND s.status IN (SELECT json_array_elements_text(c.allowed_from))
         AND (c.turn IS NULL OR s.turns = c.turn - 1)
       RETURNING c.ord, s.id, s.scenario_id, s.conversation
     ), recorded AS (
       INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at,
                          latency_ms, continuation, metadata)
       SELECT f.id, f.conversation, c.turn, c.patient_message, c.patient_at, c.agent_message, c.agent_at,
              c.latency_ms, c.continuation, c.turn_metadata
       FROM fenced f JOIN change c USING (ord) WHERE c.turn IS NOT NULL
     )
     SELECT ord, scenario_id FROM fenced`,
    [toStorableJson(changes.map(recordOf))],
  );
  return new Map(rows.map((row) => [row.ord, row.scenario_id]));
}
