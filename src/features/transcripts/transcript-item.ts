import { z } from 'zod';
import { givenId, name, open, text } from '../../platform/http/field';
import { givenRubric } from '../scenarios/rubric.fields';

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
