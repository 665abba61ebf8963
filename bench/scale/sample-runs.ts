import { z } from 'zod';
import { EventSubscriber } from '../event-subscriber';
import { untilFinal } from '../runs';
import type { ServiceClient } from '../service-client';
import { FAILING, startSampleAgent, type SampleAgent } from './sample-agent';

const AGENTS = [
  'reference/ideal-clinician',
  'reference/always-escalates',
  'reference/never-escalates',
  'reference/friendly-and-careless',
  'demo-clinic-agent',
  FAILING,
] as const;
type SampleModel = (typeof AGENTS)[number];

/** The number of copies of each kind in twenty runs; canceled runs are the clinic agent's. */
const SHARES: readonly (readonly [SampleModel | 'canceled', number])[] = [
  ['reference/ideal-clinician', 5],
  ['demo-clinic-agent', 5],
  ['reference/always-escalates', 3],
  ['reference/never-escalates', 3],
  ['reference/friendly-and-careless', 1],
  [FAILING, 2],
  ['canceled', 1],
];

export interface SampleSize {
  readonly scenarios: number;
  readonly turns: number;
}

const page = z.object({ scenarios: z.array(z.object({ scenario_id: z.string() })) });

/**
 * Has the service execute one run of each kind, with offline examiners; returns the id of each run as often as it is to be copied, with
 * the kinds in alternation.
 */
export async function playSampleRuns(client: ServiceClient, size: SampleSize): Promise<string[]> {
  const agent = await startSampleAgent();
  try {
    const { scenarios } = page.parse(JSON.parse(await client.get(`/api/v1/scenarios?limit=${size.scenarios}`)));
    const scenarioIds = scenarios.map(({ scenario_id }) => scenario_id);
    const ids = new Map<SampleModel | 'canceled', string>();
    for (const model of AGENTS) {
      const config = { base_url: agent.baseUrl, model, max_retries: 0 };
      const agentId = await client.register({ provider: 'openai', config });
      const request = { agentId, scenarioIds, turns: size.turns, concurrency: 12 };
      ids.set(model, await played(client, request));
      if (model === 'demo-clinic-agent') ids.set('canceled', await canceledMidway(client, request, agent));
    }
    return inTurns(SHARES.flatMap(([kind, share]) => Array.from({ length: share }, () => ids.get(kind) ?? '')));
  } finally {
    agent.close();
  }
}

type Request = Parameters<ServiceClient['startRun']>[0];

async function played(client: ServiceClient, request: Request): Promise<string> {
  const runId = await client.startRun(request);
  await untilFinal(client, runId).catch((error: unknown) => {
    // Some conversations of the failing agent end in an error, as they should.
    if (!String(error).includes('ended in an error')) throw error;
  });
  return runId;
}

/** A run that was canceled after half of its turns: the agent waits for that, on slow machines too. */
async function canceledMidway(client: ServiceClient, request: Request, agent: SampleAgent): Promise<string> {
  const half = Math.floor((request.scenarioIds.length * request.turns) / 2);
  agent.replyOnly(half);
  try {
    const runId = await client.startRun({ ...request, concurrency: 6 });
    let turns = 0;
    const asked: Promise<void>[] = [];
    const subscriber = await EventSubscriber.open(`${client.url}/events?run_id=${runId}`, ({ type }) => {
      if (type === 'transcript_update') turns += 1;
      if (turns >= half && asked.length === 0) asked.push(client.cancelRun(runId));
    });
    await subscriber.ended();
    await Promise.all(asked);
    return runId;
  } finally {
    agent.replyOnly(Infinity);
  }
}

/** The same order in every filling, with equal kinds apart from each other. */
function inTurns(ids: readonly string[]): string[] {
  const step = 7;
  return ids.map((_, place) => ids[(place * step) % ids.length] ?? '');
}
