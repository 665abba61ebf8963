import { z } from 'zod';
import { TEST_RUN_STATUSES } from '../src/domain';
import { comparisonOfPair, minCoverage } from './comparison';
import { filledText, givenId, id, name, open, timestamp } from './field';
import { operation } from './operation';
import { confidence } from './statistics';
import { testRunListItem } from './test-runs';
import { startOfAgent, startRunAnswer } from './start-run';

/** As many columns as the grid has; more pairs than of eight would leave no pair anything to show. */
export const MOST_RUNS_IN_A_SET = 8;

/** A set of one would be a run. */
export const LEAST_RUNS_IN_A_SET = 2;

const agentOfSet = z.object({
  agent_id: givenId.describe('The agent to examine.'),
  agent_version: open(filledText(200)).describe('Its version, as in start-run; kept with the results.'),
  name: open(name).describe('The name of its run; by default the name of the set.'),
});

export type AgentOfSet = z.output<typeof agentOfSet>;

const agents = z
  .array(agentOfSet)
  .min(LEAST_RUNS_IN_A_SET, { error: ({ input }) => `${bounds(input)}: POST /start-run examines a single agent` })
  .max(MOST_RUNS_IN_A_SET, {
    error: ({ input }) =>
      `${bounds(input)}: start several sets, each with the agents that are to be compared with each other`,
  })
  .superRefine((given, context) => {
    if (given.length > MOST_RUNS_IN_A_SET) return;
    for (const [place, first] of twins(given)) {
      context.addIssue({
        code: 'custom',
        path: [place],
        message: `is the same as agents[${first}]: give one of them another agent_version or name, or leave it out`,
      });
    }
  })
  .describe(
    `The agents to examine, ${LEAST_RUNS_IN_A_SET} to ${MOST_RUNS_IN_A_SET}, each in a run of its own. The same agent may be named again with another agent_version or name.`,
  );

function bounds(input: unknown): string {
  const count = Array.isArray(input) ? input.length : 0;
  return `must name ${LEAST_RUNS_IN_A_SET} to ${MOST_RUNS_IN_A_SET} agents, and names ${count}`;
}

/** Each that repeats an earlier one, with the place of that. */
function twins(given: readonly AgentOfSet[]): [place: number, first: number][] {
  const seen = new Map<string, number>();
  return given.flatMap(({ agent_id, agent_version = null, name: called = null }, place): [number, number][] => {
    const key = JSON.stringify([agent_id.toLowerCase(), agent_version, called]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, place);
    return first === undefined ? [] : [[place, first]];
  });
}

