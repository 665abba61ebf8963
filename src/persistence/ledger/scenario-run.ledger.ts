import { Injectable } from '@nestjs/common';
import { boundedFailure } from '../../../machines/failure';
import type { Counts, RunEvent } from '../../../machines/run-events';
import type { ScenarioRunStatus } from '../../../machines/statuses';
import { CommittedEvents } from './committed-events';
import { Database } from '../database';
import { GroupCommit } from './group-commit';
import { toStorableJson } from '../json-text';
import { NO_COUNTS } from './run-counts';
import {
  eventDraftsOf,
  eventsOf,
  isAlreadyRecorded,
  recordOf,
  type ChangeOutcome,
  type ScenarioRunChange,
} from './scenario-run.changes';
import { isLockedOut } from '../patience';
import { isUnavailable } from '../unavailable';

/**
 * Writes what actors decided: the change, the turn and the events that tell of it in one statement, fenced by owner and
 * attempt (migrations: record_scenario_changes). Changes of one process that arrive together share it.
 */
@Injectable()
export class ScenarioRunLedger {
  private readonly commits: GroupCommit<DraftedChange, ChangeOutcome>;

  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
  ) {
    this.commits = new GroupCommit({
      write: (changes, lockWaitMs) => this.write(changes, lockWaitMs),
      rowOf: ({ change }) => change.scenarioRunId,
      runOf: ({ change }) => change.testRunId,
      charsOf: ({ text }) => text.length,
      isPoison: (error) => !isUnavailable(error),
      isLockedOut,
    });
  }

  /**
   * Resolves when the change is stored or refused. Safe to repeat when the answer was lost: a change that is already in
   * the row counts as committed.
   * @throws the database's error; ask Database.isUnavailable whether to try again
   */
  record(change: ScenarioRunChange): Promise<ChangeOutcome> {
    const bounded = change.kind === 'failure' ? { ...change, failure: boundedFailure(change.failure) } : change;
    const text = toStorableJson({ ...recordOf(bounded), events: eventDraftsOf(bounded) });
    return this.commits.submit({ change: bounded, text });
  }

  private async write(drafted: readonly DraftedChange[], lockWaitMs: number): Promise<ChangeOutcome[]> {
    const changes = drafted.map(({ change }) => change);
    const rows = await this.database.engine.query<ChangeRow>('SELECT * FROM record_scenario_changes_2($1, $2)', [
      `[${drafted.map(({ text }, ord) => `{"ord":${ord},${text.slice(1)}`).join()}]`,
      lockWaitMs,
    ]);
    const rowAt = new Map(rows.map((row) => [row.ord, row]));
    this.committed.tell(eventsFrom(changes, rowAt));
    return changes.map((change, ord) => outcomeOf(change, rowAt.get(ord)));
  }
}

/** A change with the JSON object that the function in the database takes, but for its place in the batch. */
interface DraftedChange {
  readonly change: ScenarioRunChange;
  readonly text: string;
}

/** What became of one change, as the function in the database answers. */
interface ChangeRow {
  readonly ord: number;
  /** Null when the fence refused the change. */
  readonly scenario_id: string | null;
  /** How the row stood before the change; null when it is gone. */
  readonly status: ScenarioRunStatus | null;
  readonly attempt: number | null;
  readonly owner: string | null;
  readonly turns: number | null;
  /** The number of the change's first event; null when it tells nothing. */
  readonly first_seq: number | null;
  readonly at: Date;
  /** Of an outcome: the run's counts right after it. */
  readonly counts: Counts | null;
}

function eventsFrom(changes: readonly ScenarioRunChange[], rowAt: ReadonlyMap<number, ChangeRow>): RunEvent[] {
  const events = changes.flatMap((change, ord): RunEvent[] => {
    const row = rowAt.get(ord);
    if (row === undefined || row.scenario_id === null || row.first_seq === null) return [];
    const { first_seq, at } = row;
    return eventsOf(change, row.scenario_id, row.counts ?? NO_COUNTS).map((fields, place) => ({
      ...fields,
      run_id: change.testRunId,
      seq: first_seq + place,
      at: at.toISOString(),
    }));
  });
  return events.sort((one, next) => one.seq - next.seq);
}

function outcomeOf(change: ScenarioRunChange, row: ChangeRow | undefined): ChangeOutcome {
  if (row === undefined || row.status === null) return 'canceled';
  if (row.scenario_id !== null) return 'committed';
  if (row.status === 'canceled') return 'canceled';
  const isRepeated =
    row.attempt === change.attempt &&
    isAlreadyRecorded(change, { status: row.status, owner: row.owner, turns: row.turns ?? 0 });
  return isRepeated ? 'committed' : 'superseded';
}
