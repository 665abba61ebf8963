import * as z from 'zod/mini';
import { call } from './client';

const share = z.nullable(z.number());
const count = z.number();

const mustPassViolation = z.object({
  scenario_run_id: z.string(),
  scenario_id: z.string(),
  scenario_name: z.string(),
  trial: z.number(),
  criterion: z.string(),
  kind: z.enum(['missed', 'committed']),
});
export type MustPassViolation = z.output<typeof mustPassViolation>;

const coefficient = z.object({ value: share });
const shownCalibration = z.object({
  id: z.string(),
  name: z.string(),
  at: z.string(),
  stale: z.boolean(),
  kappa: coefficient,
  ac1: coefficient,
});
export type ShownCalibration = z.output<typeof shownCalibration>;

const statistics = z.object({
  confidence: z.number(),
  trials: count,
  scenarios: count,
  total: count,
  graded: count,
  coverage: z.number(),
  graded_pass_rate: z.object({ value: share, low: share, high: share }),
  pass_hat: z.array(z.object({ k: z.number(), value: share, scenarios: count })),
  unstable: z.array(z.object({ scenario_id: z.string(), scenario_name: z.string(), graded: count, passed: count })),
  flaky_scenarios: z.array(
    z.object({ scenario_id: z.string(), scenario_name: z.string(), passed: count, failed: count }),
  ),
  excluded: z.array(z.object({ status: z.string(), error_code: z.nullable(z.string()), count })),
  by_category: z.array(
    z.object({ category: z.string(), graded: count, passed: count, value: share, low: share, high: share }),
  ),
  by_severity: z.array(z.object({ severity: z.string(), graded: count, passed: count })),
  must_pass_violations: z.array(mustPassViolation),
  minimum_detectable_drop: share,
  /** The newest calibration of the judge that marked the run. */
  calibration: z.nullable(shownCalibration),
  calibration_note: z.string(),
});
export type Statistics = z.output<typeof statistics>;

const changedScenario = z.object({
  scenario_id: z.string(),
  scenario_name: z.string(),
  before: z.number(),
  after: z.number(),
  /** Percent. */
  score_before: share,
  score_after: share,
  /** Must-pass violations per conversation. */
  violations_before: z.number(),
  violations_after: z.number(),
});
export type ChangedScenario = z.output<typeof changedScenario>;

const categoryDifference = z.object({
  category: z.nullable(z.string()),
  scenarios: count,
  before: z.number(),
  after: z.number(),
  value: z.number(),
  low: z.number(),
  high: z.number(),
  /** The same for the mean score; before and after in percent. */
  score: z.nullable(
    z.object({ before: z.number(), after: z.number(), value: z.number(), low: z.number(), high: z.number() }),
  ),
});
export type CategoryDifference = z.output<typeof categoryDifference>;

const questionTest = z.object({
  on: z.enum(['passed', 'score', 'must_pass']),
  scenarios: count,
  before: share,
  after: share,
  /** Negative is worse in all three: of must_pass it is before − after. */
  difference: share,
  low: share,
  high: share,
  adjusted_p_value: share,
});
export type QuestionTest = z.output<typeof questionTest>;

const criteriaGroup = z.object({
  group: z.nullable(z.string()),
  criteria: count,
  scenarios: count,
  before: z.number(),
  after: z.number(),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  adjusted_p_value: share,
});
export type CriteriaGroup = z.output<typeof criteriaGroup>;

const changedCriterion = z.object({
  scenario_id: z.string(),
  scenario_name: z.string(),
  criterion: z.string(),
  before: z.number(),
  after: z.number(),
  adjusted_p_value: z.number(),
});
export type ChangedCriterion = z.output<typeof changedCriterion>;

const comparison = z.object({
  confidence: z.number(),
  scenarios: z.object({ compared: count, changed: count, only_before: count, only_after: count, ungraded: count }),
  difference: z.object({ value: share, low: share, high: share }),
  by_category: z.array(categoryDifference),
  tests: z.array(questionTest),
  /** Which of the three show a change. */
  grounds: z.array(z.string()),
  verdict: z.enum(['better', 'worse', 'mixed', 'no_evidence', 'cannot_tell']),
  sentence: z.string(),
  better: z.array(changedScenario),
  worse: z.array(changedScenario),
  new_must_pass_violations: z.array(mustPassViolation),
  criteria: z.array(changedCriterion),
  criteria_summary: z.object({ sentence: z.string() }),
  groups: z.array(criteriaGroup),
  doubts: z.array(z.object({ kind: z.string(), sentence: z.string() })),
});
export type Comparison = z.output<typeof comparison>;

export function getStatistics(runId: string, signal: AbortSignal): Promise<Statistics> {
  return call(statistics, `/api/v1/tests/${encodeURIComponent(runId)}/statistics`, { signal });
}

export function getComparison(before: string, after: string, signal: AbortSignal): Promise<Comparison> {
  const query = new URLSearchParams({ before });
  return call(comparison, `/api/v1/tests/${encodeURIComponent(after)}/comparison?${query}`, { signal });
}
