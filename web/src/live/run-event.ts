import * as z from 'zod/mini';
import type { RunEventType } from '../../../machines/run-events';

const counts = z.object({
  passed: z.number(),
  failed: z.number(),
  error: z.number(),
  canceled: z.number(),
  total: z.number(),
});
export type Counts = z.output<typeof counts>;

/** The fields that the page reads of an event; a type it does not know has none of them. */
const runEvent = z.object({
  type: z.string(),
  seq: z.optional(z.number()),
  scenario_run_id: z.optional(z.string()),
  attempt: z.optional(z.number()),
  turn: z.optional(z.number()),
  passed: z.optional(z.boolean()),
  score_percent: z.optional(z.number()),
  status: z.optional(z.string()),
  error_code: z.optional(z.string()),
  error: z.optional(z.string()),
  counts: z.optional(counts),
});
export type RunEvent = z.output<typeof runEvent>;

/** Null for what is no event. */
export function readRunEvent(data: string): RunEvent | null {
  try {
    const read = runEvent.safeParse(JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

const FINAL: readonly RunEventType[] = ['test_run_complete', 'test_run_failed', 'test_run_canceled'];

/** True for the last event a run ever has. */
export function isFinalEvent(type: string): boolean {
  return FINAL.some((final) => final === type);
}
