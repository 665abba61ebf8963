import { z } from 'zod';
import { DERIVATIONS } from '../../machines/derivation';
import { isAgent } from '../calibrations/exchanges';
import { filledText, givenId, name, text } from '../http/field';
import { open, startRunAnswer } from '../runs/start-run';
import { givenRubric } from '../scenarios/rubric.fields';

const MOST_ITEMS = 1_000;
const MOST_MESSAGES = 200;
const LONGEST_MESSAGE = 100_000;

const message = z
  .object({
    role: z.enum(['patient', 'agent', 'user', 'assistant']).describe('`user` is the patient, `assistant` the agent.'),
    content: text(LONGEST_MESSAGE),
  })
  .meta({ id: 'GivenMessage' });

const item = z
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
    if (!transcript.some(({ role, content }) => isAgent(role) && content.trim() !== '')) {
      wrong('transcript', 'holds no words of the agent: there is nothing to mark');
    }
  })
  .meta({ id: 'GivenTranscript' });

/** Body of POST /api/v1/transcripts. */
export const transcriptsRequest = z
  .object({
    name: open(name),
    agent_name: name.describe('Who spoke as the agent. Conversations under one name are of one agent.'),
    agent_version: open(filledText(200)).describe('Which version of it, such as a git commit; kept with the results.'),
    items: z.array(item).min(1).max(MOST_ITEMS),
    judge_model: open(filledText(220)).describe('The model that marks, out of ALLOWED_MODELS.'),
    pass_threshold: open(z.number().min(0).max(100)).describe('Percent of the points; default 50.'),
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
export type TranscriptItem = TranscriptsRequest['items'][number];

export const transcriptsAnswer = startRunAnswer
  .omit({ skipped_scenario_ids: true })
  .extend({ derived_from: z.null(), derivation: z.enum(DERIVATIONS) })
  .meta({ id: 'GradedTranscripts' });
export type TranscriptsAnswer = z.infer<typeof transcriptsAnswer>;
