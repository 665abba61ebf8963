import { z } from 'zod';
import { filledText, text } from './field';
import { DECISIONS, REGIONS } from '../src/domain';
import { givenCriterion } from './rubric';

/** The names of the speakers: the words of this service, or those of chat messages. */
const ROLES = ['patient', 'agent', 'user', 'assistant'] as const;

const message = z
  .object({
    role: z.enum(ROLES).describe('`user` is the patient, `assistant` the agent.'),
    content: text(100_000),
  })
  .meta({ id: 'LabelledMessage' });

const label = z
  .object({ rater: filledText(200).describe('Who decided; any name.'), decision: z.enum(DECISIONS) })
  .meta({ id: 'CriterionLabel' });

export const labelledCriterion = givenCriterion
  .omit({ check: true })
  .extend({
    labels: z.array(label).min(1).max(20).describe('What people decided: one for each rater.'),
    doubtful: z
      .boolean()
      .default(false)
      .describe('Clinicians may differ about it: agreement is also told without such criteria.'),
  })
  .meta({ id: 'LabelledCriterion' });

/** A transcript with what people decided about it. */
export const labelledItem = z
  .object({
    id: filledText(200).describe('Any text; different from those of the other items.'),
    transcript: z.array(message).min(1).max(200),
    criteria: z.array(labelledCriterion).min(1).max(50),
    rubric_scale: z
      .enum(['binary'])
      .optional()
      .describe('`binary`: the labels are MET or NOT MET only, and so are the marks.'),
    region: z
      .enum(REGIONS)
      .optional()
      .describe(
        'Where the patient was, which says what number was theirs to call. Any country’s counts when it is left out.',
      ),
  })
  .meta({ id: 'LabelledItem' });

export type LabelledItem = z.output<typeof labelledItem>;

export function isAgent(role: string): boolean {
  return role === 'agent' || role === 'assistant';
}
