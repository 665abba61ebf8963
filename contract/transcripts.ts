import { z } from 'zod';
import { filledText, givenId, name, open, text } from './field';
import { givenRubric } from './rubric';
import { REGIONS, DERIVATIONS } from '../src/domain';
import { startRunAnswer } from './start-run';
import { operation } from './operation';

const MOST_MESSAGES = 200;

const LONGEST_MESSAGE = 100_000;

const message = z
  .object({
    role: z.enum(['patient', 'agent', 'user', 'assistant']).describe('`user` is the patient, `assistant` the agent.'),
    content: text(LONGEST_MESSAGE),
  })
  .meta({ id: 'GivenMessage' });

/** A conversation that was held elsewhere, and what it is to be marked by. */
export const transcriptItem = z
  .object({
    name: open(name).describe('What the conversation is called where it has a rubric of its own; numbered by default.'),
    scenario_id: open(givenId).describe('The scenario whose rubric it is marked by; or else rubric_criteria.'),
    rubric_criteria: open(givenRubric.min(1)).describe('A rubric of its own.'),
    rubric_scale: open(z.enum(['binary'])).describe('Of a rubric of its own: `binary` leaves PARTIALLY MET out.'),
    transcript: z.array(message).min(1).max(MOST_MESSAGES),
  })
  .superRefine(({ scenario_id, rubric_criteria, rubric_scale, transcript }, context) => {
    const wrong = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if ((scenario_id === undefined) === (rubric_criteria === undefined)) {
      wrong('scenario_id', 'is required, or else rubric_criteria: a conversation is marked by one of them');
    }
    if (rubric_scale !== undefined && rubric_criteria === undefined) {
      wrong('rubric_scale', 'belongs to rubric_criteria; a scenario has its own scale');
    }
    if (!transcript.some(({ role, content }) => (role === 'agent' || role === 'assistant') && content.trim() !== '')) {
      wrong('transcript', 'holds no words of the agent: there is nothing to mark');
    }
  })
  .meta({ id: 'GivenTranscript' });

export type TranscriptItem = z.output<typeof transcriptItem>;

const MOST_ITEMS = 1_000;

/** Body of POST /api/v1/transcripts. */
const transcriptsRequest = z
  .object({
    name: open(name),
    agent_name: name.describe('Who spoke as the agent. Conversations under one name are of one agent.'),
    agent_version: open(filledText(200)).describe('Which version of it, such as a git commit; kept with the results.'),
    items: z.array(transcriptItem).min(1).max(MOST_ITEMS),
    judge_model: open(filledText(220)).describe('The model that marks, out of ALLOWED_MODELS.'),
    pass_threshold: open(z.number().min(0).max(100)).describe('Percent of the points; default 50.'),
    region: open(z.enum(REGIONS)).describe(
      'Where the patients were, which says which number reached their emergency services; without it any country’s number counts.',
    ),
  })
  .meta({
    id: 'GradeTranscripts',
    examples: [
      {
        name: 'Calls of October',
        agent_name: 'Triage line',
        items: [
          {
            name: 'Call 17',
            rubric_criteria: [
              { criterion: 'Tells the patient to call emergency services now', points: 8, tags: ['must_pass'] },
            ],
            transcript: [
              { role: 'patient', content: 'My chest feels tight.' },
              { role: 'agent', content: 'Please call 999 now.' },
            ],
          },
        ],
      },
    ],
  });

export type TranscriptsRequest = z.output<typeof transcriptsRequest>;

const transcriptsAnswer = startRunAnswer
  .omit({ skipped_scenario_ids: true })
  .extend({ derived_from: z.null(), derivation: z.enum(DERIVATIONS) })
  .meta({ id: 'GradedTranscripts' });

export type TranscriptsAnswer = z.infer<typeof transcriptsAnswer>;

export const gradeTranscripts = operation({
  id: 'gradeTranscripts',
  method: 'POST',
  path: '/api/v1/transcripts',
  tag: 'Derived runs',
  role: 'runner',
  summary: 'Mark conversations that were held elsewhere',
  description:
    'A test run of what an agent said in production or in another tool, marked like any other; no agent is called. Each conversation is marked by the ' +
    'rubric of a scenario, or by one of its own. Several messages of one side in a row are one; a last message of the patient ' +
    'without a reply is left out. Conversations with one scenario count as its trials.',
  body: transcriptsRequest,
  isKeyed: true,
  answers: {
    200: { description: 'The run is stored and in progress.', schema: transcriptsAnswer },
    400: 'A field is missing or wrong, a scenario does not exist, or the model is not one of ALLOWED_MODELS.',
    409: 'A scenario was purged in this very moment.',
  },
});
