import type { ServiceProcess } from '../service-process';
import { median, percentile } from '../statistics';
import { ask, type Load } from './clients';
import type { Document } from './documents';
import { loadNow, milliseconds, type ReportTable } from './table';
import { treeProcessorMs } from './tree-usage';

/** One client sends each request right after the answer; twenty send two a second each, like users who watch a page. */
const ALONE: Load = { clients: 1, everyMs: null, seconds: 2, requests: 100 };
const TOGETHER: Load = { clients: 20, everyMs: 500, seconds: 3, requests: 6 };
const ROUNDS = 3;

export const READ_HEADINGS = [
  'what is read',
  'one client: p50',
  'p99',
  '20 clients, 40 requests/s: p50',
  'p99',
  'processor time a request',
  'goal at p99',
  'met',
  'load',
];

/** Medians over rounds; p99 is the median of the rounds' p99. */
export async function measureReads(
  service: ServiceProcess,
  documents: readonly Document[],
  table: ReportTable,
): Promise<void> {
  for (const { what, path, goal } of documents) {
    // Warms up: users do not wait every day for what a process does once for each statement.
    await ask(service.client.url, path, { ...ALONE, requests: 10 });
    const alone: number[][] = [];
    const together: number[][] = [];
    const costs: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = treeProcessorMs(service.pid);
      const took = await ask(service.client.url, path, ALONE);
      costs.push((treeProcessorMs(service.pid) - before) / took.length);
      alone.push(took);
      together.push(await ask(service.client.url, path, TOGETHER));
    }
    const at = (rounds: readonly number[][], percent: number): number =>
      median(rounds.map((took) => percentile(took, percent)));
    const p99 = Math.max(at(alone, 99), at(together, 99));
    table.add(
      what,
      milliseconds(at(alone, 50)),
      milliseconds(at(alone, 99)),
      milliseconds(at(together, 50)),
      milliseconds(at(together, 99)),
      milliseconds(median(costs)),
      goal === null ? '–' : `${goal} ms`,
      goal === null ? '–' : p99 <= goal ? 'yes' : 'no',
      loadNow(),
    );
  }
}
