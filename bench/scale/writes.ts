import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { median, percentile } from '../statistics';
import { withClient } from './filled-server';
import { loadNow, milliseconds, type ReportTable } from './table';
import { treeProcessorMs } from './tree-usage';
import { Writer } from './writer';

export const WRITE_HEADINGS = [
  'writers',
  'turns a second',
  'p50',
  'p99',
  'log (WAL) a turn',
  "PostgreSQL's processor time a turn",
  'updates in place (HOT)',
  'load',
];

const ROUNDS = 3;
const SECONDS = 4;

/** Stores turns as the ledger does, one a transaction, and measures PostgreSQL's cost of each. The rows are removed again. */
export async function measureWrites(url: string, table: ReportTable): Promise<void> {
  for (const count of [1, 8]) {
    const rounds: Written[] = [];
    for (let round = 1; round <= ROUNDS; round += 1)
      rounds.push(await withClient(url, (client) => write(url, client, count)));
    const of = (value: (round: Written) => number): number => median(rounds.map(value));
    table.add(
      String(count),
      of(({ turns }) => turns / SECONDS).toFixed(0),
      milliseconds(of(({ tookMs }) => percentile(tookMs, 50))),
      milliseconds(of(({ tookMs }) => percentile(tookMs, 99))),
      `${(of(({ walBytes, turns }) => walBytes / turns) / 1_000).toFixed(1)} kB`,
      milliseconds(of(({ processorMs, turns }) => processorMs / turns)),
      `${(of(({ inPlace }) => inPlace) * 100).toFixed(0)} %`,
      loadNow(),
    );
  }
  await withClient(url, (client) => client.query(`DELETE FROM test_runs WHERE status = 'running'`));
}

interface Written {
  readonly turns: number;
  readonly tookMs: readonly number[];
  readonly walBytes: number;
  readonly processorMs: number;
  /** Share of the updates that touched no index. */
  readonly inPlace: number;
}

async function write(url: string, client: Client, count: number): Promise<Written> {
  await client.query('CHECKPOINT');
  const before = await standing(client);
  const writers = await Promise.all(Array.from({ length: count }, () => Writer.open(url)));
  await sleep(SECONDS * 1_000);
  for (const writer of writers) await writer.stop();
  // Sessions report their statistics when they end.
  await sleep(500);
  const after = await standing(client);
  const tookMs = writers.flatMap((writer) => writer.tookMs);
  return {
    turns: tookMs.length,
    tookMs,
    walBytes: after.wal - before.wal,
    processorMs: after.processorMs - before.processorMs,
    inPlace: (after.hot - before.hot) / (after.updates - before.updates),
  };
}

async function standing(client: Client) {
  const { rows } = await client.query<{ wal: number; updates: number; hot: number }>(
    `SELECT (pg_current_wal_lsn() - '0/0')::float8 AS wal, sum(n_tup_upd)::float8 AS updates, sum(n_tup_hot_upd)::float8 AS hot
     FROM pg_stat_user_tables WHERE relname IN ('test_runs', 'scenario_runs')`,
  );
  const { wal = NaN, updates = NaN, hot = NaN } = rows[0] ?? {};
  const { user, system } = process.cpuUsage();
  // The server is a child of this process; the time of this process itself is not PostgreSQL's.
  return { wal, updates, hot, processorMs: treeProcessorMs(process.pid) - (user + system) / 1_000 };
}
