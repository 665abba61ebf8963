import { givenId, id, queryNumber } from './field';
import { z } from 'zod';
import { confidence, mustPassViolation } from './statistics';
import { operation } from './operation';

export const minCoverage = queryNumber(z.number().min(0).max(100).default(95)).describe(
  'The share of conversations, in percent, that must have a verdict in both runs; with fewer the verdict is cannot_tell.',
);

const comparisonQuery = z.object({
  before: givenId.describe('UUID or label of the run to compare with.'),
  confidence,
  min_coverage: minCoverage,
  as: z
    .literal('twins')
    .optional()
    .describe('Refused where the two are no twins: runs that were started over the same conversations, with twin_of.'),
});

const count = z.int().min(0);

const share = z.number().min(0).max(1);

const points = z.number().min(-100).max(100);

const percent = z.number().min(0).max(100);

const probability = z.number().min(0).max(1);

const side = z.object({ id, test_run_id: z.string().describe('Its label.'), agent_name: z.string() });

const changedScenario = z.object({
  scenario_id: id,
  scenario_name: z.string(),
  before: share.describe('The share of its graded trials that passed.'),
  after: share,
  score_before: percent.nullable().describe('Percent, averaged over its graded conversations.'),
  score_after: percent.nullable(),
  violations_before: z.number().min(0).describe('Must-pass criteria violated, averaged over its graded conversations.'),
  violations_after: z.number().min(0),
});

export type ChangedScenario = z.infer<typeof changedScenario>;

/** Kinds of criteria that are compared: each one more makes it harder to show any of them. */
export const MOST_GROUPS = 12;

const METHODS = ['paired_bootstrap', 'exact_bound'] as const;

const categoryDifference = z.object({
  category: z
    .string()
    .nullable()
    .describe('The category that the scenarios have now; null for scenarios that no longer exist.'),
  scenarios: z.int().min(1).describe('How many scenarios of this category were compared.'),
  before: share.describe('The share of graded trials that passed, averaged over its scenarios.'),
  after: share,
  value: points.describe('Points, after − before.'),
  low: points,
  high: points,
  method: z.enum(METHODS),
  score: z
    .object({ before: percent, after: percent, value: points, low: points, high: points, method: z.enum(METHODS) })
    .nullable()
    .describe('The same of the mean score, in percent and points; null when nothing of the category has a score.'),
});

export type CategoryDifference = z.infer<typeof categoryDifference>;

export const QUESTIONS = ['passed', 'score', 'must_pass'] as const;

export type QuestionName = (typeof QUESTIONS)[number];

const questionTest = z.object({
  on: z
    .enum(QUESTIONS)
    .describe(
      'passed: how often the scenarios passed. score: their mean score. must_pass: how many must-pass criteria were violated.',
    ),
  name: z.enum(['mcnemar_exact', 'sign_flip']),
  scenarios: count.describe(
    'How many can answer it: of must_pass those with such a criterion. With too few to show any change adjusted_p_value is null.',
  ),
  before: z
    .number()
    .nullable()
    .describe('The mean over those scenarios: percent, or violations per conversation. Null when there are none.'),
  after: z.number().nullable(),
  difference: z
    .number()
    .nullable()
    .describe(
      'In points or violations. Negative is worse in all three: of must_pass it is before − after, else after − before.',
    ),
  low: z.number().nullable(),
  high: z.number().nullable(),
  method: z.enum(METHODS),
  p_value: probability.nullable(),
  adjusted_p_value: probability
    .nullable()
    .describe(
      'Adjusted by Holm’s method for the questions that the scenarios can answer, of twins for those of all twins.lines; null for one that they cannot.',
    ),
});

export type QuestionTest = z.infer<typeof questionTest>;

const criteriaGroup = z.object({
  group: z
    .string()
    .nullable()
    .describe('A tag of the criteria, such as history, safety or escalation; null for criteria without any.'),
  criteria: z.int().min(1),
  scenarios: z.int().min(1).describe('How many scenarios have such criteria.'),
  before: share.describe('How well they were met, averaged over scenarios.'),
  after: share,
  difference: points.describe('Points, after − before.'),
  low: points,
  high: points,
  method: z.enum(METHODS),
  p_value: probability.describe('Sign-flip over scenarios.'),
  adjusted_p_value: probability
    .nullable()
    .describe('Adjusted by Holm’s method for the groups with scenarios enough to show a change; null for the others.'),
});

