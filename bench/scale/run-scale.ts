import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { monotonicMs } from '../clock';
import { describeMachine } from '../machine';
import { ServiceProcess } from '../service-process';
import { median, rangeOf } from '../statistics';
import { documentsOf, type Document } from './documents';
import { fillLoudly, recordTemplate, startServer, withClient } from './filled-server';
import { measureReads, READ_HEADINGS } from './reads';
import { measureReplays, REPLAY_HEADINGS } from './replays';
import { measureSizes, SIZE_HEADINGS } from './sizes';
import { measureWrites, WRITE_HEADINGS } from './writes';
import { loadNow, milliseconds, ReportTable } from './table';

const SAMPLE = { scenarios: 24, turns: 6 };
const STARTS = 3;
const START_GOAL_MS = 5_000;

interface Options {
  readonly runs: string;
  readonly folder?: string;
}

/** Fills the tables of a service with finished runs, and measures the service's cost with them. */
async function main(): Promise<void> {
  const command = new Command('npm run bench:scale --')
    .option('--runs <number>', 'finished runs, of 24 scenario runs each', '10000')
    .option(
      '--folder <folder>',
      'where the rows are kept, and used again when they are there; by default they are removed',
    )
    .parse();
  const options = command.opts<Options>();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'agent-osce-scale-')));
  try {
    await measure(Number(options.runs), folder);
  } finally {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** The reads and the replays that are measured on the filled tables. */
interface Filled {
  readonly documents: readonly Document[];
  readonly finished: readonly { readonly id: string; readonly events: number }[];
}

async function measure(runs: number, folder: string): Promise<void> {
  const dataDir = join(folder, 'present');
  process.stderr.write(`${describeMachine()}\n`);
  const sizes = new ReportTable(`${runs.toLocaleString('en')} finished runs: what they take`, SIZE_HEADINGS);
  const starts = new ReportTable('From the start of the process to /health', START_HEADINGS);
  const reads = new ReportTable('Reads', READ_HEADINGS);
  const replays = new ReportTable('Replay of a finished run from its first event', REPLAY_HEADINGS);
  const writes = new ReportTable('Turns stored beside them, each in a transaction of its own', WRITE_HEADINGS);
  const { documents, finished } = await fillOnce(dataDir, runs, { sizes, writes });
  const service = await startRepeatedly(dataDir, starts);
  try {
    await measureReads(service, documents, reads);
    await measureReplays(service, finished, replays);
  } finally {
    await service.stop();
  }
  process.stdout.write(`${describeMachine()}, load ${loadNow()}\n`);
  for (const table of [sizes, writes, starts, reads, replays]) process.stdout.write(table.markdown);
}

/** Leaves the server stopped: the service starts it itself. */
async function fillOnce(
  dataDir: string,
  runs: number,
  { sizes, writes }: Readonly<Record<'sizes' | 'writes', ReportTable>>,
): Promise<Filled> {
  const server = await startServer(dataDir);
  try {
    if (!(await isFilled(server.url))) {
      const template = await recordTemplate(server.url, SAMPLE);
      await fillLoudly(server.url, template, { runs, days: 90, agents: 20 });
    }
    await withClient(server.url, (client) => measureSizes(client, sizes));
    await measureWrites(server.url, writes);
    return await withClient(server.url, async (client) => {
      const finished = await client.query<{ id: string; events: number }>(
        `SELECT id, last_seq::float8 AS events FROM test_runs WHERE status = 'completed' ORDER BY md5(id::text) LIMIT 100`,
      );
      return { documents: await documentsOf(client), finished: finished.rows };
    });
  } finally {
    await server.stop();
  }
}

async function isFilled(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const tables = await client.query<{ there: boolean }>(`SELECT to_regclass('test_runs') IS NOT NULL AS there`);
    if (tables.rows[0]?.there !== true) return false;
    const runs = await client.query('SELECT 1 FROM test_runs OFFSET 100 LIMIT 1');
    return runs.rows.length > 0;
  });
}

const START_HEADINGS = ['start', 'measured', 'goal', 'met', 'load'];

/** The last of them goes on. */
async function startRepeatedly(dataDir: string, starts: ReportTable): Promise<ServiceProcess> {
  const took: number[] = [];
  for (;;) {
    const began = monotonicMs();
    const service = await ServiceProcess.start({ settings: { DATA_DIR: dataDir } });
    took.push(monotonicMs() - began);
    if (took.length < STARTS) {
      await service.stop();
      continue;
    }
    const value = median(took);
    const range = rangeOf(took).map(milliseconds).join(' to ');
    const isMet = value <= START_GOAL_MS ? 'yes' : 'no';
    starts.add(
      `median of ${STARTS}`,
      `${milliseconds(value)} (${range})`,
      milliseconds(START_GOAL_MS),
      isMet,
      loadNow(),
    );
    return service;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
