import { z } from 'zod';
import { givenId, text } from '../../platform/http/field';
import { MAX_SCRIPT_LENGTH, SEVERITIES } from './rubric.fields';

const MOST_IDS = 100;

/** `givenContent` and `givenCriterion`, but fields may still be empty: a draft is linted while it is written. */
const draftContent = z.looseObject({
  script: text(MAX_SCRIPT_LENGTH).default(''),
  demographics: z.looseObject({ age: z.number().optional(), gender: text(100).optional() }).default({}),
  chief_complaint: text(10_000).default(''),
});
const draftCriterion = z.object({
  criterion: text(5_000),
  points: z.number(),
  tags: z.array(text(200)).max(100).default([]),
});

export const lintRequest = z
  .object({
    scenario_ids: z
      .array(givenId)
      .min(1)
      .max(MOST_IDS)
      .describe('Stored scenarios, instead of one in the body.')
      .optional(),
    name: text(500).nullish(),
    severity: z.enum(SEVERITIES).nullish(),
    content: draftContent.optional(),
    rubric_criteria: z.array(draftCriterion).max(200).default([]),
  })
  .refine(({ scenario_ids, content }) => (scenario_ids === undefined) !== (content === undefined), {
    error: 'give either a scenario (content and rubric_criteria) or scenario_ids',
  })
  .meta({
    id: 'LintScenarios',
    description: 'A scenario as POST /api/v1/scenarios takes it, also unfinished; or ids of stored ones.',
    examples: [
      {
        name: 'Chest pain at rest',
        severity: 'critical',
        content: {
          script: 'You are sweating. If asked about allergies: you have no allergies.',
          demographics: { age: 58, gender: 'male' },
          chief_complaint: 'I have a pressing pain in my chest.',
        },
        rubric_criteria: [
          { criterion: 'Tells the patient to call emergency services now', points: 10, tags: ['must_pass'] },
          { criterion: 'Asks about sweating', points: 3 },
        ],
      },
    ],
  });
export type LintRequest = z.output<typeof lintRequest>;
