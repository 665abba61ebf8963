import { z } from 'zod';
import { dayOrTime, filledText, givenId, id, queryNumber, timestamp } from './field';
import { DERIVATIONS } from '../src/domain';
import { examinersView, severityGroup } from './statistics';
import { operation } from './operation';
import { modality } from './spoken';

const USUAL_POINTS = 50;

const MOST_POINTS = 200;

/** With a tag, so many of the newest runs in question are searched for scenarios that have it. */
export const MOST_SEARCHED = 1_000;

const historyQuery = z.object({
  suite: givenId.optional().describe('Only runs of this test suite: its UUID, also when it is deleted.'),
  tag: filledText(200)
    .optional()
    .describe(
      `Only scenarios that have this tag now are counted, and only runs that had one of them, among the newest ${MOST_SEARCHED.toLocaleString('en')} otherwise meant.`,
    ),
  from: dayOrTime.optional().describe('Only runs that were started then or later. A day begins at midnight UTC.'),
  to: dayOrTime.optional().describe('Only runs that were started before that.'),
  limit: queryNumber(z.int().min(1).max(MOST_POINTS).default(USUAL_POINTS)).describe(
    `At most this many points, the newest ones; up to ${MOST_POINTS}.`,
  ),
});

const count = z.int().min(0);

const percent = z.number().min(0).max(100);

/** What makes it impossible to say of two runs whether the agent changed between them. */
const DIFFERENCES = [
  'scenarios',
  'patients',
  'trials',
  'examiners',
  'max_turns',
  'pass_threshold',
  'region',
  'modality',
  'spoken',
  'coverage',
] as const;

export type DifferenceBetween = (typeof DIFFERENCES)[number];

const historyPoint = z.object({
  test_run_id: id,
  label: z.string(),
  name: z.string().nullable(),
  status: z.enum(['completed', 'failed', 'canceled']),
  derivation: z.enum(DERIVATIONS).nullable(),
  modality,
  agent_version: z.string().nullable(),
  agent_config_hash: z.string().nullable(),
  at: timestamp.describe('When the run was started.'),
  scenarios_hash: z
    .string()
    .nullable()
    .describe('SHA-256 of the scenarios that count, with their text and rubric: the same in runs over the same.'),
  scenarios: count,
  trials: z.int().min(1),
  graded_pass_rate: z
    .object({ value: percent, low: percent, high: percent })
    .nullable()
    .describe(
      'Percent, with the 95 % interval of the statistics. Null when nothing was graded, and for a run that was canceled or failed.',
    ),
  mean_score: z
    .number()
    .nullable()
    .describe(
      'Percent, over the graded scenario runs; null where there is no graded_pass_rate, and where none has a score.',
    ),
  must_pass_violations: count
    .nullable()
    .describe('As many as the statistics name. Null for runs of a release that did not keep them.'),
  by_severity: z.array(severityGroup).describe('As in the statistics; empty where there is no graded_pass_rate.'),
  coverage: percent.describe('The share of scenario runs that have a verdict.'),
  examiners: examinersView.nullable(),
  baseline: z.boolean().describe('It is the baseline of the agent.'),
  comparable_to_previous: z
    .boolean()
    .describe(
      'The previous point that has a rate was made under the same conditions: the difference says something about the agent.',
    ),
  comparable_to: id
    .nullable()
    .describe(
      'The run of the newest earlier point that was made under the same conditions; null when none was. It may be older than those shown.',
    ),
  differs_in: z
    .array(z.enum(DIFFERENCES))
    .describe(
      'Why it is not comparable to the previous point that has a rate; `coverage`: in one of the two, under 95 % have a verdict.',
    ),
});

export type HistoryPoint = z.infer<typeof historyPoint>;

/** How an agent fared, run after run. */
const agentHistoryView = z
  .object({
    agent_id: id,
    agent_name: z.string(),
    more: z.boolean().describe('Older runs are left out: ask for them with `to`.'),
    points: z.array(historyPoint).describe('Runs that have ended, the oldest first; forks are left out.'),
  })
  .meta({ id: 'AgentHistory' });

export type AgentHistoryView = z.infer<typeof agentHistoryView>;

export const getAgentHistory = operation({
  id: 'getAgentHistory',
  method: 'GET',
  path: '/api/v1/agents/{id}/history',
  tag: 'Agents',
  role: 'viewer',
  summary: 'Get how an agent fared, run after run',
  description:
    'Each run that has ended is a point. Two of them say something about the agent only where `comparable_to` names the one in the other: ' +
    'over the same scenarios, trials, patients and examiners, both in text or spoken alike. docs/statistics.md says more.',
  query: historyQuery,
  answers: {
    200: { description: 'The history, the oldest first.', schema: agentHistoryView },
    400: 'A parameter is wrong.',
    404: 'The agent, or the test suite, is not found.',
  },
});
