import { USUAL_PATIENT } from '../../src/domain';
import { z } from 'zod';

// What the command needs of answers about runs, as `answers.ts` has it of the others.

const spoken = z.looseObject({
  voice_engine: z.looseObject({ engine: z.string(), version: z.string(), voice: z.string() }),
  rate: z.number(),
  line: z.string(),
  noise: z.string().nullable(),
  sounds: z.array(z.string()),
  seed: z.number(),
  ear: z.object({ engine: z.string(), model: z.string() }).nullable(),
});

const time = z.string().nullish();
export const testRun = z.looseObject({
  id: z.string(),
  test_run_id: z.string(),
  name: z.string().nullable().default(null),
  note: z.string().nullable().default(null),
  tags: z.array(z.string()).default([]),
  status: z.string(),
  agent_id: z.string(),
  agent_name: z.string(),
  baseline_test_run_id: z.string().nullish(),
  run_set_id: z.string().nullish(),
  total_scenarios: z.number(),
  trials: z.number().default(1),
  passed_count: z.number(),
  failed_count: z.number(),
  error_count: z.number().default(0),
  warnings: z.array(z.string()).default([]),
  canceled_count: z.number().default(0),
  pass_rate: z.number(),
  graded_pass_rate: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullish(),
  max_turns: z.number().nullish(),
  modality: z.string().default('text'),
  spoken: spoken.nullish(),
  pass_threshold: z.number().nullish(),
  error_message: z.string().nullish(),
  waiting: z.string().nullish(),
  scheduled_at: time,
  started_at: time,
  completed_at: time,
  canceled_at: time,
  created_at: time,
});
export type TestRun = z.infer<typeof testRun>;
export const testRunList = z.object({ runs: z.array(testRun), total: z.number() });

export const criterionResult = z.looseObject({
  criterion: z.string(),
  tags: z.array(z.string()).default([]),
  decision: z.string(),
  points: z.number(),
  max_points: z.number(),
  rationale: z.string().default(''),
  evidence: z.array(z.looseObject({ turn: z.number(), quote: z.string(), call: z.number().optional() })).default([]),
  votes: z.array(z.string()).nullish(),
  disputed: z.boolean().default(false),
  check: z.string().nullish(),
});
export type CriterionResult = z.infer<typeof criterionResult>;

const agentActs = z.looseObject({
  tool_calls: z
    .array(
      z.looseObject({
        name: z.string(),
        arguments: z.string().nullable(),
        result: z.string().nullable(),
      }),
    )
    .nullable(),
  context: z.array(z.string()),
  usage: z.looseObject({ total_tokens: z.number().nullable(), cost_usd: z.number().nullable() }).nullable(),
  truncated: z.boolean(),
});
export type AgentActs = z.infer<typeof agentActs>;

const transcriptEntry = z.looseObject({
  turn: z.number(),
  role: z.string(),
  content: z.string(),
  acts: agentActs.optional(),
});

export const scenarioRun = z.looseObject({
  id: z.string(),
  scenario_id: z.string(),
  scenario_name: z.string(),
  trial: z.number().default(1),
  patient: z.object({ style: z.string(), language: z.string() }).default(USUAL_PATIENT),
  status: z.string(),
  score_percent: z.number().nullable(),
  criteria_results: z.array(criterionResult).nullable(),
  error_code: z.string().nullish(),
  error_message: z.string().nullish(),
  grade_summary: z.string().nullish(),
  turns: z.number(),
  attempt: z.number().default(1),
  metadata: z.record(z.string(), z.unknown()).default({}),
});
export type ScenarioRun = z.infer<typeof scenarioRun>;
export const scenarioRunDetail = scenarioRun.extend({
  transcript: z.array(transcriptEntry),
  closing_acts: agentActs.nullish(),
});
export type ScenarioRunDetail = z.infer<typeof scenarioRunDetail>;
export const scenarioRunList = z.object({ results: z.array(scenarioRun), total: z.number() });

