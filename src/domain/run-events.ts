// The page reads events with the same schema, and zod/mini is a small part of zod.
import * as z from 'zod/mini';
import { ENDED_BY } from './conversation';
import { ERROR_CODES } from './failure';

/**
 * What a run reports to its subscribers. Each event is stored in the transaction of its change, numbered per run
 * without gaps, and is a fact in the past tense: it never changes afterwards.
 */
const counts = z.object({
  passed: z.int(),
  failed: z.int(),
  error: z.int(),
  canceled: z.int(),
  total: z.int(),
});
export type Counts = z.infer<typeof counts>;

const runBegan = { total_scenarios: z.int(), scenarios_launched: z.int() };
const runEnded = {
  passed_count: z.int(),
  failed_count: z.int(),
  error_count: z.int(),
  canceled_count: z.int(),
  pass_rate: z.number(),
};
const ofScenarioRun = { scenario_run_id: z.uuid() };

/** The fields of each event type, without the envelope (`run_id`, `seq`, `at`). */
export const runEventFields = z.discriminatedUnion('type', [
  z.object({ type: z.literal('test_run_scheduled'), ...runBegan }),
  z.object({ type: z.literal('test_run_started'), ...runBegan }),
  z.object({
    type: z.literal('scenario_started'),
    ...ofScenarioRun,
    scenario_id: z.uuid(),
    scenario_name: z.string(),
    trial: z.int(),
    attempt: z.int(),
  }),
  z.object({
    type: z.literal('transcript_update'),
    ...ofScenarioRun,
    turn: z.int(),
    patient_message: z.string(),
    agent_message: z.string(),
    latency_ms: z.nullable(z.number()),
  }),
  z.object({
    type: z.literal('grading_started'),
    ...ofScenarioRun,
    /** Only of a conversation that ended before it had all its turns. */
    ended_by: z.optional(z.enum(ENDED_BY)),
    /** What the patient said last, when it ended without a reply to it. */
    unanswered_message: z.optional(z.string()),
  }),
  z.object({ type: z.literal('grading_complete'), ...ofScenarioRun, passed: z.boolean(), score_percent: z.number() }),
  z.object({
    type: z.literal('scenario_complete'),
    ...ofScenarioRun,
    scenario_id: z.uuid(),
    status: z.enum(['passed', 'failed']),
    counts,
  }),
  z.object({
    type: z.literal('scenario_error'),
    ...ofScenarioRun,
    scenario_id: z.uuid(),
    error_code: z.enum(ERROR_CODES),
    error: z.string(),
    counts,
  }),
  z.object({ type: z.literal('scenario_canceled'), ...ofScenarioRun }),
  z.object({ type: z.literal('test_run_complete'), ...runEnded }),
  z.object({ type: z.literal('test_run_failed'), ...runEnded }),
  z.object({ type: z.literal('test_run_canceled'), ...runEnded }),
]);
export type RunEventFields = z.infer<typeof runEventFields>;
export type RunEventType = RunEventFields['type'];

/** Where and when an event happened. `seq` counts from 1 per run; `at` is the database's time, ISO 8601 UTC. */
export interface EventEnvelope {
  readonly run_id: string;
  readonly seq: number;
  readonly at: string;
}

/** A stored event as subscribers see it. */
export type RunEvent = RunEventFields & EventEnvelope;

/**
 * The text of a whole event, the same whether it is heard live or read from the log: its fields, then the envelope.
 * @param fields a JSON object with at least one field
 */
export function eventText(fields: string, { run_id, seq, at }: EventEnvelope): string {
  const open = fields.slice(0, fields.lastIndexOf('}'));
  // Inside JSON strings line breaks are escaped, so a raw one is only layout; in an event stream it would end the data.
  return `${open.replace(/[\r\n]+/g, ' ')},${JSON.stringify({ run_id, seq, at }).slice(1)}`;
}

const FINAL_EVENT_TYPES: readonly RunEventType[] = ['test_run_complete', 'test_run_failed', 'test_run_canceled'];

/** True for the last event a run ever has. Logs written by a newer version may hold types this one does not know. */
export function isFinalEvent(type: string): boolean {
  return FINAL_EVENT_TYPES.some((final) => final === type);
}

/**
 * The event in the data of one message of `/events`, for subscribers of a run. Null for the greeting, for types of newer
 * versions, and for anything but an event.
 */
export function readRunEvent(data: string): RunEventFields | null {
  try {
    const read = runEventFields.safeParse(JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
