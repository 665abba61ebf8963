import { z } from 'zod';
import { filledText, text } from './field';
import { isLimit, MUST_PASS_RULE } from '../src/domain';
import { givenCheck } from './checks';

/** Far beyond any rubric; keeps sums of points exact. */
const MAX_POINTS = 1_000_000;

export const SCENARIO_TYPES = ['full', 'demo', 'custom'] as const;

export const MAX_SCRIPT_LENGTH = 100_000;

/** `content` as clients send it: other keys than the three are kept as they are. */
export const givenContent = z
  .looseObject({
    script: filledText(MAX_SCRIPT_LENGTH).describe('What the patient knows: one fact per sentence.'),
    demographics: z
      .looseObject({ age: z.number().min(0).max(150).optional(), gender: text(100).optional() })
      .default({}),
    chief_complaint: filledText(10_000).describe('What brings the patient here, in their words.'),
  })
  .meta({
    id: 'GivenScenarioContent',
    description:
      'Other fields are kept as they are. /docs/scenario.schema.json describes those that have a meaning, such as gold_standard and sources; only files are checked for their shape.',
  });

export const givenCriterion = z
  .object({
    criterion: filledText(5_000).describe('What the agent says or does, decidable from the transcript.'),
    points: z.number().min(-MAX_POINTS).max(MAX_POINTS).describe('Negative: must not be met.'),
    tags: z
      .array(filledText(200))
      .max(100)
      .default([])
      .describe(`\`must_pass\` fails the scenario when violated, whatever the score: ${MUST_PASS_RULE}.`),
    by_turn: z.int().min(1).max(100).describe('The turn by which it must be done.').optional(),
    check: givenCheck.optional(),
  })
  .meta({ id: 'GivenRubricCriterion' });

/** What does not go together in one criterion. */
export function checkedCriterion(
  { points, by_turn: byTurn, check }: z.output<typeof givenCriterion>,
  context: z.RefinementCtx,
): void {
  if (check === undefined) return;
  const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  if (isLimit(check) && points < 0) {
    refuse('points', `must be 0 or more: a check of the kind ${check.kind} is met when its limit is kept`);
  }
  if (byTurn === undefined) return;
  if (isLimit(check)) refuse('by_turn', `says nothing where the check is of the kind ${check.kind}: leave it out`);
  else if ('turn' in check && check.turn !== undefined && check.turn !== 'any') {
    refuse('by_turn', 'and check.turn both say which reply: leave one of them out');
  }
}

export const givenRubric = z.array(givenCriterion.superRefine(checkedCriterion)).max(200);

export const content = z
  .looseObject({
    script: z.string(),
    demographics: z.looseObject({ age: z.number().optional(), gender: z.string().optional() }),
    chief_complaint: z.string(),
  })
  .meta({ id: 'ScenarioContent' });

export const criterion = z
  .object({
    criterion: z.string(),
    points: z.number(),
    tags: z.array(z.string()),
    by_turn: z.int().optional(),
    check: givenCheck.optional(),
  })
  .meta({ id: 'RubricCriterion' });
