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
  before: share.describe('Part of its graded trials that passed.'),
  after: share,
});
export type ChangedScenario = z.infer<typeof changedScenario>;

const METHODS = ['paired_bootstrap', 'exact_bound'] as const;

const categoryDifference = z.object({
  category: z.string().nullable().describe('As the scenarios have it now; null of those that are gone.'),
  scenarios: z.int().min(1).describe('Compared ones of that category.'),
  before: share.describe('The mean over its scenarios of the part of their graded trials that passed.'),
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
      compared: count.describe('With a graded trial in both runs, and the same text and rubric.'),
      changed: count.describe('Whose text or rubric is another one now: left out.'),
      only_before: count,
      only_after: count,
      ungraded: count.describe('In both runs, but without a verdict in one of them.'),
    }),
    difference: z
      .object({
        value: points.nullable(),
        low: points.nullable(),
        high: points.nullable(),
        method: z.enum(METHODS),
      })
      .describe(
        'Points, after − before: the mean over the compared scenarios. Where they all differ alike, or are too few to show any change, resampling says nothing: exact_bound.',
      ),
    by_category: z
      .array(categoryDifference)
      .describe(
        'The same difference over the scenarios of each category, each with an interval of its own: many categories are many chances to stand out.',
      ),
    test: z.object({ name: z.enum(['mcnemar_exact', 'sign_flip']), p_value: probability.nullable() }),
    verdict: z.enum(VERDICTS),
    sentence: z.string().describe('The verdict in words, with what it rests on.'),
    trials_needed: z
      .int()
      .nullable()
      .describe(
        'Trials a scenario that would show such a difference; null when it is shown, is none, or when trials alone would not do.',
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
          before: share.describe('How well it was met, the mean over trials.'),
          after: share,
          p_value: probability,
          adjusted_p_value: probability.describe('After Holm, over every criterion of the compared scenarios.'),
        }),
      )
      .describe('Those that were met better or less well, the clearest first.'),
    doubts: z.array(doubt).describe('What differs between the runs beside the agent.'),
  })
  .meta({ id: 'RunComparison' });
export type ComparisonView = z.infer<typeof comparisonView>;
