import * as z from 'zod/mini';
import { DECISIONS, SCENARIO_RUN_STATUSES } from '../../../src/domain';
import { call } from './client';

const criterionResult = z.object({
  criterion: z.string(),
  tags: z.array(z.string()),
  decision: z.enum(DECISIONS),
  points: z.number(),
  max_points: z.number(),
  rationale: z.string(),
  evidence: z.array(z.object({ turn: z.number(), quote: z.string() })),
  absence: z.boolean(),
  replies_read: z.nullable(z.number()),
  votes: z.nullable(z.array(z.enum(DECISIONS))),
  disputed: z.boolean(),
});
export type CriterionResult = z.output<typeof criterionResult>;

const scenarioRun = z.object({
  id: z.string(),
  test_run_id: z.string(),
  scenario_id: z.string(),
  scenario_name: z.string(),
  /** Older services do not say which. */
  scenario_revision: z.optional(z.nullable(z.number())),
  scenario_content_hash: z.optional(z.nullable(z.string())),
  scenario_category: z.optional(z.nullable(z.string())),
  scenario_severity: z.optional(z.nullable(z.string())),
  source_scenario_run_id: z.optional(z.nullable(z.string())),
  carried: z.optional(z.boolean()),
  kept_turns: z.optional(z.nullable(z.number())),
  given_message: z.optional(z.nullable(z.string())),
  trial: z.number(),
  patient: z.object({ style: z.string(), language: z.string() }),
  status: z.enum(SCENARIO_RUN_STATUSES),
  passed: z.nullable(z.boolean()),
  score_percent: z.nullable(z.number()),
  total_points: z.nullable(z.number()),
  max_points: z.nullable(z.number()),
  grade_summary: z.nullable(z.string()),
  criteria_results: z.nullable(z.array(criterionResult)),
  error_code: z.nullable(z.string()),
  error_message: z.nullable(z.string()),
  attempt: z.number(),
  turns: z.number(),
  duration_ms: z.nullable(z.number()),
  started_at: z.nullable(z.string()),
  completed_at: z.nullable(z.string()),
  canceled_at: z.nullable(z.string()),
  created_at: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});
export type ScenarioRun = z.output<typeof scenarioRun>;

const transcriptEntry = z.object({
  turn: z.number(),
  role: z.enum(['patient', 'agent']),
  content: z.string(),
  at: z.string(),
  latency_ms: z.optional(z.number()),
});
export type TranscriptEntry = z.output<typeof transcriptEntry>;

const scenarioRunDetail = z.extend(scenarioRun, {
  transcript: z.array(transcriptEntry),
  screenshot_url: z.optional(z.nullable(z.string())),
});
export type ScenarioRunDetail = z.output<typeof scenarioRunDetail>;

const scenarioRunList = z.object({ results: z.array(scenarioRun), total: z.number() });
export type ScenarioRunList = z.output<typeof scenarioRunList>;

const A_PAGE = 100;

/**
 * The scenario runs of a run in the run's order, page after page, up to a limit.
 * A run gains no scenario runs while it is read.
 * @param scenarioIds only those of these scenarios, 100 at most; null for all
 */
export async function listScenarioRuns(
  testRunId: string,
  atMost: number,
  signal: AbortSignal,
  scenarioIds: readonly string[] | null = null,
): Promise<ScenarioRunList> {
  const results: ScenarioRun[] = [];
  for (;;) {
    const query = new URLSearchParams({
      test_run_id: testRunId,
      limit: String(Math.min(A_PAGE, atMost - results.length)),
      offset: String(results.length),
      ...(scenarioIds !== null && { scenario_id: scenarioIds.join(',') }),
    });
    const page = await call(scenarioRunList, `/api/v1/scenario-runs?${query}`, { signal });
    results.push(...page.results);
    if (page.results.length === 0 || results.length >= Math.min(page.total, atMost)) {
      return { results, total: page.total };
    }
  }
}

export function getScenarioRun(id: string, signal: AbortSignal): Promise<ScenarioRunDetail> {
  return call(scenarioRunDetail, `/api/v1/scenario-runs/${encodeURIComponent(id)}`, { signal });
}
