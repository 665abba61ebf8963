import { z } from 'zod';
import { DERIVATIONS } from '../../domain/statuses';
import { filledText, givenId, open, id } from '../../platform/http/field';
import { MAX_TRIALS, startRunAnswer } from '../runs/start-run';

/** Body of POST /api/v1/tests/{id}/regrade. */
export const regradeRequest = z
  .object({
    rubric: z
      .enum(['as_run', 'current'])
      .default('as_run')
      .describe(
        'Which rubric: the one that the conversations were marked with, or the one that their scenarios have now. A conversation whose scenario ' +
          'the library does not have keeps its own.',
      ),
    judge_model: open(filledText(220)).describe(
      'The model that marks, out of ALLOWED_MODELS; the one that the run had asked for by default.',
    ),
  })
  .prefault({})
  .meta({ id: 'Regrade', examples: [{ rubric: 'current' }] });
export type RegradeRequest = z.output<typeof regradeRequest>;

/** As long as the replies of a talkative agent: more than any patient says. */
const MAX_MESSAGE = 10_000;
/** No conversation is longer, wherever it was held. */
const MOST_TURNS = 1_000;

/** Body of POST /api/v1/scenario-runs/{id}/fork. */
export const forkRequest = z
  .object({
    at_turn: z.int().min(1).max(MOST_TURNS).describe('The first turn that is new, from 1: those before it are kept.'),
    patient_message: open(filledText(MAX_MESSAGE)).describe(
      'What the patient says at that turn, word for word; what its script makes of the conversation by default.',
    ),
    agent_id: open(givenId).describe('The agent that goes on; the one of the source by default, as it is now.'),
    trials: open(z.int().min(1).max(MAX_TRIALS)).describe('How often the conversation goes on; default 1.'),
  })
  .meta({ id: 'Fork', examples: [{ at_turn: 2, patient_message: 'I forgot: I take blood thinners.' }] });
export type ForkRequest = z.output<typeof forkRequest>;

/** What a request for a derived run is answered with, once the run and its scenario runs are stored. */
export const derivedRunAnswer = startRunAnswer
  .omit({ skipped_scenario_ids: true })
  .extend({
    scenarios_launched: z.int().describe('Those that are to be executed.'),
    scenarios_carried: z.int().describe('Those that were final from the start, with their source’s verdict.'),
    derived_from: id.describe('The run whose scenario runs it began from.'),
    derivation: z.enum(DERIVATIONS),
  })
  .meta({ id: 'DerivedRun' });
export type DerivedRunAnswer = z.infer<typeof derivedRunAnswer>;
