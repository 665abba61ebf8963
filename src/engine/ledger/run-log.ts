import { Injectable } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';
import {
  type RunEvent,
  runEventFields,
  type Counts,
  type RunEventFields,
  type TestRunStatus,
  type FinalScenarioRunStatus,
} from '../../domain';
import type { Transaction } from '../../platform/database';
import { toStorableJson } from '../../platform/storable-text';
import { APPEND } from './functions';

/** The lock under which everything about a run is written. */
export interface LockedRun {
  readonly id: string;
  readonly status: TestRunStatus;
  readonly attempt: number;
  readonly owner: string | null;
}

/**
 * Locks a run; undefined when there is none. Every writer takes this lock first (several at once in the order of their ids), so
 * there are no deadlocks, and an event with a higher number never becomes visible before one with a lower number (invariant 8).
 */
export async function lockRun(tx: Transaction, id: string): Promise<LockedRun | undefined> {
  const [run] = await tx.query<LockedRun>('SELECT id, status, attempt, owner FROM test_runs WHERE id = $1 FOR UPDATE', [
    id,
  ]);
  return run;
}

/**
 * Numbers and stores events of a locked run, after the rows they are about were changed; the caller publishes them once the
 * transaction has committed.
 */
export async function appendEvents(tx: Transaction, runId: string, drafts: readonly EventDraft[]): Promise<RunEvent[]> {
  const rows = await tx.query<AppendedEvent & { readonly place: number }>(
    `SELECT * FROM ${APPEND.name}($1, $2, $3, NULL, NULL, $4, $5)`,
    [
      drafts.map(() => runId),
      drafts.map(({ type }) => type),
      drafts.map((draft) => ('scenario_run_id' in draft ? draft.scenario_run_id : null)),
      drafts.map(settledBy),
      drafts.map((draft) => toStorableJson(draft)),
    ],
  );
  return rows.flatMap((row) => {
    const draft = drafts[row.place - 1];
    return draft === undefined ? [] : [appendedEvent(runId, draft, row)];
  });
}

type DraftOf<Fields> = Fields extends { counts: Counts } ? Omit<Fields, 'scenario_id' | 'counts'> : Fields;

/** An event before it is appended: what only the database knows then, the scenario's id and the counts, it adds itself. */
export type EventDraft = DraftOf<RunEventFields>;

/** What the log keeps of an event whose turn is stored with it: only which one it is, since the turn holds what was said. */
export function storedFieldsOf(draft: EventDraft): object {
  if (draft.type !== 'transcript_update') return draft;
  const { type, scenario_run_id, turn } = draft;
  return { type, scenario_run_id, turn };
}

/** The final status that the scenario run of the event has reached with it; null when it has none. */
export function settledBy(draft: EventDraft): FinalScenarioRunStatus | null {
  switch (draft.type) {
    case 'scenario_complete':
      return draft.status;
    case 'scenario_error':
      return 'error';
    case 'scenario_canceled':
      return 'canceled';
    default:
      return null;
  }
}

/** The place of an event in the log of its run, as the database answers. */
export interface AppendedEvent {
  readonly seq: number;
  readonly at: Date;
  /** The stored text, where the database has added to the draft. */
  readonly whole: string | null;
}

/** The event as its subscribers hear it. */
export function appendedEvent(runId: string, draft: EventDraft, { seq, at, whole }: AppendedEvent): RunEvent {
  return { ...wholeFields(draft, whole), run_id: runId, seq, at: at.toISOString() };
}

function wholeFields(draft: EventDraft, whole: string | null): RunEventFields {
  if (draft.type === 'scenario_complete' || draft.type === 'scenario_error') return readFields(whole ?? '');
  return draft;
}

/**
 * Reads the stored text of an event, in its order.
 * @throws Error for a text that is no event
 */
export function readFields(text: string): RunEventFields {
  const fields: unknown = JSON.parse(text);
  if (!isRunEvent(fields)) throw new Error('The database answered an event of no known shape.');
  return fields;
}

/** Not what the schema makes of it, which has the fields in its own order. */
function isRunEvent(value: unknown): value is RunEventFields {
  return runEventFields.safeParse(value).success;
}

/** Run events of this process, heard after their transaction has committed and never before (invariant 2). */
@Injectable()
export class CommittedEvents {
  private readonly events = new Subject<RunEvent>();

  readonly stream: Observable<RunEvent> = this.events.asObservable();

  publish(events: readonly RunEvent[]): void {
    for (const event of events) this.events.next(event);
  }
}
