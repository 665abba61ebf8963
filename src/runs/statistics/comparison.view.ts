import { z } from 'zod';
import { id } from '../../http/field';
import { mustPassViolation } from './statistics.view';

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const points = z.number().min(-100).max(100);
const probability = z.number().min(0).max(1);

const side = z.object({ id, test_run_id: z.string().describe('Its label.'), agent_name: z.string() });

const changedScenario = z.object({
  scenario_id: id,
  scenario_name: z.string(),
  before: share.describe('The share of its graded trials that passed.'),
  after: share,
});
export type ChangedScenario = z.infer<typeof changedScenario>;

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
});
export type CategoryDifference = z.infer<typeof categoryDifference>;

export const VERDICTS = ['better', 'worse', 'no_evidence', 'cannot_tell'] as const;
export type ComparisonVerdict = (typeof VERDICTS)[number];

export const DOUBTS = [
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
  'agent_config',
] as const;

const doubt = z.object({ kind: z.enum(DOUBTS), sentence: z.string() });
export type Doubt = z.infer<typeof doubt>;

/** Two runs set beside each other, scenario by scenario. */
export const comparisonView = z
  .object({
    before: side,
    after: side,
    confidence: z.number(),
    scenarios: z.object({
      compared: count.describe('Graded at least once in both runs, with the same text and rubric.'),
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
    test: z.object({ name: z.enum(['mcnemar_exact', 'sign_flip']), p_value: probability.nullable() }),
    verdict: z.enum(VERDICTS),
    sentence: z.string().describe('The verdict in words, and the evidence for it.'),
    trials_needed: z
      .int()
      .nullable()
      .describe(
        'How many trials per scenario would be enough to show a difference of this size; null when this comparison already shows it, when there is no difference, or when more trials alone would not be enough.',
      ),
    better: z.array(changedScenario),
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
    doubts: z.array(doubt).describe('What differs between the runs apart from the agent.'),
  })
  .meta({ id: 'RunComparison' });
export type ComparisonView = z.infer<typeof comparisonView>;
