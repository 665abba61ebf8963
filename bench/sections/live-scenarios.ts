import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Section } from '../bench';
import { EventSubscriber } from '../event-subscriber';
import { runToEnd } from '../runs';
import type { ServiceProcess } from '../service-process';
import { largest, percentile } from '../statistics';
import { Delays } from './event-latency';

const LIVE = 2_000;
const TURNS = 5;
const DELAYS = { agentMs: 2_000, testerMs: 0, judgeMs: 0 };
const SAMPLE_MS = 100;

/** Very many conversations at once in one process. */
export const liveScenarios: Section = {
  name: 'live-scenarios',
  about: `${LIVE} scenario runs live at once: memory, and how late events are`,
  run: async (bench) => {
    const { service, stubs, agentId, scenarioIds } = await bench.examination({
      scenarios: LIVE,
      models: 'offline',
      settings: { MAX_ACTIVE_SCENARIOS: String(LIVE) },
    });
    bench.progress('live-scenarios: the bare loop');
    await stubs.prepare(DELAYS);
    const loop = bench.startLoop(stubs);
    const floorDelays = new Delays();
    const subscriber = await EventSubscriber.open(await loop.stream(), floorDelays.hear);
    const load = { conversations: LIVE, concurrency: LIVE, turns: TURNS, withModels: false };
    const { peakResidentBytes } = await loop.converse(load);
    subscriber.close();

    bench.progress('live-scenarios: the service');
    await stubs.prepare(DELAYS);
    const delays = new Delays();
    const sampling = samplePeak(service);
    const request = { agentId, scenarioIds, turns: TURNS, concurrency: LIVE };
    const { wallMs } = await runToEnd(service.client, request, delays.hear);
    const peak = await sampling.stop();
    const { agentMostOpen } = await stubs.counts();
    bench.progress(
      `live-scenarios: at most ${agentMostOpen} requests open at once, the run took ${wallMs.toFixed(0)} ms`,
    );
    reportAll(bench, { peak, floorPeak: peakResidentBytes, delays: delays.all, floorDelays: floorDelays.all });
  },
};

interface Measured {
  readonly peak: number;
  readonly floorPeak: number;
  readonly delays: readonly number[];
  readonly floorDelays: readonly number[];
}

function reportAll(bench: Bench, { peak, floorPeak, delays, floorDelays }: Measured): void {
  const load = `${LIVE} scenarios at once, ${TURNS} turns, agent at 2 s, tester and judge offline`;
  const common = { section: 'live-scenarios', load, range: null };
  bench.report({
    ...common,
    what: 'resident memory, most',
    unit: 'MB',
    value: peak / 1e6,
    floor: floorPeak / 1e6,
    goal: { of: 'value', is: 'at most', limit: 600 },
  });
  bench.report({
    ...common,
    what: 'from the agent’s reply to the subscriber’s event, p99',
    unit: 'ms',
    value: percentile(delays, 99),
    floor: percentile(floorDelays, 99),
    goal: null,
  });
  bench.report({
    ...common,
    what: 'from the agent’s reply to the subscriber’s event, longest',
    unit: 'ms',
    value: largest(delays),
    floor: largest(floorDelays),
    goal: { of: 'value', is: 'at most', limit: 250 },
  });
}

/** Looks at the service's memory until it is stopped; answers the most it saw, in bytes. */
function samplePeak(service: ServiceProcess): { stop: () => Promise<number> } {
  let peak = 0;
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      peak = Math.max(peak, service.usage.residentBytes);
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await sampling;
      return peak;
    },
  };
}
