import { inTurn, type Bench, type Examination, type Section } from '../bench';
import type { BareLoop } from '../processes/bare-loop';
import type { StubCounts, StubDelays } from '../processes/stub-servers';
import { runToEnd } from '../runs';
import { median, rangeOf } from '../statistics';

const TURNS = 5;
const DELAYS: StubDelays = { agentMs: 200, testerMs: 200, judgeMs: 0 };
const LOADS = [
  { conversations: 30, concurrency: 6, goal: 0.98 },
  { conversations: 60, concurrency: 30, goal: 0.97 },
  { conversations: 600, concurrency: 300, goal: 0.95 },
];

/** How much of a run's wall time the calls themselves need: 1 is a harness that costs nothing. */
export const efficiency: Section = {
  name: 'efficiency',
  about: 'ideal wall time of the calls divided by the wall time of a run',
  run: async (bench) => {
    const examination = await bench.examination({ scenarios: 600, models: 'stub' });
    const loop = bench.startLoop(examination.stubs);
    await warmUp(examination, loop);
    for (const load of LOADS) await measure(bench, examination, loop, load);
  },
};

async function measure(
  bench: Bench,
  { service, stubs, agentId, scenarioIds }: Examination,
  loop: BareLoop,
  { conversations, concurrency, goal }: (typeof LOADS)[number],
): Promise<void> {
  const load = `${conversations} scenarios, ${concurrency} at once, ${TURNS} turns, agent and tester at 200 ms`;
  const { floors, values } = await inTurn(
    bench.rounds(3),
    async (round) => {
      bench.progress(`efficiency: ${conversations} at ${concurrency}, round ${round}`);
      await stubs.prepare(DELAYS);
      const { wallMs } = await loop.converse({ conversations, concurrency, turns: TURNS, withModels: true });
      return idealMs(await stubs.counts(), concurrency) / wallMs;
    },
    async () => {
      await stubs.prepare(DELAYS);
      const request = { agentId, scenarioIds: scenarioIds.slice(0, conversations), turns: TURNS, concurrency };
      const { wallMs } = await runToEnd(service.client, request);
      return idealMs(await stubs.counts(), concurrency) / wallMs;
    },
  );
  bench.report({
    section: 'efficiency',
    what: 'harness efficiency',
    load,
    unit: 'share',
    value: median(values),
    range: rangeOf(values),
    floor: median(floors),
    goal: { of: 'value', is: 'at least', limit: goal },
  });
}

/** From the calls that were really made: whoever leaves calls out gains nothing by it. */
function idealMs({ agentCalls, testerCalls }: StubCounts, concurrency: number): number {
  return (agentCalls * DELAYS.agentMs + testerCalls * DELAYS.testerMs) / concurrency;
}

/** Compiles what is hot, in both. */
export async function warmUp(
  { service, stubs, agentId, scenarioIds }: Examination,
  loop: BareLoop,
  withModels = true,
): Promise<void> {
  await stubs.prepare({ agentMs: 0, testerMs: 0, judgeMs: 0 });
  await loop.converse({ conversations: 100, concurrency: 30, turns: TURNS, withModels });
  const request = { agentId, scenarioIds: scenarioIds.slice(0, 100), turns: TURNS, concurrency: 30 };
  await runToEnd(service.client, request);
}
