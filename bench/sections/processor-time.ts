import { join } from 'node:path';
import { inTurn, type Bench, type Section } from '../bench';
import { monotonicMs } from '../clock';
import { summarizeProfile } from '../profile';
import { runToEnd } from '../runs';
import { median, rangeOf } from '../statistics';
import { warmUp } from './efficiency';

const SCENARIOS = 300;
const CONCURRENCY = 30;
const TURNS = 5;
const INSTANT = { agentMs: 0, testerMs: 0, judgeMs: 0 };

/** What a turn costs the service's process when nobody makes it wait. */
export const processorTime: Section = {
  name: 'processor-time',
  about: 'processor time of the service’s process per turn, instant answers, everything committed',
  run: async (bench) => {
    await measure(bench, 'offline');
    await bench.stopAll();
    await measure(bench, 'stub');
  },
};

const WHO = {
  offline: 'tester and judge offline',
  stub: 'tester and judge by the Messages API (two calls a turn)',
};

async function measure(bench: Bench, models: 'offline' | 'stub'): Promise<void> {
  const folder = bench.profileFolder === null ? null : join(bench.profileFolder, models);
  const nodeArguments = folder === null ? [] : ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${folder}`];
  const examination = await bench.examination({ scenarios: SCENARIOS, models, nodeArguments });
  const { service, stubs, agentId, scenarioIds } = examination;
  const loop = bench.startLoop(stubs);
  const withModels = models === 'stub';
  await warmUp(examination, loop, withModels);
  const began = monotonicMs();
  let walls = 0;
  const { floors, values } = await inTurn(
    bench.rounds(5),
    async (round) => {
      bench.progress(`processor-time: ${WHO[models]}, round ${round}`);
      await stubs.prepare(INSTANT);
      const load = { conversations: SCENARIOS, concurrency: CONCURRENCY, turns: TURNS, withModels };
      return (await loop.converse(load)).processorMs / (SCENARIOS * TURNS);
    },
    async () => {
      const before = service.usage.processorMs;
      const request = { agentId, scenarioIds, turns: TURNS, concurrency: CONCURRENCY };
      walls += (await runToEnd(service.client, request)).wallMs;
      return (service.usage.processorMs - before) / (SCENARIOS * TURNS);
    },
  );
  const ended = monotonicMs();
  bench.report({
    section: 'processor-time',
    what: `processor time a turn, ${WHO[models]}`,
    load: `${SCENARIOS} scenarios, ${CONCURRENCY} at once, ${TURNS} turns, instant answers`,
    unit: 'ms',
    value: median(values),
    range: rangeOf(values),
    floor: median(floors),
    goal: { of: 'value', is: 'at most', limit: 2 },
  });
  bench.progress(`processor-time: ${Math.round((values.length * SCENARIOS * TURNS * 1000) / walls)} turns a second`);
  if (folder === null) return;
  await bench.stopAll();
  const turns = values.length * SCENARIOS * TURNS;
  process.stderr.write(`${summarizeProfile(folder, { fromMs: began, toMs: ended, turns })}\n`);
}
