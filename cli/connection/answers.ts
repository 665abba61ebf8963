import { z } from 'zod';

// What the command needs of each answer, and no more: it also talks to older and newer services. Other fields are kept, so that
// `--json` shows everything the service said. Each call checks, when it is compiled, that the contract promises what is needed here.

export const agent = z.looseObject({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  description: z.string().nullish(),
  config: z.record(z.string(), z.unknown()),
  is_active: z.boolean(),
  baseline_test_run_id: z.string().nullish(),
  warnings: z.array(z.string()).default([]),
});
export type Agent = z.infer<typeof agent>;

export const me = z.looseObject({
  name: z.string(),
  role: z.string(),
  may: z.looseObject({ run: z.boolean(), change: z.boolean() }),
});
export type Me = z.infer<typeof me>;

export const triedAgent = z.discriminatedUnion('ok', [
  z.looseObject({
    ok: z.literal(true),
    reply: z.string(),
    greeting: z.string().nullish(),
    latency_ms: z.number().nullable(),
    follow_up: z.looseObject({ message: z.string(), reply: z.string() }).nullish(),
    warnings: z.array(z.string()).default([]),
  }),
  z.looseObject({ ok: z.literal(false), error_code: z.string(), error: z.string() }),
]);
export type TriedAgent = z.infer<typeof triedAgent>;

const criterion = z.looseObject({ criterion: z.string(), points: z.number(), tags: z.array(z.string()) });
const content = z.looseObject({
  script: z.string(),
  demographics: z.looseObject({}),
  chief_complaint: z.string(),
});

const scenarioFields = {
  scenario_id: z.string(),
  name: z.string(),
  category: z.string(),
  scenario_type: z.string(),
  severity: z.string().optional(),
  is_active: z.boolean(),
  approved: z.boolean(),
  approved_by: z.string().nullish(),
  approved_role: z.string().nullish(),
  approved_at: z.string().nullish(),
  priority: z.number().nullish(),
  tags: z.array(z.string()),
  content,
  rubric_criteria: z.array(criterion),
};
export const scenario = z.looseObject(scenarioFields);
export type Scenario = z.infer<typeof scenario>;
export const scenarioList = z.object({ scenarios: z.array(scenario) });

export const generated = z.looseObject({ scenario_id: z.string(), name: z.string(), category: z.string() });
export const generatedList = z.looseObject({ scenarios: z.array(generated) });

const finding = z.looseObject({ rule: z.string(), severity: z.string(), path: z.string(), sentence: z.string() });
export type Finding = z.infer<typeof finding>;
const lintedScenario = z.looseObject({
  scenario_id: z.string().nullish(),
  name: z.string().nullish(),
  findings: z.array(finding),
});
export type LintedScenario = z.infer<typeof lintedScenario>;
export const lintedList = z.object({ scenarios: z.array(lintedScenario) });

const pastExaminer = z.looseObject({ name: z.string(), model: z.string().nullish() });
const likeVerdicts = z.looseObject({
  agent_config_hash: z.string(),
  agent_version: z.string().nullish(),
  agent_name: z.string(),
  scenario_revision: z.number().nullish(),
  patient: z.looseObject({ style: z.string(), language: z.string() }),
  examiners: z.looseObject({ tester: pastExaminer, judge: pastExaminer }),
  passed: z.number(),
  failed: z.number(),
  flaky: z.boolean(),
  last_at: z.string(),
});
export type LikeVerdicts = z.infer<typeof likeVerdicts>;
export const scenarioHistory = z.looseObject({
  scenario_id: z.string(),
  scenario_name: z.string(),
  verdicts: z.number(),
  ungrouped: z.number(),
  flaky: z.boolean(),
  total: z.number(),
  history: z.array(likeVerdicts),
});

const historyPoint = z.looseObject({
  test_run_id: z.string(),
  label: z.string(),
  name: z.string().nullish(),
  status: z.string(),
  agent_version: z.string().nullish(),
  at: z.string(),
  scenarios: z.number(),
  trials: z.number(),
  graded_pass_rate: z.looseObject({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
  must_pass_violations: z.number().nullable(),
  coverage: z.number(),
  comparable_to_previous: z.boolean(),
  comparable_to: z.string().nullable(),
  differs_in: z.array(z.string()),
});
export type HistoryPoint = z.infer<typeof historyPoint>;
export const agentHistory = z.looseObject({ agent_id: z.string(), more: z.boolean(), points: z.array(historyPoint) });

export const suite = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  scenario_ids: z.array(z.string()),
});
export type Suite = z.infer<typeof suite>;
export const suiteList = z.object({ test_suites: z.array(suite) });

