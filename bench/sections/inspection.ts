import { z } from 'zod';
import { inTurn, type Bench, type Examination, type Section } from '../bench';
import { EventSubscriber } from '../event-subscriber';
import { untilFinal } from '../runs';
import { median, rangeOf } from '../statistics';

const SCENARIOS = 100;
const TURNS = 5;
/** Slow enough that the streams are open before the first reply. */
const DELAYS = { agentMs: 500, testerMs: 0, judgeMs: 0 };

const scenarioRuns = z.object({ results: z.array(z.object({ id: z.string() })) });

/** The cost to the service's process when clients inspect its actors. */
export const inspection: Section = {
  name: 'inspection',
  about: `processor time per turn while none, one and all of ${SCENARIOS} live scenario runs are looked at`,
  run: async (bench) => {
    const examination = await bench.examination({
      scenarios: SCENARIOS,
      models: 'offline',
      settings: { MAX_ACTIVE_SCENARIOS: String(SCENARIOS) },
    });
    // Warms up the compiler in both.
    await processorMsPerTurn(examination, SCENARIOS);
    await processorMsPerTurn(examination, 0);
    for (const looked of [1, SCENARIOS]) await measure(bench, examination, looked);
  },
};

async function measure(bench: Bench, examination: Examination, looked: number): Promise<void> {
  const { floors, values } = await inTurn(
    bench.rounds(5),
    (round) => {
      bench.progress(`inspection: ${looked} looked at, round ${round}`);
      return processorMsPerTurn(examination, 0);
    },
    () => processorMsPerTurn(examination, looked),
  );
  bench.report({
    section: 'inspection',
    what: `processor time a turn while ${looked} of ${SCENARIOS} actors ${looked === 1 ? 'is' : 'are'} looked at; floor: none`,
    load: `${SCENARIOS} scenarios at once, ${TURNS} turns, agent at ${DELAYS.agentMs} ms`,
    unit: 'ms',
    value: median(values),
    range: rangeOf(values),
    floor: median(floors),
    goal: null,
  });
}

/** One run; the first scenario runs of it are followed from their beginning to their end. */
async function processorMsPerTurn(
  { service, stubs, agentId, scenarioIds }: Examination,
  looked: number,
): Promise<number> {
  const { client } = service;
  await stubs.prepare(DELAYS);
  const before = service.usage.processorMs;
  const runId = await client.startRun({ agentId, scenarioIds, turns: TURNS, concurrency: SCENARIOS });
  const ending = untilFinal(client, runId);
  const { results } = scenarioRuns.parse(
    JSON.parse(await client.get(`/api/v1/scenario-runs?test_run_id=${runId}&limit=${SCENARIOS}`)),
  );
  const viewers = await Promise.all(
    results
      .slice(0, looked)
      .map(({ id }) => EventSubscriber.open(`${client.url}/api/v1/inspect/actors/${id}/events`, () => undefined)),
  );
  await ending;
  await Promise.all(viewers.map((viewer) => viewer.ended()));
  return (service.usage.processorMs - before) / (SCENARIOS * TURNS);
}
