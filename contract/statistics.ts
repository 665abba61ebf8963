import { id, queryNumber, timestamp } from './field';
import { z } from 'zod';
import { JUDGE_CHANGES } from './calibrations';
import { SCENARIO_RUN_STATUSES, TEST_RUN_STATUSES, ERROR_CODES } from '../src/domain';
import { operation } from './operation';

/** As many scenario runs of other runs are looked at: statistics are waited for. */
export const MOST_ELSEWHERE = 2_000;

export const confidence = queryNumber(z.number().min(50).lt(100).default(95)).describe(
  'The confidence level of the intervals, in percent.',
);

const statisticsQuery = z.object({ confidence });

const count = z.int().min(0);

const percent = z.number().min(0).max(100);

export const rateView = z.object({
  value: percent.nullable().describe('Percent; null when nothing was graded.'),
  low: percent.nullable(),
  high: percent.nullable(),
  method: z.enum(['wilson', 'wilson_clustered']),
  effective_n: z
    .number()
    .min(0)
    .describe('How many independent conversations would be as informative; at most the number graded.'),
});

export type RateView = z.infer<typeof rateView>;

const groupFields = {
  graded: count,
  passed: count,
  value: percent.nullable(),
  low: percent.nullable(),
  high: percent.nullable(),
};

export const severityGroup = z.object({ severity: z.string(), ...groupFields });

export const mustPassViolation = z.object({
  scenario_run_id: id,
  scenario_id: id,
  scenario_name: z.string(),
  trial: z.int().min(1),
  criterion: z.string(),
  kind: z
    .enum(['missed', 'committed'])
    .describe('missed: the agent did not do what earns points. committed: it did what costs points.'),
});

export type MustPassViolationView = z.infer<typeof mustPassViolation>;

const examiner = z.object({
  name: z.string(),
  model: z.string().nullable(),
  prompt_version: z.string().nullable(),
});

export const examinersView = z.object({
  tester: examiner,
  judge: examiner,
  clinical: z
    .boolean()
    .describe('False when the patient or the judge ran offline: the marks then have no clinical meaning.'),
  mixed: z.boolean().describe('Its scenario runs had different examiners; the most frequent pair is named.'),
});

export type ExaminersView = z.infer<typeof examinersView>;

const measure = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});

/** How far the judge of a run agrees with people, as it was measured last. */
export const shownCalibration = z
  .object({
    id,
    name: z.string(),
    source: z.string().describe('`given`, or `starter_set`: a smoke test.'),
    at: timestamp.describe('When it was completed.'),
    judge: examiner.describe('Of the calibration.'),
    stale: z.boolean().describe('It was made with another model or other prompts than the run.'),
    changed: z.array(z.enum(JUDGE_CHANGES)).describe('What differs; empty unless it is stale.'),
    transcripts: count,
    raw: measure.describe('Share of decisions that are the same as the labels, 0..1.'),
    kappa: measure.describe("Cohen's κ, −1..1."),
    ac1: measure.describe("Gwet's AC1, −1..1."),
    macro_f1: measure.describe('0..1'),
    controls_wrong: z
      .number()
      .nullable()
      .describe('The share of control questions answered wrongly, 0..1; null offline.'),
  })
  .meta({ id: 'ShownCalibration' });

export type ShownCalibration = z.infer<typeof shownCalibration>;

/** What the numbers of a run say. Rates and differences of rates are percentages and points, unrounded. */
export const statisticsView = z
  .object({
    test_run_id: id,
    status: z.enum(TEST_RUN_STATUSES),
    confidence: z.number(),
    scenarios: count,
    trials: z.int().min(1),
    total: count.describe('Scenario runs.'),
    graded: count,
    passed: count,
    coverage: percent.describe('graded / total × 100.'),
    pass_rate: percent.describe('As in the test run: passed / total × 100.'),
    graded_pass_rate: rateView,
    bounds: z
      .object({ low: percent, high: percent })
      .describe('What the pass rate would be if everything ungraded had failed (low) or passed (high).'),
    pass_hat: z
      .array(z.object({ k: z.int().min(1), value: percent.nullable(), scenarios: count }))
      .describe(
        'How likely it is that k trials of a scenario all pass, averaged over the scenarios with at least k graded trials.',
      ),
    unstable: z
      .array(z.object({ scenario_id: id, scenario_name: z.string(), graded: count, passed: count }))
      .describe('Scenarios whose trials disagree.'),
    flaky_scenarios: z
      .array(z.object({ scenario_id: id, scenario_name: z.string(), passed: count, failed: count }))
      .describe(
        'Scenarios with both verdicts under the same agent config, revision, patient, examiners, turns and pass threshold: in this run, or in ' +
          `this run and the newest others (their last ${MOST_ELSEWHERE.toLocaleString('en')} scenario runs).`,
      ),
    excluded: z.array(
      z.object({ status: z.enum(SCENARIO_RUN_STATUSES), error_code: z.enum(ERROR_CODES).nullable(), count }),
    ),
    by_category: z.array(z.object({ category: z.string(), ...groupFields })),
    by_severity: z.array(severityGroup).describe('By the current severity of the scenarios, most severe first.'),
    by_tag: z.array(z.object({ tag: z.string(), ...groupFields })),
    must_pass_violations: z.array(mustPassViolation),
    disputed: z.object({ criteria: count, scenario_runs: count }),
    flagged: z.object({ scenario_runs: count, by_flag: z.array(z.object({ flag: z.string(), count })) }),
    patient_faults: z.object({
      scenario_runs: count,
      by_kind: z.array(z.object({ kind: z.string(), count })),
      pass_rate_without: rateView
        .nullable()
        .describe('The graded pass rate without those scenario runs; null when there are none.'),
    }),
    reviewed: z.object({
      scenario_runs: count.describe('Scenario runs that a person has reviewed.'),
      changed: count.describe('Of these, those whose verdict differs from the judge’s.'),
    }),
    reviewed_pass_rate: rateView
      .nullable()
      .describe('The graded pass rate where reviews stand in for the judge; null when nothing was reviewed.'),
    minimum_detectable_drop: z
      .number()
      .nullable()
      .describe(
        'The smallest drop, in percentage points, that a second run like this one would show (significance 5 %, power 80 %); null when no drop would.',
      ),
    examiners: examinersView.nullable().describe('Null before anything has ended.'),
    calibration: shownCalibration
      .nullable()
      .describe('The newest calibration of the judge that marked the run; null when there is none.'),
    calibration_note: z.string().describe('What that means for the numbers, in a sentence.'),
  })
  .meta({ id: 'RunStatistics' });

export type StatisticsView = z.infer<typeof statisticsView>;

export const getRunStatistics = operation({
  id: 'getRunStatistics',
  method: 'GET',
  path: '/api/v1/tests/{id}/statistics',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Get the statistics of a test run: its rates, and how far they can be trusted',
  description:
    'At any moment of the run, by id or label. A rate comes with its interval and with how much of the run it covers. ' +
    'docs/statistics.md says which number answers which question.',
  query: statisticsQuery,
  answers: {
    200: { description: 'The statistics.', schema: statisticsView },
    400: 'confidence is not at least 50 and below 100.',
    404: 'Test run not found',
  },
});
