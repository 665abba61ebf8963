import { z } from 'zod';
import { givenContent, givenRubric } from './rubric';
import { criterionResult } from './scenario-runs';
import { name } from './field';
import { operation } from './operation';

const tryScenarioRequest = z
  .object({
    name: name.nullish(),
    content: givenContent,
    rubric_criteria: givenRubric.min(1, 'must have at least 1 item; without criteria nothing can be marked'),
  })
  .meta({
    id: 'TryScenario',
    examples: [
      {
        name: 'Chest pain at rest',
        content: {
          script: 'The pain started an hour ago. If asked about allergies: you have no allergies.',
          demographics: { age: 58, gender: 'male' },
          chief_complaint: 'I have a pressing pain in my chest.',
        },
        rubric_criteria: [
          { criterion: 'Tells the patient to call emergency services now', points: 10, tags: ['must_pass'] },
          { criterion: 'Asks about allergies', points: 3 },
        ],
      },
    ],
  });

export type TryScenarioRequest = z.output<typeof tryScenarioRequest>;

/** A conversation that is not stored, and its marks. */
const triedScenario = z
  .object({
    agent: z.string().describe('Who was examined.'),
    transcript: z.array(z.object({ turn: z.int().min(1), role: z.enum(['patient', 'agent']), content: z.string() })),
    passed: z.boolean(),
    score_percent: z.number().min(0).max(100),
    total_points: z.number(),
    max_points: z.number(),
    grade_summary: z.string(),
    criteria_results: z.array(criterionResult),
  })
  .meta({ id: 'TriedScenario' });

export type TriedScenario = z.output<typeof triedScenario>;

export const tryScenario = operation({
  id: 'tryScenario',
  method: 'POST',
  path: '/api/v1/scenarios/try',
  tag: 'Scenarios',
  role: 'viewer',
  recorded: 'never',
  summary: 'Try a scenario against the demo agent, before it is stored',
  description:
    'Patient and judge are the rules of an offline run, whatever models are set up: it costs nothing, shows how script and checklist ' +
    'work, and says nothing of clinical worth. Nothing is stored.',
  body: tryScenarioRequest,
  answers: {
    200: { description: 'The conversation and its marks.', schema: triedScenario },
    400: 'A field is wrong, or the script makes the patient say what no patient may; the message names it.',
    429: 'Too much of the same caller waits already.',
    500: 'The texts could not be read.',
  },
});
