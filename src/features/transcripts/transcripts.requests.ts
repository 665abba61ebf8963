import { z } from 'zod';
import { DERIVATIONS } from '../../domain/derivation';
import { REGIONS } from '../../domain/region';
import { filledText, name, open } from '../../platform/http/field';
import { startRunAnswer } from '../runs/start-run';
import { transcriptItem } from './transcript-item';

const MOST_ITEMS = 1_000;
/** Body of POST /api/v1/transcripts. */
export const transcriptsRequest = z
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

export const transcriptsAnswer = startRunAnswer
  .omit({ skipped_scenario_ids: true })
  .extend({ derived_from: z.null(), derivation: z.enum(DERIVATIONS) })
  .meta({ id: 'GradedTranscripts' });
export type TranscriptsAnswer = z.infer<typeof transcriptsAnswer>;