/** Body of POST /start-run-set: of start-run, with several agents. */
const startRunSetRequest = startOfAgent
  .omit({ agent_id: true, agent_version: true, name: true })
  .extend({ agents, name: open(name).describe('The name of the set.') })
  .meta({
    id: 'StartRunSet',
    examples: [
      {
        name: 'Which model',
        agents: [
          { agent_id: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', agent_version: '4.1' },
          { agent_id: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', agent_version: '4.2' },
        ],
        trials: 3,
      },
    ],
  });

export type StartRunSetRequest = z.output<typeof startRunSetRequest>;

const startedRunOfSet = startRunAnswer
  .omit({ skipped_scenario_ids: true })
  .extend({ agent_id: id, title: z.string().describe('What tells it apart from the other runs of the set.') })
  .meta({ id: 'StartedRunOfSet' });

const startRunSetAnswer = z.object({
  id,
  name: z.string().nullable(),
  runs: z.array(startedRunOfSet).describe('In the order of `agents`.'),
  skipped_scenario_ids: startRunAnswer.shape.skipped_scenario_ids,
});

export type StartRunSetAnswer = z.infer<typeof startRunSetAnswer>;

const runOfSet = testRunListItem
  .extend({
    title: z
      .string()
      .describe(
        'What tells it apart from the other runs of the set: its agent, where that is not enough its version, name or label.',
      ),
  })
  .meta({ id: 'RunOfSet' });

/** Runs that were started together. */
const runSetView = z
  .object({
    id,
    name: z.string().nullable(),
    created_at: timestamp,
    ended: z.boolean().describe('Whether all of its runs have ended.'),
    runs: z
      .array(runOfSet)
      .describe('In the order in which their agents were named. A run that is deleted is none of them any more.'),
  })
  .meta({ id: 'RunSet' });

export type RunSetView = z.infer<typeof runSetView>;

const canceledRun = z
  .object({
    id,
    test_run_id: z.string(),
    status: z.enum(TEST_RUN_STATUSES),
    canceled_scenarios: z.int().min(0).describe('0 for a run that had ended before.'),
  })
  .meta({ id: 'CanceledRunOfSet' });

const cancelRunSetAnswer = z.object({
  runs: z.array(canceledRun),
  canceled_scenarios: z.int().min(0).describe('Of all runs together; 0 when all of them had ended before.'),
});

export type CancelRunSetAnswer = z.infer<typeof cancelRunSetAnswer>;

const comparisonsView = z
  .object({
    id,
    name: z.string().nullable(),
    confidence: z.number(),
    sentence: z.string().describe('How many of the pairs differ by more than chance explains.'),
    pairs: z
      .array(comparisonOfPair)
      .describe(
        'Each run with each that its set names after it. The p-values of all questions of all pairs are adjusted together.',
      ),
  })
  .meta({ id: 'RunSetComparisons' });

export type ComparisonsView = z.infer<typeof comparisonsView>;

const NOT_FOUND = 'Run set not found';

export const startRunSet = operation({
  id: 'startRunSet',
  method: 'POST',
  path: '/start-run-set',
  tag: 'Test runs',
  role: 'runner',
  summary: 'Start the same test run for several agents or versions',
  description:
    'Each agent has a run of its own, over the same scenarios, patients and trials. All runs are stored in one ' +
    'transaction, or none: nothing is started when one of the agents cannot be examined. The other fields are those of start-run.',
  body: startRunSetRequest,
  isKeyed: true,
  answers: {
    200: { description: 'The runs are stored and in progress.', schema: startRunSetAnswer },
    400: 'A field is missing or wrong, there are too few or too many agents, one of them is not found or inactive, its provider is not supported, no active scenarios are available, or the runs would have more than 20,000 scenario runs together.',
    404: 'Test suite not found',
    409: 'With scheduled_at: MAX_SCHEDULED_RUNS would be exceeded. Or a chosen scenario was purged in this very moment.',
  },
});

export const getRunSet = operation({
  id: 'getRunSet',
  method: 'GET',
  path: '/api/v1/run-sets/{id}',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Get the runs that were started together',
  answers: { 200: { description: 'The set, with its runs as they are now.', schema: runSetView }, 404: NOT_FOUND },
});

export const cancelRunSet = operation({
  id: 'cancelRunSet',
  method: 'POST',
  path: '/api/v1/run-sets/{id}/cancel',
  tag: 'Test runs',
  role: 'runner',
  recorded: 'beside',
  summary: 'Cancel all runs of a set that are in progress',
  description:
    'When this is answered, the cancellations are stored and calls in flight have been aborted. Runs that have ended stay as they are.',
  answers: { 200: { description: 'Canceled, or ended before.', schema: cancelRunSetAnswer }, 404: NOT_FOUND },
});

export const compareRunSet = operation({
  id: 'compareRunSet',
  method: 'GET',
  path: '/api/v1/run-sets/{id}/comparisons',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Compare every run of a set with every other',
  description:
    'The three questions of a comparison, asked of every pair. Their p-values are adjusted by Holm’s method as one family, so that a set of ' +
    'equal agents is told a difference anywhere no more often than the level says. Of each pair, GET /api/v1/tests/{id}/comparison has the details.',
  query: z.object({ confidence, min_coverage: minCoverage }),
  answers: {
    200: {
      description: 'The comparisons of all pairs; none for a set of which one run is left.',
      schema: comparisonsView,
    },
    400: 'confidence or min_coverage is out of range.',
    404: NOT_FOUND,
    409: 'A run of the set is under way.',
  },
});
