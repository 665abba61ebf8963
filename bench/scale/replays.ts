import { monotonicMs } from '../clock';
import { EventSubscriber } from '../event-subscriber';
import type { ServiceProcess } from '../service-process';
import { median, percentile } from '../statistics';
import { loadNow, milliseconds, type ReportTable } from './table';
import { treeProcessorMs } from './tree-usage';

const ROUNDS = 3;
const REPLAYS = 60;
const AT_ONCE = 5;
const GOAL_MS = 50;

export const REPLAY_HEADINGS = [
  'load',
  'first event: p50',
  'p99',
  'whole run: p50',
  'p99',
  'processor time a replay',
  'goal at p99',
  'met',
  'machine',
];

interface Replay {
  readonly firstMs: number;
  readonly wholeMs: number;
}

/** The times from opening the stream of a finished run at its beginning until its first and its last event arrive. */
export async function measureReplays(
  service: ServiceProcess,
  runs: readonly { readonly id: string; readonly events: number }[],
  table: ReportTable,
): Promise<void> {
  for (const readers of [1, AT_ONCE]) {
    const rounds: Replay[][] = [];
    const costs: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const before = treeProcessorMs(service.pid);
      const replays = await replayAll(service.client.url, runs, readers);
      // The first round is a warm-up.
      if (round === 0) continue;
      costs.push((treeProcessorMs(service.pid) - before) / replays.length);
      rounds.push(replays);
    }
    const at = (percent: number, of: (replay: Replay) => number): number =>
      median(rounds.map((replays) => percentile(replays.map(of), percent)));
    const whole = at(99, ({ wholeMs }) => wholeMs);
    table.add(
      readers === 1 ? 'one after the other' : `${readers} at a time`,
      milliseconds(at(50, ({ firstMs }) => firstMs)),
      milliseconds(at(99, ({ firstMs }) => firstMs)),
      milliseconds(at(50, ({ wholeMs }) => wholeMs)),
      milliseconds(whole),
      milliseconds(median(costs)),
      `${GOAL_MS} ms`,
      whole <= GOAL_MS ? 'yes' : 'no',
      loadNow(),
    );
  }
}

async function replayAll(
  url: string,
  runs: readonly { readonly id: string; readonly events: number }[],
  readers: number,
): Promise<Replay[]> {
  const replays: Replay[] = [];
  let next = 0;
  const reader = async (): Promise<void> => {
    while (next < REPLAYS) {
      const run = runs[(next += 1) % runs.length];
      if (run !== undefined) replays.push(await replay(url, run));
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return replays;
}

/** @throws Error when events are missing */
async function replay(url: string, { id, events }: { readonly id: string; readonly events: number }): Promise<Replay> {
  const began = monotonicMs();
  let [firstAt, lastAt, heard] = [NaN, NaN, 0];
  const address = `${url}/events?run_id=${id}&last_event_id=0`;
  const subscriber = await EventSubscriber.open(address, ({ type }, heardAt) => {
    if (type === 'connected') return;
    if (heard === 0) firstAt = heardAt;
    heard += 1;
    lastAt = heardAt;
  });
  await subscriber.ended();
  if (heard !== events) throw new Error(`Of ${events} events of the run ${id} ${heard} were replayed.`);
  return { firstMs: firstAt - began, wholeMs: lastAt - began };
}
