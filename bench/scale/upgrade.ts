import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createLog } from '../../src/config/log';
import { createPatientDataSource } from '../../src/persistence/data-source';
import { migrate } from '../../src/persistence/migrate';
import { monotonicMs } from '../clock';
import { ServiceProcess } from '../service-process';
import { percentile } from '../statistics';
import { fillLoudly, startServer } from './filled-server';
import { loadNow, milliseconds, type ReportTable } from './table';
import type { Template } from './template';
import { Writer } from './writer';

export const UPGRADE_HEADINGS = ['what', 'measured', 'goal', 'met', 'load'];

/** The last step of the release that is upgraded from, by its time. */
export const LAST_OLD_STEP = 1_733_201_000_000;
const LONGEST_STALL_MS = 1_000;
const WRITERS = 4;
/** Before the first step and after the last one, to know what a write takes otherwise. */
const SETTLE_MS = 2_000;

/** The tables as the earlier release left them, with as many runs, are brought up to date while writers of that release go on; then the service starts on them. */
export async function measureUpgrade(
  dataDir: string,
  template: Template,
  runs: number,
  table: ReportTable,
): Promise<void> {
  const server = await startServer(dataDir);
  try {
    await migrateAsBefore(server.url);
    await fillLoudly(server.url, template, { runs, days: 90, agents: 20 });
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => Writer.open(server.url)));
    await sleep(SETTLE_MS);
    const undisturbed = longest(writers);
    const began = monotonicMs();
    await migrate({ url: server.url, log: createLog('warn') });
    const tookMs = monotonicMs() - began;
    await sleep(SETTLE_MS);
    for (const writer of writers) await writer.stop();
    const stall = longest(writers);
    const writes = writers.flatMap(({ tookMs: each }) => each);
    table.add(
      `steps after ${LAST_OLD_STEP}, ${runs.toLocaleString('en')} runs: all of them`,
      milliseconds(tookMs),
      '–',
      '–',
      loadNow(),
    );
    table.add(
      `the longest wait of ${WRITERS} writers meanwhile (${writes.length.toLocaleString('en')} turns; before it ${milliseconds(undisturbed)}, p99 ${milliseconds(percentile(writes, 99))})`,
      milliseconds(stall),
      milliseconds(LONGEST_STALL_MS),
      stall <= LONGEST_STALL_MS ? 'yes' : 'no',
      loadNow(),
    );
  } finally {
    await server.stop();
  }
  await startAfterwards(dataDir, runs, table);
}

/** @throws Error when the service does not start, or does not list what was there */
async function startAfterwards(dataDir: string, runs: number, table: ReportTable): Promise<void> {
  const began = monotonicMs();
  const service = await ServiceProcess.start({ settings: { DATA_DIR: dataDir } });
  try {
    const tookMs = monotonicMs() - began;
    const answer = await fetch(`${service.client.url}/api/v1/tests?limit=1`);
    const { total } = z.object({ total: z.number() }).parse(await answer.json());
    if (total < runs) throw new Error(`The service lists ${total} runs, of more than ${runs} that were there before.`);
    const what = `the service's first start on them, with ${total.toLocaleString('en')} runs listed`;
    table.add(what, milliseconds(tookMs), '–', '–', loadNow());
  } finally {
    await service.stop();
  }
}

function longest(writers: readonly Writer[]): number {
  return percentile(
    writers.flatMap(({ tookMs }) => tookMs),
    100,
  );
}

async function migrateAsBefore(url: string): Promise<void> {
  const dataSource = createPatientDataSource({ url, poolSize: 2, onPoolError: () => undefined });
  await dataSource.initialize();
  try {
    const { migrations } = dataSource;
    const known = migrations.filter(({ name = '' }) => Number(name.slice(-13)) <= LAST_OLD_STEP);
    migrations.splice(0, migrations.length, ...known);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