export const namedKey = z.looseObject({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  hint: z.string(),
  state: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});
export type NamedKey = z.infer<typeof namedKey>;
export const keyList = z.object({ keys: z.array(namedKey) });
export const newKey = namedKey.extend({ key: z.string() });
export type NewKey = z.infer<typeof newKey>;

export const webhook = z.looseObject({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  secret: z.string(),
  is_active: z.boolean(),
  disabled_reason: z.string().nullable(),
});
export type Webhook = z.infer<typeof webhook>;
export const webhookList = z.object({ webhooks: z.array(webhook) });
export const webhookDelivery = z.looseObject({
  id: z.string(),
  type: z.string(),
  status: z.string(),
  attempts: z.number(),
  last_status_code: z.number().nullable(),
  last_error: z.string().nullable(),
  response_excerpt: z.string().nullable(),
  created_at: z.string(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
export const webhookDetail = webhook.extend({ deliveries: z.array(webhookDelivery) });

const scheduleStart = z.looseObject({
  due_at: z.string(),
  until: z.string().nullable(),
  is_manual: z.boolean(),
  outcome: z.string(),
  sentence: z.string().nullable(),
  gate: z.looseObject({ verdict: z.string(), sentence: z.string().nullable() }).nullable(),
});
export const schedule = z.looseObject({
  id: z.string(),
  name: z.string(),
  run: z.looseObject({ agent_id: z.string() }),
  cron: z.string(),
  time_zone: z.string(),
  gate: z
    .looseObject({
      fail_under: z.number().nullable(),
      fail_on: z.string().nullable(),
      min_coverage: z.number().nullable(),
    })
    .nullable(),
  overlap: z.string(),
  is_enabled: z.boolean(),
  next_start: z.string().nullable(),
  last_start: scheduleStart.nullable(),
});
export type Schedule = z.infer<typeof schedule>;
export const scheduleDetail = schedule.extend({ next_starts: z.array(z.string()) });
export type ScheduleDetail = z.infer<typeof scheduleDetail>;
export const scheduleList = z.object({ schedules: z.array(schedule) });
const startWithRun = scheduleStart.extend({
  run: z.looseObject({ test_run_id: z.string(), status: z.string(), pass_rate: z.number() }).nullable(),
});
export type ScheduleStart = z.infer<typeof startWithRun>;
export const scheduleStartList = z.object({ starts: z.array(startWithRun), total: z.number() });

export const health = z.looseObject({
  status: z.string(),
  version: z.string(),
  checks: z.record(z.string(), z.looseObject({ status: z.string(), detail: z.string() })),
  setup: z.record(z.string(), z.string()).default({}),
});
export type Health = z.infer<typeof health>;

const estimate = z.looseObject({ value: z.number(), low: z.number().nullish(), high: z.number().nullish() }).nullable();
const speechRate = z.looseObject({ events: z.number(), hits: z.number(), rate: estimate });
const speechSpread = z.looseObject({
  events: z.number(),
  p50_ms: estimate,
  p95_ms: estimate,
  max_ms: z.number().nullish(),
});
const heardWords = z.looseObject({ words: z.number(), error_rate: estimate });

export const speechMeasures = z.looseObject({
  confidence: z.number(),
  line: z.string(),
  noise: z.string().nullish(),
  voice: z.looseObject({ engine: z.string(), voice: z.string() }),
  ear: z.looseObject({ engine: z.string(), model: z.string() }).nullish(),
  timing_error_ms: z.number().nullish(),
  conversations: z.looseObject({ total: z.number(), spoken: z.number() }),
  turns: z.looseObject({ spoken: z.number(), unreliable: z.number() }),
  response_latency: speechSpread,
  time_to_first_word: speechSpread,
  premature_starts: speechRate,
  unanswered: z.number(),
  pause_tolerance: z.looseObject({ tolerated_ms: z.number().nullish() }),
  yield: speechSpread,
  yielded_in_time: speechRate,
  false_yields: speechRate,
  talk_over: z.looseObject({ by_agent: estimate }),
  dead_air: z.looseObject({ silences: z.number(), total_ms: z.number() }),
  talk_share: z.looseObject({ agent: estimate }),
  words_a_minute: z.looseObject({ agent: z.number().nullish() }),
  heard_words: heardWords,
  entities: z.looseObject({ errors: speechRate, unrecovered: speechRate, read_back: speechRate }).nullish(),
  own_against_heard: z.looseObject({ words: heardWords, sentences_not_heard: speechRate }).nullish(),
  time_to_escalation: speechSpread,
  not_measurable: z.array(z.string()).default([]),
});
export type SpeechMeasures = z.infer<typeof speechMeasures>;
