import { inTurn, type Bench, type Examination, type Section } from '../bench';
import type { BareLoop } from '../processes/bare-loop';
import type { StubCounts, StubDelays } from '../processes/stub-servers';
import { runToEnd } from '../runs';
import { median, rangeOf } from '../statistics';

const TURNS = 5;

interface Load {
  readonly conversations: number;
  readonly concurrency: number;
  /** Wall time of the bare loop divided by the service's. */
  readonly goal: number;
}

/** The share of a run's wall time that the calls themselves need: 1 for a harness without cost. */
export const efficiency: Section = efficiencySection('efficiency', 200, [
  { conversations: 30, concurrency: 6, goal: 0.99 },
  { conversations: 60, concurrency: 30, goal: 0.98 },
  { conversations: 300, concurrency: 150, goal: 0.95 },
  { conversations: 600, concurrency: 300, goal: 0.88 },
]);

/** The same at the latencies of real models. */
export const modelLatency: Section = efficiencySection('model-latency', 1_500, [
  { conversations: 30, concurrency: 30, goal: 0.995 },
  { conversations: 300, concurrency: 300, goal: 0.985 },
  { conversations: 1_000, concurrency: 1_000, goal: 0.95 },
]);

/** @param answerMs the time until agent, tester and judge answer */
function efficiencySection(name: string, answerMs: number, loads: readonly Load[]): Section {
  return {
    name,
    about: `ideal wall time of the calls, ${answerMs} ms each, divided by the wall time of a run; its ratio to the bare loop's`,
    run: async (bench) => {
      const scenarios = Math.max(...loads.map(({ conversations }) => conversations));
      const settings = { MAX_ACTIVE_SCENARIOS: String(Math.max(...loads.map(({ concurrency }) => concurrency))) };
      const examination = await bench.examination({ scenarios, models: 'stub', settings });
      const loop = bench.startLoop(examination.stubs);
      await warmUp(examination, loop);
      for (const load of loads) await measure(bench, examination, loop, name, answerMs, load);
    },
  };
}

async function measure(
  bench: Bench,
  { service, stubs, agentId, scenarioIds }: Examination,
  loop: BareLoop,
  section: string,
  answerMs: number,
  { conversations, concurrency, goal }: Load,
): Promise<void> {
  const delays: StubDelays = { agentMs: answerMs, testerMs: answerMs, judgeMs: answerMs };
  const { floors, values } = await inTurn(
    bench.rounds(3),
    async (round) => {
      bench.progress(`${section}: ${conversations} at ${concurrency}, round ${round}`);
      await stubs.prepare(delays);
      const { wallMs } = await loop.converse({ conversations, concurrency, turns: TURNS, withModels: true });
      return idealMs(await stubs.counts(), delays, conversations, concurrency) / wallMs;
    },
    async () => {
      await stubs.prepare(delays);
      const request = { agentId, scenarioIds: scenarioIds.slice(0, conversations), turns: TURNS, concurrency };
      const { wallMs } = await runToEnd(service.client, request);
      return idealMs(await stubs.counts(), delays, conversations, concurrency) / wallMs;
    },
  );
  bench.report({
    section,
    what: 'harness efficiency',
    load: `${conversations} scenarios, ${concurrency} at once, ${TURNS} turns, agent and models at ${answerMs} ms`,
    unit: 'share',
    value: median(values),
    range: rangeOf(values),
    floor: median(floors),
    goal: { of: 'ratio', is: 'at least', limit: goal },
  });
}

/**
 * The ideal time of the calls that were really made, one after the other: a harness that leaves calls out gains nothing. Audits run
 * beside the judge, and two readings of a conversation's proofs side by side.
 * @throws Error when there were votes: they run side by side, so that adding them up would make the result too good
 */
function idealMs(
  { agentCalls, testerCalls, judgeCalls, voteCalls, proofCalls }: StubCounts,
  { agentMs, testerMs, judgeMs }: StubDelays,
  conversations: number,
  concurrency: number,
): number {
  if (voteCalls > 0) throw new Error(`The stub judge was to decide at once, but ${voteCalls} votes were taken.`);
  const judgeTurns = judgeCalls - proofCalls + Math.min(proofCalls, conversations);
  return (agentCalls * agentMs + testerCalls * testerMs + judgeTurns * judgeMs) / concurrency;
}

/** Warms up the compiler in both. */
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
