import { generateBatchRequest, generateScenarioRequest, generatedList, proposedList, scenarioView } from './scenarios';
import { operation } from './operation';

const TEXT_MISSING = 'The text is missing or empty or states no rule to examine, or a field is wrong.';

const SPENT =
  'The daily limit on language-model cost (MAX_SPEND_USD_PER_DAY) is reached, or there were too many requests; Retry-After says when to try again.';

const GENERATION_FAILED = 'Generation failed: the language model or the database failed. Nothing is stored.';

export const generateScenario = operation({
  id: 'generateScenario',
  method: 'POST',
  path: '/api/v1/scenarios/generate',
  tag: 'Scenarios',
  role: 'admin',
  summary: 'Generate a scenario from clinical text',
  description: 'It is not approved: a clinician approves it with PATCH.',
  body: generateScenarioRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The scenario as stored.', schema: scenarioView },
    400: TEXT_MISSING,
    429: SPENT,
    500: GENERATION_FAILED,
  },
});

export const generateScenarios = operation({
  id: 'generateScenarios',
  method: 'POST',
  path: '/api/v1/scenarios/generate-batch',
  tag: 'Scenarios',
  role: 'admin',
  summary: 'Generate scenarios from a document',
  description: 'One for each case in the text, all stored or none. They are not approved.',
  body: generateBatchRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The scenarios as stored.', schema: generatedList },
    400: TEXT_MISSING,
    429: SPENT,
    500: GENERATION_FAILED,
  },
});

export const previewScenarios = operation({
  id: 'previewScenarios',
  method: 'POST',
  path: '/api/v1/scenarios/generate-preview',
  tag: 'Scenarios',
  role: 'runner',
  summary: 'Preview the scenarios of a document',
  description:
    'What generate-batch would create from the text; nothing is stored. Each can be sent to POST /api/v1/scenarios, unchanged or edited.',
  body: generateBatchRequest,
  answers: {
    200: { description: 'The scenarios, not stored.', schema: proposedList },
    400: TEXT_MISSING,
    429: SPENT,
    500: 'Generation failed: the language model failed.',
  },
});