const shareChange = z.looseObject({
  scenario_id: z.string(),
  scenario_name: z.string(),
  before: z.number(),
  after: z.number(),
  score_before: z.number().nullable(),
  score_after: z.number().nullable(),
});
export const comparison = z.looseObject({
  before: z.looseObject({ test_run_id: z.string(), agent_name: z.string() }),
  after: z.looseObject({ test_run_id: z.string(), agent_name: z.string() }),
  verdict: z.string(),
  grounds: z.array(z.string()),
  sentence: z.string(),
  tests: z.array(
    z.looseObject({
      on: z.string(),
      before: z.number().nullable(),
      after: z.number().nullable(),
      difference: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      adjusted_p_value: z.number().nullable(),
    }),
  ),
  groups: z.array(
    z.looseObject({
      group: z.string().nullable(),
      before: z.number(),
      after: z.number(),
      difference: z.number(),
      adjusted_p_value: z.number().nullable(),
    }),
  ),
  criteria_summary: z.looseObject({ sentence: z.string() }),
  scenarios: z.looseObject({ compared: z.number() }),
  better: z.array(shareChange),
  worse: z.array(shareChange),
  new_must_pass_violations: z.array(
    z.looseObject({ scenario_name: z.string(), trial: z.number(), criterion: z.string(), kind: z.string() }),
  ),
  criteria: z.array(
    z.looseObject({ scenario_id: z.string(), criterion: z.string(), before: z.number(), after: z.number() }),
  ),
  doubts: z.array(z.looseObject({ kind: z.string(), sentence: z.string() })),
  by_category: z
    .array(
      z.looseObject({
        category: z.string().nullable(),
        scenarios: z.number(),
        before: z.number(),
        after: z.number(),
        value: z.number(),
        low: z.number(),
        high: z.number(),
      }),
    )
    .default([]),
  twins: z
    .looseObject({
      before: z.string(),
      after: z.string(),
      sentence: z.string(),
      pairs: z.looseObject({
        total: z.number(),
        compared: z.number(),
        both_passed: z.number(),
        only_before_passed: z.number(),
        only_after_passed: z.number(),
        neither_passed: z.number(),
      }),
      not_compared: z.array(
        z.looseObject({
          run: z.string(),
          status: z.string(),
          error_code: z.string().nullable(),
          count: z.number(),
        }),
      ),
      criteria: z
        .array(
          z.looseObject({
            by: z.string(),
            group: z.string().nullable(),
            before: z.number(),
            after: z.number(),
            difference: z.number(),
            low: z.number(),
            high: z.number(),
            adjusted_p_value: z.number().nullable(),
          }),
        )
        .default([]),
      lines: z.array(z.looseObject({ id: z.string(), test_run_id: z.string(), way: z.string() })).default([]),
      adjustment: z.string().default(''),
    })
    .nullish(),
});
export type Comparison = z.infer<typeof comparison>;

export const startedRun = z.looseObject({
  id: z.string(),
  test_run_id: z.string(),
  status: z.string(),
  total_scenarios: z.number(),
  skipped_scenario_ids: z.array(z.string()).optional(),
});
export type StartedRun = z.infer<typeof startedRun>;

export const startedSet = z.looseObject({
  id: z.string(),
  runs: z.array(startedRun.extend({ title: z.string() })),
  skipped_scenario_ids: z.array(z.string()).optional(),
});
export type StartedSet = z.infer<typeof startedSet>;

export const runSet = z.looseObject({
  id: z.string(),
  name: z.string().nullable(),
  ended: z.boolean(),
  runs: z.array(testRun.extend({ title: z.string() })),
});
export type RunSet = z.infer<typeof runSet>;

export const canceledSet = z.looseObject({ canceled_scenarios: z.number() });

export const setComparisons = z.looseObject({
  sentence: z.string(),
  pairs: z.array(
    z.looseObject({
      verdict: z.string(),
      sentence: z.string(),
      doubts: z.array(z.looseObject({ kind: z.string(), sentence: z.string() })),
    }),
  ),
});
export type SetComparisons = z.infer<typeof setComparisons>;

export const cancellation = z.looseObject({
  status: z.string(),
  canceled_scenarios: z.number().optional(),
  message: z.string().optional(),
});
export type Cancellation = z.infer<typeof cancellation>;