export type CriteriaGroup = z.infer<typeof criteriaGroup>;

const twinCriteriaGroup = criteriaGroup
  .extend({
    by: z
      .enum(['must_pass', 'severity'])
      .describe(
        'must_pass: must-pass criteria against all others. severity: by the current severity of the scenarios.',
      ),
    group: z
      .string()
      .nullable()
      .describe('`must_pass` or `others`; or a severity, null for scenarios that no longer exist.'),
    adjusted_p_value: probability
      .nullable()
      .describe(
        'Adjusted by Holm’s method for all of these groups of all `lines`; null for groups with too few scenarios to show a change.',
      ),
  })
  .meta({ id: 'TwinCriteriaGroup' });

export type TwinCriteriaGroup = z.infer<typeof twinCriteriaGroup>;

const VERDICTS = ['better', 'worse', 'mixed', 'no_evidence', 'cannot_tell'] as const;

export type ComparisonVerdict = (typeof VERDICTS)[number];

const DOUBTS = [
  'status',
  'scenarios',
  'scenario_text',
  'rubric',
  'patients',
  'examiners',
  'prompts',
  'trials',
  'max_turns',
  'pass_threshold',
  'region',
  'modality',
  'spoken',
  'agent_config',
] as const;

const doubt = z.object({ kind: z.enum(DOUBTS), sentence: z.string() });

export type Doubt = z.infer<typeof doubt>;

const twinRun = z.object({
  id,
  test_run_id: z.string().describe('Its label.'),
  way: z.string().describe('How it was held.'),
});

export const pairsOfTwins = z
  .object({
    before: z.string().describe('How the run before was held: `in text`, or `spoken over phone with babble:10`.'),
    after: z.string(),
    sentence: z.string().describe('What the difference between the two ways costs or gains, in words.'),
    pairs: z
      .object({
        total: count.describe(
          'Conversations of either run: each has its pair in the other, of one scenario, patient and trial.',
        ),
        compared: count.describe('Pairs of which both have a verdict.'),
        both_passed: count,
        only_before_passed: count,
        only_after_passed: count,
        neither_passed: count,
      })
      .describe('The tests of the comparison are over scenarios: trials of one scenario are not independent.'),
    not_compared: z
      .array(
        z.object({
          run: z
            .enum(['before', 'after'])
            .describe('Whose conversation has no verdict; both may, and are then both counted.'),
          status: z.string(),
          error_code: z.string().nullable(),
          count: z.int().min(1),
        }),
      )
      .describe('Why pairs could not be compared, the most frequent reason first.'),
    criteria: z
      .array(twinCriteriaGroup)
      .describe(
        'What was met in the one way and in the other, over the same pairs: the test is sign-flip over scenarios.',
      ),
    against: twinRun.describe('The run that `lines` are compared with: the one of the two that is held more easily.'),
    lines: z
      .array(twinRun)
      .describe(
        'The runs whose p-values are adjusted together by Holm’s method, each against `against`: the other of the two, and what else of ' +
          'the family is held less easily than `against` and has ended. From the best line to the worst.',
      ),
    adjustment: z.string().describe('For what the p-values are adjusted, in words.'),
  })
  .meta({ id: 'PairsOfTwins' });

export type PairsOfTwins = z.infer<typeof pairsOfTwins>;

