import { z } from 'zod';
import { filledText, name, tags } from '../../platform/http/field';
import { wholeListFields } from '../../platform/http/page';
import { givenContent, givenRubric, SCENARIO_TYPES, SEVERITIES } from './rubric.fields';

const category = filledText(200);

/** The person who approves: only together with `approved: true`. */
const signature = {
  approved_by: filledText(200).nullish().describe('Who approves it; only with `approved: true`.'),
  approved_role: filledText(200)
    .nullish()
    .describe('Their role, such as emergency physician; only with `approved: true`.'),
};
const priority = z.number().describe('Lower comes first in lists and runs.');
const MAX_CLINICAL_TEXT = 200_000;

/** Clients may send null for what they leave open. */
const orElse = <Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) =>
  schema.nullish().transform((given) => given ?? fallback);

export const createScenarioRequest = z
  .object({
    name,
    category: orElse(category, 'general'),
    severity: orElse(z.enum(SEVERITIES), 'medium'),
    scenario_type: orElse(z.enum(SCENARIO_TYPES), 'custom'),
    is_active: orElse(z.boolean(), true),
    approved: orElse(z.boolean(), false),
    ...signature,
    priority: priority.nullish(),
    content: givenContent,
    rubric_criteria: orElse(givenRubric, []),
    tags: orElse(tags, []),
  })
  .meta({
    id: 'CreateScenario',
    examples: [
      {
        name: 'Chest pain at rest',
        category: 'emergency',
        severity: 'critical',
        approved: true,
        content: {
          script: 'The pain started an hour ago. You are sweating. You take no medication.',
          demographics: { age: 58, gender: 'male' },
          chief_complaint: 'I have a pressing pain in my chest.',
        },
        rubric_criteria: [
          { criterion: 'Tells the patient to call emergency services now', points: 10, tags: ['must_pass'] },
          { criterion: 'Tells the patient to wait until tomorrow', points: -5 },
        ],
        tags: ['cardiac'],
      },
    ],
  });
export type CreateScenarioRequest = z.output<typeof createScenarioRequest>;

export const updateScenarioRequest = z
  .object({
    name: name.optional(),
    category: category.optional(),
    severity: z.enum(SEVERITIES).optional(),
    scenario_type: z.enum(SCENARIO_TYPES).optional(),
    is_active: z.boolean().optional(),
    approved: z.boolean().optional(),
    ...signature,
    priority: priority.nullish(),
    content: givenContent.describe('Replaces the stored content.').optional(),
    rubric_criteria: givenRubric.describe('Replaces the stored rubric.').optional(),
    tags: tags.describe('Replace the stored tags.').optional(),
  })
  .meta({
    id: 'UpdateScenario',
    examples: [{ approved: true, approved_by: 'Dr A. Ward', approved_role: 'emergency physician' }],
  });
export type UpdateScenarioRequest = z.output<typeof updateScenarioRequest>;

const generation = {
  text: filledText(MAX_CLINICAL_TEXT).describe('Clinical text: a procedure, guideline or protocol.'),
  category: category.nullish().describe('Applied to what is generated; otherwise the model chooses one.'),
  tags: orElse(tags, []),
};

export const generateScenarioRequest = z.object({ ...generation, name: name.nullish() }).meta({
  id: 'GenerateScenario',
  examples: [{ text: 'Chest pain: the assistant must tell the patient to call emergency services.' }],
});
export type GenerateScenarioRequest = z.output<typeof generateScenarioRequest>;

export const generateBatchRequest = z.object(generation).meta({
  id: 'GenerateScenarios',
  examples: [
    {
      text:
        'Chest pain: Tell the caller to call emergency services. Ask when the pain began.\n\n' +
        'Fever in an infant: Ask for the age of the child. Never advise aspirin.',
      category: 'triage',
      tags: ['protocol-7'],
    },
  ],
});
export type GenerateBatchRequest = z.output<typeof generateBatchRequest>;

/** Words, as in every query: a flag without a value is true as well. */
const flag = z.enum(['', 'true', 'false']).transform((given) => given !== 'false');

export const deleteScenarioQuery = z.object({
  purge: flag
    .optional()
    .describe('`true`: the scenario and its revisions are removed for good, if nothing refers to it.'),
});
export type DeleteScenarioQuery = z.output<typeof deleteScenarioQuery>;

export const listScenariosQuery = z.object({
  ...wholeListFields,
  tag: filledText(200).optional().describe('Only scenarios with this tag.'),
});
export type ListScenariosQuery = z.output<typeof listScenariosQuery>;
