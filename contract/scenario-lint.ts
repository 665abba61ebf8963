import { z } from 'zod';
import { givenId, id, text } from './field';
import { MAX_SCRIPT_LENGTH } from './rubric';
import { SEVERITIES } from '../src/domain';
import { operation } from './operation';

/** `error`: the mark can be wrong. `warning`: it says less than it seems to. */
const FINDING_SEVERITIES = ['error', 'warning'] as const;

export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

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
  check: z.record(z.string(), z.unknown()).optional().describe('Also unfinished.'),
});

const lintRequest = z
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

export const finding = z
  .object({
    rule: z.string().describe('docs/writing-scenarios.md explains each.'),
    severity: z.enum(FINDING_SEVERITIES),
    path: z
      .string()
      .describe('Where it stands in the scenario.')
      .meta({ examples: ['rubric_criteria[3].criterion'] }),
    sentence: z.string().describe('What is wrong, and what to write instead.'),
  })
  .meta({ id: 'ScenarioFinding' });

const lintedList = z.object({
  scenarios: z.array(
    z
      .object({
        scenario_id: id.nullable().describe('Null for a scenario that was sent.'),
        name: z.string().nullable(),
        findings: z.array(finding),
      })
      .meta({ id: 'LintedScenario' }),
  ),
  total: z.int(),
  total_findings: z.int(),
});

export const lintScenarios = operation({
  id: 'lintScenarios',
  method: 'POST',
  path: '/api/v1/scenarios/lint',
  tag: 'Scenarios',
  role: 'viewer',
  recorded: 'never',
  summary: 'Lint scenarios',
  description:
    'Rules, no language model: questions that the patient answers unasked, two acts in one criterion, a rubric that a fixed text passes, and the like. Nothing is stored.',
  body: lintRequest,
  answers: {
    200: { description: 'The findings, scenario by scenario.', schema: lintedList },
    400: 'A field is wrong, or one of the ids is unknown; the message names it.',
  },
});
