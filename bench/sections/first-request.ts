import type { Section } from '../bench';
import { monotonicMs } from '../clock';
import { untilFinal } from '../runs';
import { largest, median, rangeOf } from '../statistics';

const LOAD = 'runs of 1 scenario, one after the other, tester instant';

/** How long an examination takes to begin. */
export const firstRequest: Section = {
  name: 'first-request',
  about: 'from the answer of start-run to the first request at the agent',
  run: async (bench) => {
    const { service, stubs, agentId, scenarioIds } = await bench.examination({ scenarios: 1, models: 'stub' });
    const loop = bench.startLoop(stubs);
    const runs = bench.isQuick ? 10 : 50;
    bench.progress(`first-request: ${runs} runs`);
    const waits: number[] = [];
    const floors: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await stubs.prepare({ agentMs: 0, testerMs: 0, judgeMs: 0 });
      const sentAt = await loop.callOnce();
      floors.push(((await stubs.counts()).firstAgentRequestAt ?? NaN) - sentAt);
      await stubs.prepare({ agentMs: 0, testerMs: 0, judgeMs: 0 });
      const runId = await service.client.startRun({ agentId, scenarioIds, turns: 5, concurrency: 1 });
      const answeredAt = monotonicMs();
      await untilFinal(service.client, runId);
      waits.push(((await stubs.counts()).firstAgentRequestAt ?? NaN) - answeredAt);
    }
    const common = { section: 'first-request', load: `${runs} ${LOAD}`, unit: 'ms', range: null } as const;
    const goal = { of: 'value', is: 'at most', limit: 50 } as const;
    const what = 'from start-run’s answer to the first request at the agent';
    bench.report({ ...common, what: `${what}, median`, value: median(waits), floor: median(floors), goal });
    bench.report({ ...common, what: `${what}, longest`, value: largest(waits), floor: largest(floors), goal });
    bench.progress(`first-request: all between ${rangeOf(waits).join(' and ')} ms`);
  },
};
