import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn, type Section } from '../bench';
import { monotonicMs } from '../clock';
import type { StubCounts, StubServers } from '../processes/stub-servers';
import { median, rangeOf } from '../statistics';

const IN_FLIGHT = 500;
/** Longer than any round takes. */
const HANGING = { agentMs: 60_000, testerMs: 0, judgeMs: 0 };
const LOOK_MS = 20;
const LOOK_FOR_MS = 30_000;

/** How soon nothing is sent any more once cancel-run has answered. */
export const cancel: Section = {
  name: 'cancel',
  about: `cancel of ${IN_FLIGHT} requests in flight: until the last socket is closed`,
  run: async (bench) => {
    const { service, stubs, agentId, scenarioIds } = await bench.examination({
      scenarios: IN_FLIGHT,
      models: 'offline',
      settings: { MAX_ACTIVE_SCENARIOS: String(IN_FLIGHT) },
    });
    const loop = bench.startLoop(stubs);
    const { floors, values } = await inTurn(
      bench.rounds(5),
      async (round) => {
        bench.progress(`cancel: round ${round}`);
        await stubs.prepare(HANGING);
        await loop.hang(IN_FLIGHT);
        await until(stubs, ({ agentOpen }) => agentOpen === IN_FLIGHT);
        const abortedAt = await loop.abort();
        return (await lastAbort(stubs)) - abortedAt;
      },
      async () => {
        await stubs.prepare(HANGING);
        const runId = await service.client.startRun({ agentId, scenarioIds, turns: 5, concurrency: IN_FLIGHT });
        await until(stubs, ({ agentOpen }) => agentOpen === IN_FLIGHT);
        const sentAt = monotonicMs();
        await service.client.cancelRun(runId);
        const answeredAt = monotonicMs();
        const last = await lastAbort(stubs);
        return { afterAnswer: last - answeredAt, afterRequest: last - sentAt };
      },
    );
    const load = `${IN_FLIGHT} requests in flight at the agent`;
    const common = { section: 'cancel', load, unit: 'ms', floor: median(floors) } as const;
    const afterAnswer = values.map((value) => value.afterAnswer);
    const afterRequest = values.map((value) => value.afterRequest);
    bench.report({
      ...common,
      what: 'from cancel-run’s answer to the last closed socket',
      value: median(afterAnswer),
      range: rangeOf(afterAnswer),
      goal: { of: 'value', is: 'at most', limit: 250 },
    });
    bench.report({
      ...common,
      what: 'from sending cancel-run to the last closed socket',
      value: median(afterRequest),
      range: rangeOf(afterRequest),
      goal: null,
    });
  },
};

async function lastAbort(stubs: StubServers): Promise<number> {
  const { lastAbortAt } = await until(stubs, ({ agentAborted }) => agentAborted === IN_FLIGHT);
  return lastAbortAt ?? NaN;
}

async function until(stubs: StubServers, holds: (counts: StubCounts) => boolean): Promise<StubCounts> {
  const deadline = monotonicMs() + LOOK_FOR_MS;
  for (;;) {
    const counts = await stubs.counts();
    if (holds(counts)) return counts;
    if (monotonicMs() > deadline) throw new Error(`The stub agent waited in vain: ${JSON.stringify(counts)}`);
    await sleep(LOOK_MS);
  }
}
