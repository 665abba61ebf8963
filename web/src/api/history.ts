import * as z from 'zod/mini';
import { call } from './client';

const examiner = z.object({
  name: z.string(),
  model: z.nullable(z.string()),
  prompt_version: z.nullable(z.string()),
});
export type PastExaminer = z.output<typeof examiner>;

const pastVerdict = z.object({
  scenario_run_id: z.string(),
  test_run_id: z.string(),
  trial: z.number(),
  status: z.enum(['passed', 'failed']),
  completed_at: z.string(),
});

/** Verdicts under the same conditions. */
const likeVerdicts = z.object({
  agent_config_hash: z.string(),
  agent_version: z.nullable(z.string()),
  agent_id: z.string(),
  agent_name: z.string(),
  scenario_revision: z.nullable(z.number()),
  scenario_content_hash: z.string(),
  patient: z.object({ style: z.string(), language: z.string() }),
  examiners: z.object({ tester: examiner, judge: examiner }),
  max_turns: z.number(),
  pass_threshold: z.number(),
  region: z.optional(z.nullable(z.string())),
  passed: z.number(),
  failed: z.number(),
  flaky: z.boolean(),
  /** The newest of them, not always all. */
  verdicts: z.array(pastVerdict),
});
export type LikeVerdicts = z.output<typeof likeVerdicts>;

const scenarioHistory = z.object({
  /** All verdicts that were examined. */
  verdicts: z.number(),
  /** Of these, those in no group. */
  ungrouped: z.number(),
  flaky: z.boolean(),
  /** Groups on all pages. */
  total: z.number(),
  history: z.array(likeVerdicts),
});
export type ScenarioHistory = z.output<typeof scenarioHistory>;

export const GROUPS_A_PAGE = 10;

/** The verdicts on a scenario in all runs, the newest group first. @param page from 0 */
export function getHistory(scenarioId: string, page: number, signal: AbortSignal): Promise<ScenarioHistory> {
  const query = new URLSearchParams({ limit: String(GROUPS_A_PAGE), offset: String(page * GROUPS_A_PAGE) });
  return call(scenarioHistory, `/api/v1/scenarios/${encodeURIComponent(scenarioId)}/history?${query}`, { signal });
}
