import { filledText, id, name, tags, timestamp } from './field';
import { z } from 'zod';
import { SEVERITIES } from '../src/domain';
import { SCENARIO_TYPES, content, criterion, givenContent, givenRubric } from './rubric';
import { WHOLE_LIST, pageFields, wholeListFields } from './page';
import { finding } from './scenario-lint';
import { CHANGED_MEANWHILE, pageHeaders, tagHeaders } from './headers';
import { operation } from './operation';

const category = filledText(200);

/** The person who approves: only together with `approved: true`. */
const signature = {
  approved_by: filledText(200)
    .nullish()
    .describe(
      'Who approves it; only with `approved: true`. A person who has signed in approves under the name that the service knows, whatever is sent.',
    ),
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

const updateScenarioRequest = z
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

const deleteScenarioQuery = z.object({
  purge: flag
    .optional()
    .describe('`true`: the scenario and its revisions are removed for good, if nothing refers to it.'),
});

export type DeleteScenarioQuery = z.output<typeof deleteScenarioQuery>;

const listScenariosQuery = z.object({
  ...wholeListFields,
  tag: filledText(200).optional().describe('Only scenarios with this tag.'),
});

export type ListScenariosQuery = z.output<typeof listScenariosQuery>;

const sealed = {
  revision: z.int().min(1).describe('Raised by every change of content or rubric_criteria.'),
  content_hash: z.string().describe('SHA-256 of the canonical JSON (RFC 8785) of { content, rubric_criteria }.'),
};

const signed = {
  approved_by: z
    .string()
    .nullable()
    .describe('Who approved it; null when no person is named, and when it is not approved.'),
  approved_role: z.string().nullable(),
  approved_at: timestamp.nullable().describe('Null as well for starters, which no person has approved.'),
};

// Enumerations of stored values are open in answers: another version may have written a value that this one does not know.
const identity = { scenario_id: id, name: z.string(), category: z.string() };

const matter = { content, rubric_criteria: z.array(criterion) };

const selection = {
  scenario_type: z.string(),
  is_active: z.boolean(),
  approved: z.boolean(),
  priority: z.number().nullable(),
  tags: z.array(z.string()),
};

/** One scenario. The specification leaves `severity` to list items. */
export const scenarioView = z
  .object({
    ...identity,
    ...selection,
    ...matter,
    ...sealed,
    ...signed,
    approved_revision: z.int().nullable().describe('The revision that was approved: the present one, or null.'),
    approval_note: z
      .string()
      .nullable()
      .describe('A sentence about an approval that no person answers for, such as that of a starter; otherwise null.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Scenario' });

const scenarioListItem = z
  .object({ ...identity, severity: z.string(), ...selection, ...matter, ...sealed, ...signed })
  .meta({ id: 'ScenarioListItem' });

const scenarioList = z.object({ scenarios: z.array(scenarioListItem), total: z.int() });

const scenarioRevision = z
  .object({
    ...sealed,
    approved_by: z
      .string()
      .nullable()
      .describe('Of the last approval that it was given, also when that was withdrawn since.'),
    approved_role: z.string().nullable(),
    approved_at: timestamp.nullable(),
    created_at: timestamp.describe(
      'For scenarios from releases that kept no revisions: when the service was upgraded.',
    ),
    ...matter,
  })
  .meta({ id: 'ScenarioRevision' });

const revisionList = z.object({ revisions: z.array(scenarioRevision), total: z.int() });

const generatedScenario = z
  .object({ ...identity, scenario_type: z.string(), ...matter })
  .meta({ id: 'GeneratedScenario' });

export const generatedList = z.object({ scenarios: z.array(generatedScenario), total: z.int() });

/** What would be stored: together with `approved` and other optional fields, a body of POST /api/v1/scenarios. */
const proposedScenario = z
  .object({
    name: z.string(),
    category: z.string(),
    ...matter,
    tags: z.array(z.string()),
    findings: z.array(finding).describe('What the lint says of it; not part of the scenario.'),
  })
  .meta({ id: 'ProposedScenario' });

export const proposedList = z.object({ scenarios: z.array(proposedScenario), total: z.int() });

const revisionsQuery = z.object(pageFields);

const NOT_FOUND = 'Scenario not found';

export const listScenarios = operation({
  id: 'listScenarios',
  method: 'GET',
  path: '/api/v1/scenarios',
  tag: 'Scenarios',
  role: 'viewer',
  summary: 'List active scenarios, by priority and name',
  description: WHOLE_LIST,
  query: listScenariosQuery,
  answers: { 200: { description: 'The active scenarios.', schema: scenarioList, headers: pageHeaders } },
});

export const createScenario = operation({
  id: 'createScenario',
  method: 'POST',
  path: '/api/v1/scenarios',
  tag: 'Scenarios',
  role: 'admin',
  summary: 'Create a scenario',
  body: createScenarioRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The scenario as stored.', schema: scenarioView, headers: tagHeaders },
    400: 'A field is missing or wrong; the message names it by its path.',
  },
});

export const getScenario = operation({
  id: 'getScenario',
  method: 'GET',
  path: '/api/v1/scenarios/{id}',
  tag: 'Scenarios',
  role: 'viewer',
  summary: 'Get a scenario',
  description: 'Also answers a deleted one, with `is_active` false.',
  answers: { 200: { description: 'The scenario.', schema: scenarioView, headers: tagHeaders }, 404: NOT_FOUND },
});

export const listScenarioRevisions = operation({
  id: 'listScenarioRevisions',
  method: 'GET',
  path: '/api/v1/scenarios/{id}/revisions',
  tag: 'Scenarios',
  role: 'viewer',
  summary: 'List the revisions of a scenario, newest first',
  description:
    'Every change of content or rubric_criteria makes a revision, which is kept as it was; scenario runs name theirs. ' +
    'A page holds a megabyte of text at most, so it may be shorter than its limit; Link names the next.',
  query: revisionsQuery,
  answers: {
    200: { description: 'A page of revisions.', schema: revisionList, headers: pageHeaders },
    400: 'A parameter is wrong.',
    404: NOT_FOUND,
  },
});

export const updateScenario = operation({
  id: 'updateScenario',
  method: 'PATCH',
  path: '/api/v1/scenarios/{id}',
  tag: 'Scenarios',
  role: 'admin',
  summary: 'Update a scenario',
  description:
    'Fields that are left out stay as they are; runs that have started keep the scenario they started with. Another content or ' +
    'rubric_criteria is a new revision, and no longer approved unless the same request says `approved: true`.',
  body: updateScenarioRequest,
  takesIfMatch: true,
  answers: {
    200: { description: 'The scenario as it is now.', schema: scenarioView, headers: tagHeaders },
    400: 'A field is wrong; the message names it by its path.',
    404: NOT_FOUND,
    412: CHANGED_MEANWHILE,
  },
});

export const deleteScenario = operation({
  id: 'deleteScenario',
  method: 'DELETE',
  path: '/api/v1/scenarios/{id}',
  tag: 'Scenarios',
  role: 'admin',
  summary: 'Delete a scenario',
  description:
    'It is marked inactive: it disappears from lists and is no longer chosen for runs. With `purge=true` it is removed for good, with its ' +
    'revisions; only if no run, no suite and no twin refers to it.',
  query: deleteScenarioQuery,
  answers: {
    204: { description: 'Marked inactive, or removed.' },
    400: 'A parameter is wrong.',
    404: NOT_FOUND,
    409: 'With purge: something refers to it; the message says how many runs, and what else.',
  },
});
