import { z } from 'zod';
import { filledText, givenId, id, open } from './field';
import { MAX_TRIALS, startRunAnswer } from './start-run';
import { DERIVATIONS } from '../src/domain';
import { operation } from './operation';

/** Body of POST /api/v1/tests/{id}/regrade. */
const regradeRequest = z
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
const forkRequest = z
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
const derivedRunAnswer = startRunAnswer
  .omit({ skipped_scenario_ids: true })
  .extend({
    scenarios_launched: z.int().describe('Those that are to be executed.'),
    scenarios_carried: z.int().describe('Those that were final from the start, with their source’s verdict.'),
    derived_from: id.describe('The run whose scenario runs it began from.'),
    derivation: z.enum(DERIVATIONS),
  })
  .meta({ id: 'DerivedRun' });

export type DerivedRunAnswer = z.infer<typeof derivedRunAnswer>;

const STORED = 'The run is stored and in progress.';

const NOT_FOUND = 'Test run not found';

export const retryTestRun = operation({
  id: 'retryTestRun',
  method: 'POST',
  path: '/api/v1/tests/{id}/retry',
  tag: 'Derived runs',
  role: 'runner',
  summary: 'Run the errors of a test run again',
  description:
    'A new run of the same scenarios: what has a verdict is carried over with its transcript, and what ended in an error or was canceled ' +
    'is examined anew, with the trials, patients, examiners’ models and limits of the source. Its pass rate is over all of them. ' +
    'The source stays as it is.',
  isKeyed: true,
  answers: {
    200: { description: STORED, schema: derivedRunAnswer },
    404: NOT_FOUND,
    409: 'The run is live, everything in it has a verdict, or its agent or its models have changed since.',
  },
});

export const regradeTestRun = operation({
  id: 'regradeTestRun',
  method: 'POST',
  path: '/api/v1/tests/{id}/regrade',
  tag: 'Derived runs',
  role: 'runner',
  summary: 'Mark the conversations of a test run again',
  description:
    'A new run with the conversations of this one: each that was held to its end is marked again from what is stored, by the judge of today ' +
    'or the one that is asked for. The agent is never called. What has no whole conversation is carried over as it is, and so is one whose patient ' +
    'had strayed. The source stays as it is.',
  body: regradeRequest,
  isKeyed: true,
  answers: {
    200: { description: STORED, schema: derivedRunAnswer },
    400: 'A field is wrong, or the model is not one of ALLOWED_MODELS.',
    404: NOT_FOUND,
    409: 'The run is live, no conversation in it was held to its end, or its models are no longer available.',
  },
});

export const forkScenarioRun = operation({
  id: 'forkScenarioRun',
  method: 'POST',
  path: '/api/v1/scenario-runs/{id}/fork',
  tag: 'Derived runs',
  role: 'runner',
  summary: 'Go on differently from a turn of a conversation',
  description:
    'A new run in which this conversation goes on from `at_turn`: the turns before it are kept, and patient and agent go on from there, up to the ' +
    'turns that the source was to have. For agents that are sent the whole conversation with each message, and for those that can name where ' +
    'they were (vapi). The source stays as it is.',
  body: forkRequest,
  isKeyed: true,
  answers: {
    200: { description: STORED, schema: derivedRunAnswer },
    400: 'A field is missing or wrong, the conversation does not have the turn, or the agent named is not found or inactive.',
    404: 'Scenario run not found',
    409: 'Its run is live, its scenario has no script, or the agent cannot go on from a transcript.',
  },
});
