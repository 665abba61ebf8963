import { runEventFields, type Counts, type RunEvent, type RunEventFields } from '../../domain/run-events';
import type { FinalScenarioRunStatus } from '../../domain/statuses';

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

/** Where an event stands in the log of its run, as the database answers. */
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
