import { Injectable, Optional } from '@nestjs/common';
import type { RunEvent, ScenarioRunStatus } from '../../domain';
import { ownTurn } from '../../platform/concurrency';
import { charactersIn } from '../../examiners/threads';
import { Database, isLockedOut, isUnavailable } from '../../platform/database';
import { Metrics, silentMetrics } from '../../platform/telemetry';
import { CommittedEvents, appendedEvent, type AppendedEvent } from './run-log';
import { RECORD } from './functions';
import { GroupCommit, measuredCommits } from './group-commit';
import {
  describe,
  textOf,
  type ChangeDescription,
  type ChangeOutcome,
  type ScenarioRunChange,
} from './scenario-run.changes';

/** Enough to be written in a turn of the event loop that is shared with nothing else. */
const MANY_CHARACTERS = 100_000;

/**
 * Writes what actors decided: the change, the turn and its events in one statement, fenced by owner and
 * attempt (record-scenario-changes). Changes of one process that arrive together share it.
 */
@Injectable()
export class ScenarioRunLedger {
  private readonly commits: GroupCommit<DescribedChange, ChangeOutcome>;

  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
    @Optional() metrics: Metrics = silentMetrics,
  ) {
    this.commits = new GroupCommit({
      write: (changes, lockWaitMs) => this.write(changes, lockWaitMs),
      rowOf: ({ change }) => change.scenarioRunId,
      runOf: ({ change }) => change.testRunId,
      charsOf: ({ text }) => text.length,
      isPoison: (error) => !isUnavailable(error),
      isLockedOut,
      onEnd: measuredCommits('changes', metrics),
    });
  }

  /**
   * Resolves when the change is stored or refused. Safe to repeat when the answer was lost: a change that is already in
   * the row counts as committed.
   * @throws the database's error; ask Database.isUnavailable whether to try again
   */
  async record(change: ScenarioRunChange): Promise<ChangeOutcome> {
    await ownTurn(charactersIn(change, MANY_CHARACTERS));
    const description = describe(change);
    return this.commits.submit({ change, description, text: textOf(change, description) });
  }

  private async write(batch: readonly DescribedChange[], lockWaitMs: number): Promise<ChangeOutcome[]> {
    await ownTurn(batch.reduce((sum, { text }) => sum + text.length, 0));
    const rows = await this.database.engine.query<AnswerRow>(`SELECT * FROM ${RECORD.name}($1, $2, $3, $4)`, [
      batch.map(({ change }) => change.testRunId),
      batch.map(({ change }) => change.scenarioRunId),
      `[${batch.map(({ text }, place) => `{"ord":${place + 1},${text.slice(1)}`).join()}]`,
      lockWaitMs,
    ]);
    const answers = batch.map((): Answer => ({ row: null, events: [] }));
    for (const row of rows) {
      const answer = answers[row.ord - 1];
      if (answer === undefined) continue;
      if (row.seq === null) answer.row = row;
      else answer.events.push(row);
    }
    this.committed.publish(batch.flatMap((one, place) => eventsOf(one, answers[place])));
    return batch.map((one, place) => outcomeOf(one, answers[place]?.row ?? null));
  }
}

interface DescribedChange {
  readonly change: ScenarioRunChange;
  readonly description: ChangeDescription;
  readonly text: string;
}

/** As record-scenario-changes answers: what became of the change at `ord`, or where one of its events stands. */
type AnswerRow = { readonly ord: number } & (ChangeRow | AppendedEvent);

interface ChangeRow {
  readonly seq: null;
  /** False when the fence refused the change. */
  readonly is_applied: boolean;
  /** How the row stands now; null when it is gone. */
  readonly status: ScenarioRunStatus | null;
  readonly attempt: number | null;
  readonly owner: string | null;
  readonly turns: number | null;
}

interface Answer {
  row: ChangeRow | null;
  readonly events: AppendedEvent[];
}

function eventsOf({ change, description }: DescribedChange, answer: Answer | undefined): RunEvent[] {
  const appended = answer?.events ?? [];
  return description.events.flatMap((draft, place) => {
    const where = appended[place];
    return where === undefined ? [] : [appendedEvent(change.testRunId, draft, where)];
  });
}

function outcomeOf({ change, description }: DescribedChange, row: ChangeRow | null): ChangeOutcome {
  if (row === null || row.status === null) return 'canceled';
  if (row.is_applied) return 'committed';
  const { status, owner } = row;
  if (status === 'canceled') return 'canceled';
  const isRepeated = row.attempt === change.attempt && description.isRecorded({ status, owner, turns: row.turns ?? 0 });
  return isRepeated ? 'committed' : 'superseded';
}
