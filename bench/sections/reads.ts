import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../src/platform/config/log';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres';
import { inTurn, type Bench, type Section } from '../bench';
import { storeFinishedRuns } from '../finished-runs';
import { BareEndpoint } from '../processes/bare-endpoint';
import { ReadLoad, type Served } from '../processes/read-load';
import { runToEnd } from '../runs';
import { benchScenarios } from '../scenarios';
import { median, rangeOf } from '../statistics';

const CONNECTIONS = 50;
const LISTED = 60;
const FINISHED_RUNS = 10_000;

/** The most frequent reads, with few and with many rows in the tables. */
export const reads: Section = {
  name: 'reads',
  about: `GET one run and GET scenarios (${LISTED}) at ${CONNECTIONS} connections, also with ${FINISHED_RUNS} finished runs`,
  run: async (bench) => {
    const databaseUrl = await startDatabase(bench);
    const examination = await bench.examination({
      scenarios: 0,
      models: 'offline',
      settings: { DATABASE_URL: databaseUrl },
    });
    const { service, stubs, agentId } = examination;
    const { client } = service;
    const missing = LISTED - (await client.countScenarios());
    const scenarioIds = await client.createScenarios(benchScenarios(Math.max(missing, 30)));
    await stubs.prepare({ agentMs: 0, testerMs: 0, judgeMs: 0 });
    const { runId } = await runToEnd(client, { agentId, scenarioIds, turns: 5, concurrency: 30 });
    const load = bench.keep(new ReadLoad());

    const documents = [
      { what: 'GET one run', path: `/api/v1/tests/${runId}`, goal: 0.7 },
      { what: `GET scenarios (${await client.countScenarios()})`, path: '/api/v1/scenarios', goal: 0.7 },
      { what: 'GET tests, a page of 25', path: '/api/v1/tests', goal: null },
    ];
    for (const document of documents) await measure(bench, load, client.url, document, 'a few runs');
    bench.progress(`reads: storing ${FINISHED_RUNS} finished runs`);
    await storeFinishedRuns(databaseUrl, FINISHED_RUNS);
    for (const document of documents)
      await measure(bench, load, client.url, document, `${FINISHED_RUNS} finished runs`);
  },
};

/** A server of the bench's own, since only the service that started an embedded one can connect to it. */
export async function startDatabase(bench: Bench): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-bench-'));
  bench.keep({ stop: () => rm(dataDir, { recursive: true, force: true }) });
  const server = bench.keep(await startEmbeddedPostgres({ dataDir, log: createLog('warn') }));
  return server.url;
}

interface Document {
  readonly what: string;
  readonly path: string;
  /** Share of the bare endpoint's requests a second. */
  readonly goal: number | null;
}

async function measure(
  bench: Bench,
  load: ReadLoad,
  serviceUrl: string,
  { what, path, goal }: Document,
  table: string,
): Promise<void> {
  const url = `${serviceUrl}${path}`;
  const text = await (await fetch(url)).text();
  const bare = await BareEndpoint.start(text);
  const seconds = bench.isQuick ? 1 : 4;
  await load.read(bare.url, CONNECTIONS, seconds / 2);
  await load.read(url, CONNECTIONS, seconds / 2);
  const { floors, values } = await inTurn(
    bench.rounds(5),
    async (round) => {
      bench.progress(`reads: ${what}, ${table}, round ${round}`);
      return load.read(bare.url, CONNECTIONS, seconds);
    },
    () => load.read(url, CONNECTIONS, seconds),
  );
  await bare.stop();
  const rates = (rounds: Served[]) => rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  const waits = (rounds: Served[]) => rounds.map(({ p99Ms }) => p99Ms);
  const common = {
    section: 'reads',
    load: `${CONNECTIONS} connections, ${(Buffer.byteLength(text) / 1000).toFixed(1)} kB, ${table}`,
  };
  bench.report({
    ...common,
    what,
    unit: 'requests/s',
    value: median(rates(values)),
    range: rangeOf(rates(values)),
    floor: median(rates(floors)),
    goal: goal === null ? null : { of: 'ratio', is: 'at least', limit: goal },
  });
  bench.report({
    ...common,
    what: `${what}, p99`,
    unit: 'ms',
    value: median(waits(values)),
    range: rangeOf(waits(values)),
    floor: median(waits(floors)),
    goal: null,
  });
  const busiest = Math.max(...[...floors, ...values].map(({ processorShare }) => processorShare));
  bench.progress(`reads: the load generator used at most ${busiest.toFixed(2)} of a processor`);
}
