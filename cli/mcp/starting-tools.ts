import { z } from 'zod';
import { LINES, MODALITIES, REGIONS } from '../../src/domain';
import { CommandFailure, UnreachableFailure } from '../failure';
import { findAgent, findRun, findScenarios, findSuite } from '../named-resources';
import { MAX_TRIALS } from '../option-values';
import { oneLine } from '../output/harmless-text';
import { runName } from './result-tools';
import { registering, type Registration } from './tool';

const names = z.array(z.string().min(1).max(500)).min(1).max(500);

const startRun = registering({
  name: 'start_run',
  title: 'Start a run',
  description:
    'Examine an agent: with the scenarios of a suite, with approved ones of some tags, with named ones, or with all approved ones. ' +
    'It calls the agent and, unless the service runs offline, language models: each costs time and money. Follow it with follow_run.',
  effect: 'adds',
  input: z.object({
    agent: z.string().min(1).max(500).optional().describe('The agent, by name or id. Needed unless twin_of is given.'),
    twin_of: runName
      .optional()
      .describe(
        'Examine the same as this run, held otherwise: in the other modality, or over another line. Then only name, modality and line may be given.',
      ),
    suite: z.string().min(1).max(500).optional().describe('A suite, by name or id.'),
    tags: names.optional().describe('Approved scenarios with any of these tags.'),
    scenarios: names.optional().describe('Scenarios by name or id.'),
    max_scenarios: z.int().min(1).max(20_000).optional(),
    trials: z.int().min(1).max(MAX_TRIALS).optional().describe('How often each scenario is examined.'),
    region: z
      .enum(REGIONS)
      .optional()
      .describe('Where the agent’s patients are: decides which emergency number is right; default US.'),
    modality: z
      .enum(MODALITIES)
      .optional()
      .describe('spoken: by voice (agents in LiveKit rooms, telephone bots); default text.'),
    line: z.enum(LINES).optional().describe('Of a spoken run: what lies between patient and agent; default wideband.'),
    name: z.string().min(1).max(200).optional().describe('A name for the run.'),
    agent_version: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Which version of the agent this is, such as a commit.'),
  }),
  output: z.object({ id: z.string(), test_run_id: z.string(), status: z.string(), total: z.int() }),
  answer: async ({ agent, twin_of, suite, tags, scenarios, line, ...rest }, { api }) => {
    if ((agent === undefined) === (twin_of === undefined)) {
      throw new CommandFailure('Give agent, or twin_of for the agent and scenarios of another run.');
    }
    if ([suite, tags, scenarios].filter((choice) => choice !== undefined).length > 1) {
      throw new CommandFailure('Give at most one of suite, tags and scenarios.');
    }
    const request = {
      ...(agent !== undefined && { agent_id: (await findAgent(api, agent)).id }),
      ...(twin_of !== undefined && { twin_of: (await findRun(api, twin_of)).id }),
      ...(line !== undefined && { spoken: { line } }),
      ...(suite !== undefined && { test_suite_id: (await findSuite(api, suite)).id }),
      ...(scenarios !== undefined && {
        scenario_ids: (await findScenarios(api, scenarios)).map(({ scenario_id }) => scenario_id),
      }),
      tags,
      ...rest,
    };
    // Not aborted with the call: the client would not learn of a run that was started after all.
    const started = await api.startRun(request, new AbortController().signal).catch((error: unknown) => {
      if (!(error instanceof UnreachableFailure) || error.isUnsent) throw error;
      throw new CommandFailure(`${error.message} The run may have been started: check with list_runs.`);
    });
    const { id, test_run_id, status, total_scenarios } = started;
    const text = `${oneLine(test_run_id)} is ${status}: ${total_scenarios} scenario runs. Follow it with follow_run.`;
    return { result: { id, test_run_id, status, total: total_scenarios }, text };
  },
});

const cancelRun = registering({
  name: 'cancel_run',
  title: 'Cancel a run',
  description:
    'End a run for good. Once it is answered, nothing more is sent to the agent. What has been graded stays.',
  effect: 'destroys',
  input: z.object({ run: runName }),
  output: z.object({ test_run_id: z.string(), status: z.string(), canceled_scenarios: z.int() }),
  answer: async ({ run: given }, { api }) => {
    const { id, test_run_id } = await findRun(api, given);
    const { status, canceled_scenarios = 0, message } = await api.cancelRun(id);
    const text =
      message === undefined
        ? `${oneLine(test_run_id)} is canceled; ${canceled_scenarios} scenario runs were not finished.`
        : `${oneLine(test_run_id)} had already ended: ${oneLine(status)}.`;
    return { result: { test_run_id, status, canceled_scenarios }, text };
  },
});

/** Offered only with --allow-start. */
export const STARTING_TOOLS: readonly Registration[] = [startRun, cancelRun];