/** Two runs set beside each other, scenario by scenario. */
export const comparisonView = z
  .object({
    before: side,
    after: side,
    confidence: z.number(),
    scenarios: z.object({
      compared: count.describe(
        'Graded at least once in both runs, of twins in one pair, with the same text and rubric.',
      ),
      changed: count.describe('Left out because the text or rubric was changed between the runs.'),
      only_before: count,
      only_after: count,
      ungraded: count.describe('In both runs, but ungraded in at least one of them.'),
    }),
    difference: z
      .object({
        value: points.nullable(),
        low: points.nullable(),
        high: points.nullable(),
        method: z.enum(METHODS),
      })
      .describe(
        'Points, after − before, averaged over the compared scenarios. Resampling says nothing when all of them changed by the same amount, or when there are too few to show any change; the interval is then an exact_bound.',
      ),
    by_category: z
      .array(categoryDifference)
      .describe(
        'The same difference for each category, each with its own interval. The more categories there are, the likelier it is that one stands out by chance.',
      ),
    test: z
      .object({ name: z.enum(['mcnemar_exact', 'sign_flip']), p_value: probability.nullable() })
      .describe('Of `passed`, as in `tests`.'),
    tests: z
      .array(questionTest)
      .describe('Three questions, in this order: passed, score, must_pass. The verdict is by their adjusted p-values.'),
    verdict: z
      .enum(VERDICTS)
      .describe('better or worse where all that is shown goes one way, mixed where it goes both ways.'),
    grounds: z.array(z.enum(QUESTIONS)).describe('Which of the three show a change.'),
    sentence: z
      .string()
      .describe(
        'The verdict in words, and the evidence for it; it begins with new must-pass violations, if there are any.',
      ),
    trials_needed: z
      .int()
      .nullable()
      .describe(
        'How many trials per scenario would be enough to show a difference of this size; null when this comparison already shows it, when there is no difference, or when more trials alone would not be enough.',
      ),
    better: z
      .array(changedScenario)
      .describe(
        'Scenarios that passed more often; then those that scored higher, then those with fewer must-pass violations. Each with the largest change first. A scenario is in neither list when nothing of it moved.',
      ),
    worse: z.array(changedScenario),
    new_must_pass_violations: z.array(mustPassViolation),
    criteria: z
      .array(
        z.object({
          scenario_id: id,
          scenario_name: z.string(),
          criterion: z.string(),
          before: share.describe('How well it was met, averaged over trials.'),
          after: share,
          p_value: probability,
          adjusted_p_value: probability.describe(
            'Adjusted by Holm’s method for all criteria of the compared scenarios.',
          ),
        }),
      )
      .describe('Criteria that were met better or worse than before, the clearest change first.'),
    criteria_summary: z.object({
      tested: count,
      shown: count.describe('How many changed by more than chance explains.'),
      could_show: z
        .boolean()
        .describe(
          'False when no criterion could reach the level however it fared: there are too many, in too few conversations.',
        ),
      sentence: z.string(),
    }),
    groups: z
      .array(criteriaGroup)
      .describe(
        `Criteria by their tags: the ${MOST_GROUPS} tags of the most scenarios at most, then criteria without tags. They are tests of their own, and do not change the verdict.`,
      ),
    doubts: z.array(doubt).describe('What differs between the runs apart from the agent.'),
    twins: pairsOfTwins
      .nullable()
      .describe('Of runs that examine the same, held differently: pair by pair. Null for runs that are no twins.'),
  })
  .meta({ id: 'RunComparison' });

/** Two runs of a set, in the order of the set: how the later one fared against the earlier. */
export const comparisonOfPair = z
  .object({
    before: side.extend({ title: z.string() }).describe('The run that the set names first.'),
    after: side.extend({ title: z.string() }),
    scenarios: comparisonView.shape.scenarios,
    difference: comparisonView.shape.difference,
    tests: z
      .array(questionTest)
      .describe(
        'Three questions, in this order: passed, score, must_pass. adjusted_p_value is adjusted by Holm’s method for all questions of all pairs of the set.',
      ),
    verdict: z.enum(VERDICTS).describe('Whether the run after is better or worse than the run before.'),
    grounds: z.array(z.enum(QUESTIONS)).describe('Which of the three show a difference.'),
    sentence: z.string().describe('The verdict in words, with the names of the runs.'),
    doubts: z.array(doubt).describe('What differs between the runs apart from the agent.'),
  })
  .meta({ id: 'PairOfRuns' });

export type PairOfRuns = z.infer<typeof comparisonOfPair>;

export type ComparisonView = z.infer<typeof comparisonView>;

export const compareTestRuns = operation({
  id: 'compareTestRuns',
  method: 'GET',
  path: '/api/v1/tests/{id}/comparison',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Compare a test run with an earlier one: better, worse, mixed, no evidence of a change, or cannot tell',
  description:
    'Scenarios with a verdict in both runs are compared where their text and rubric are the same. ' +
    'Three questions are asked as one family: did they pass less often, score lower, violate more must-pass criteria. ' +
    'Of twins, only pairs of conversations that both have a verdict of count, and the family is of all lines that ended. ' +
    'docs/statistics.md says what the verdicts mean and what they do not.',
  query: comparisonQuery,
  answers: {
    200: { description: 'The comparison.', schema: comparisonView },
    400: 'before is missing or is the run itself, the two are compared as twins and are none, or confidence or min_coverage is out of range.',
    404: 'Test run not found',
    409: 'Either run is under way, or a twin of the two was deleted in this moment.',
  },
});
