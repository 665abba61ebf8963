import { setInterval as everyInterval, setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Examination, Section } from '../bench';
import { TraceCollector } from '../processes/trace-collector';
import { runToEnd } from '../runs';
import type { ServiceClient } from '../service-client';
import { median, rangeOf } from '../statistics';

const SCENARIOS = 300;
const CONCURRENCY = 30;
const TURNS = 5;
/** Their spans all fit into the exporter's queue: none of them can be dropped. */
const FEW_SCENARIOS = 10;
const SCRAPED_EVERY_MS = 1_000;
/** After this time waiting spans have been sent, so the cost of sending is part of the round. */
const SPANS_WAIT_MS = 1_000;
const ROUND_GOES_ON_MS = 1_500;

const LOAD = `${SCENARIOS} scenarios, ${CONCURRENCY} at once, ${TURNS} turns, instant answers`;

/** A service, and the programs that watch it. */
interface Watched {
  readonly examination: Examination;
  readonly isScraped: boolean;
  readonly processorMs: number[];
}

/** The cost of a turn to the service's process, with and without metrics and traces. */
export const observability: Section = {
  name: 'observability',
  about: 'processor time per turn with metrics, and with traces too, as a multiple of that with METRICS=false',
  run: async (bench) => {
    const collector = bench.keep(await TraceCollector.start());
    const unwatched = await start(bench, { METRICS: 'false' }, false);
    const counted = await start(bench, {}, true);
    const traced = await start(bench, tracesTo(collector), true);
    const all = [unwatched, counted, traced];
    for (const watched of all) await examine(watched, SCENARIOS);
    await collector.take();
    await examine(traced, FEW_SCENARIOS);
    const perScenarioRun = ((await collector.take()) - 1) / FEW_SCENARIOS;
    const arrived: number[] = [];
    for (let round = 1; round <= bench.rounds(9); round += 1) {
      bench.progress(`observability: round ${round}`);
      // Each is first, second and last in turn, so that other load on the machine affects all of them.
      for (const place of all.keys()) {
        const watched = all[(round + place) % all.length];
        if (watched !== undefined) watched.processorMs.push(await examine(watched, SCENARIOS));
      }
      arrived.push((await collector.take()) / (1 + perScenarioRun * SCENARIOS));
    }
    report(bench, 'with metrics, scraped every second', counted, unwatched, 1.05);
    report(bench, 'the same, and traces to a collector', traced, unwatched, null);
    bench.report({
      section: 'observability',
      what: `spans that arrived of ${1 + perScenarioRun * SCENARIOS} a run; the others found the queue full`,
      load: LOAD,
      unit: 'share',
      value: median(arrived),
      range: rangeOf(arrived),
      floor: null,
      goal: null,
    });
  },
};

function tracesTo({ url }: TraceCollector): Readonly<Record<string, string>> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: String(SPANS_WAIT_MS) };
}

/** All three services run side by side; two of them are idle at any time. */
async function start(bench: Bench, settings: Readonly<Record<string, string>>, isScraped: boolean): Promise<Watched> {
  const examination = await bench.examination({ scenarios: SCENARIOS, models: 'stub', settings });
  await examination.stubs.prepare({ agentMs: 0, testerMs: 0, judgeMs: 0 });
  return { examination, isScraped, processorMs: [] };
}

/** Executes one run; returns the processor time of a turn, including the sending of the last spans. */
async function examine({ examination, isScraped }: Watched, scenarios: number): Promise<number> {
  const { service, agentId, scenarioIds } = examination;
  const over = new AbortController();
  const before = service.usage.processorMs;
  const scraping = isScraped ? scrape(service.client, over.signal) : null;
  const request = { agentId, scenarioIds: scenarioIds.slice(0, scenarios), turns: TURNS, concurrency: CONCURRENCY };
  await runToEnd(service.client, request);
  await sleep(ROUND_GOES_ON_MS);
  over.abort();
  await scraping;
  return (service.usage.processorMs - before) / (scenarios * TURNS);
}

/** Scrapes like Prometheus until the round is over. */
async function scrape(client: ServiceClient, signal: AbortSignal): Promise<void> {
  await client.get('/metrics');
  try {
    for await (const _ of everyInterval(SCRAPED_EVERY_MS, null, { signal })) await client.get('/metrics');
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function report(bench: Bench, how: string, watched: Watched, unwatched: Watched, limit: number | null): void {
  bench.report({
    section: 'observability',
    what: `processor time a turn, ${how}; floor: METRICS=false`,
    load: LOAD,
    unit: 'ms',
    value: median(watched.processorMs),
    range: rangeOf(watched.processorMs),
    floor: median(unwatched.processorMs),
    goal: limit === null ? null : { of: 'ratio', is: 'at most', limit },
  });
}
