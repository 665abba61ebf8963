import { join } from 'node:path';
import { inTurn, type Bench, type Section } from '../bench';
import { monotonicMs } from '../clock';
import type { HttpClient } from '../processes/bare-loop';
import { summarizeProfile } from '../profile';
import { runToEnd } from '../runs';
import { median, rangeOf } from '../statistics';
import { warmUp } from './efficiency';

const SCENARIOS = 300;
const TURNS = 5;

interface Load {
  readonly folder: string;
  readonly models: 'offline' | 'stub';
  readonly concurrency: number;
  /** The time until agent, tester and judge answer. */
  readonly answerMs: number;
  readonly rounds: number;
  /** The goal for the ratio of the service's processor time to that of the bare loop with each client. */
  readonly goals: readonly (readonly [client: HttpClient, limit: number | null])[];
}

const LOADS: readonly Load[] = [
  { folder: 'offline', models: 'offline', concurrency: 30, answerMs: 0, rounds: 5, goals: [['undici', null]] },
  {
    folder: 'stub',
    models: 'stub',
    concurrency: 30,
    answerMs: 0,
    rounds: 5,
    goals: [
      ['undici', 2],
      ['fetch', null],
    ],
  },
  {
    folder: 'live',
    models: 'stub',
    concurrency: SCENARIOS,
    answerMs: 1_500,
    rounds: 3,
    goals: [
      ['undici', 2.5],
      ['fetch', null],
    ],
  },
];

/** The cost of a turn to the service's process: with instant answers, and at the latencies of real models. */
export const processorTime: Section = {
  name: 'processor-time',
  about: 'processor time of the service’s process per turn, everything committed, as a multiple of the bare loop’s',
  run: async (bench) => {
    for (const load of LOADS) {
      await measure(bench, load);
      await bench.stopAll();
    }
  },
};

const WHO = {
  offline: 'tester and judge offline',
  stub: 'tester and judge by the Messages API (two calls a turn)',
};

async function measure(bench: Bench, load: Load): Promise<void> {
  const { models, concurrency, answerMs, goals } = load;
  const folder = bench.profileFolder === null ? null : join(bench.profileFolder, load.folder);
  const nodeArguments = folder === null ? [] : ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${folder}`];
  const examination = await bench.examination({ scenarios: SCENARIOS, models, nodeArguments });
  const { service, stubs, agentId, scenarioIds } = examination;
  const withModels = models === 'stub';
  const loops = new Map(goals.map(([client]) => [client, bench.startLoop(stubs, client)]));
  for (const loop of loops.values()) await warmUp(examination, loop, withModels);
  const began = monotonicMs();
  let walls = 0;
  const { floors, values } = await inTurn(
    bench.rounds(load.rounds),
    async (round) => {
      bench.progress(`processor-time: ${WHO[models]}, ${answerMs} ms, round ${round}`);
      await stubs.prepare({ agentMs: answerMs, testerMs: answerMs, judgeMs: answerMs });
      const floor = new Map<HttpClient, number>();
      for (const [client, loop] of loops) {
        const conversed = await loop.converse({ conversations: SCENARIOS, concurrency, turns: TURNS, withModels });
        floor.set(client, conversed.processorMs / (SCENARIOS * TURNS));
      }
      return floor;
    },
    async () => {
      const before = service.usage.processorMs;
      walls += (await runToEnd(service.client, { agentId, scenarioIds, turns: TURNS, concurrency })).wallMs;
      return (service.usage.processorMs - before) / (SCENARIOS * TURNS);
    },
  );
  const ended = monotonicMs();
  const speed = answerMs === 0 ? 'instant answers' : `answers after ${answerMs} ms`;
  for (const [client, limit] of goals) {
    bench.report({
      section: 'processor-time',
      what: `processor time a turn, ${WHO[models]}; floor: bare loop on ${client}`,
      load: `${SCENARIOS} scenarios, ${concurrency} at once, ${TURNS} turns, ${speed}`,
      unit: 'ms',
      value: median(values),
      range: rangeOf(values),
      floor: median(floors.map((floor) => floor.get(client) ?? NaN)),
      goal: limit === null ? { of: 'value', is: 'at most', limit: 2 } : { of: 'ratio', is: 'at most', limit },
    });
  }
  bench.progress(`processor-time: ${Math.round((values.length * SCENARIOS * TURNS * 1000) / walls)} turns a second`);
  if (folder === null) return;
  await bench.stopAll();
  const turns = values.length * SCENARIOS * TURNS;
  process.stderr.write(`${summarizeProfile(folder, { fromMs: began, toMs: ended, turns })}\n`);
}
