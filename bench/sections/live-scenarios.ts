import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn, type Bench, type Examination, type Section } from '../bench';
import { EventSubscriber } from '../event-subscriber';
import type { BareLoop } from '../processes/bare-loop';
import { runToEnd } from '../runs';
import type { ServiceProcess } from '../service-process';
import { largest, median, percentile, rangeOf } from '../statistics';
import { Delays } from './event-latency';

const LIVE = 2_000;
const TURNS = 5;
const DELAYS = { agentMs: 2_000, testerMs: 0, judgeMs: 0 };
const SAMPLE_MS = 100;

interface Round {
  readonly residentBytes: number;
  readonly delays: readonly number[];
}

/** Very many conversations at once in one process. */
export const liveScenarios: Section = {
  name: 'live-scenarios',
  about: `${LIVE} scenario runs live at once: memory, and how late events are`,
  run: async (bench) => {
    const examination = await bench.examination({
      scenarios: LIVE,
      models: 'offline',
      settings: { MAX_ACTIVE_SCENARIOS: String(LIVE) },
    });
    const loop = bench.startLoop(examination.stubs);
    const streamUrl = await loop.stream();
    const { floors, values } = await inTurn(
      bench.rounds(3),
      async (round) => {
        bench.progress(`live-scenarios: round ${round}`);
        await examination.stubs.prepare(DELAYS);
        return runBare(loop, streamUrl);
      },
      () => runService(bench, examination),
    );
    reportAll(bench, floors, values);
  },
};

async function runBare(loop: BareLoop, streamUrl: string): Promise<Round> {
  const delays = new Delays();
  const subscriber = await EventSubscriber.open(streamUrl, delays.hear);
  const load = { conversations: LIVE, concurrency: LIVE, turns: TURNS, withModels: false };
  const { peakResidentBytes } = await loop.converse(load);
  subscriber.close();
  return { residentBytes: peakResidentBytes, delays: delays.all };
}

async function runService(bench: Bench, { service, stubs, agentId, scenarioIds }: Examination): Promise<Round> {
  await stubs.prepare(DELAYS);
  const delays = new Delays();
  const sampling = samplePeak(service);
  const request = { agentId, scenarioIds, turns: TURNS, concurrency: LIVE };
  const { wallMs } = await runToEnd(service.client, request, delays.hear);
  const residentBytes = await sampling.stop();
  const { agentMostOpen } = await stubs.counts();
  bench.progress(`live-scenarios: up to ${agentMostOpen} requests open at once; the run took ${Math.round(wallMs)} ms`);
  return { residentBytes, delays: delays.all };
}

function reportAll(bench: Bench, floors: readonly Round[], values: readonly Round[]): void {
  const add = (what: string, unit: 'MB' | 'ms', of: (round: Round) => number, limit: number | null): void =>
    bench.report({
      section: 'live-scenarios',
      what,
      load: `${LIVE} scenarios at once, ${TURNS} turns, agent at 2 s, tester and judge offline`,
      unit,
      value: median(values.map(of)),
      range: rangeOf(values.map(of)),
      floor: median(floors.map(of)),
      goal: limit === null ? null : { of: 'value', is: 'at most', limit },
    });
  const event = 'from the agent’s reply to the subscriber’s event';
  add('resident memory, most', 'MB', ({ residentBytes }) => residentBytes / 1e6, 500);
  add(`${event}, p99`, 'ms', ({ delays }) => percentile(delays, 99), null);
  add(`${event}, longest`, 'ms', ({ delays }) => largest(delays), 600);
}

/** Samples the service's memory until it is stopped; returns the largest value, in bytes. */
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
