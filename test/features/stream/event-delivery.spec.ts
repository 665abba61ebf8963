import { randomUUID } from 'node:crypto';
import { InProcessBus } from '../../../src/engine/bus/in-process.bus';
import { subjects, type Subscription } from '../../../src/engine/bus/bus';
import { EventLogStore, type StoredEvent } from '../../../src/features/stream/event-log.store';
import { LogHeads } from '../../../src/features/stream/log-page-reader';
import { createLog } from '../../../src/platform/config/log';
import { Metrics } from '../../../src/platform/telemetry/metrics/metrics';
import { BY_NOTICE_ALONE, BY_POLLS, eventStreamsOf } from '../../setup/event-streams';
import { eventually } from '../../setup/eventually';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { finished, said, started, upTo } from '../../setup/written-runs';

const WITHIN_MS = 5_000;
/** More than sockets hold for a client that does not read. */
const FLOOD = Array.from({ length: 60 }, (_, at) => said(at + 1, 'x'.repeat(250_000)));

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());
const open = eventStreamsOf(() => runs);

/** A log that cannot be read while the database is away. */
class AwayLog extends EventLogStore {
  isAway = false;

  override heads(...asked: Parameters<EventLogStore['heads']>): ReturnType<EventLogStore['heads']> {
    return this.isAway ? Promise.reject(new Error('The database is away.')) : super.heads(...asked);
  }

  override readAfter(...asked: Parameters<EventLogStore['readAfter']>): Promise<StoredEvent[]> {
    return this.isAway ? Promise.reject(new Error('The database is away.')) : super.readAfter(...asked);
  }
}

/** Counts the subscriptions that are open. */
class CountedBus extends InProcessBus {
  listening = 0;

  override subscribe(...asked: Parameters<InProcessBus['subscribe']>): Subscription {
    const subscription = super.subscribe(...asked);
    this.listening += 1;
    return {
      unsubscribe: () => {
        this.listening -= 1;
        subscription.unsubscribe();
      },
    };
  }
}

class NotedMetrics extends Metrics {
  readonly observed: { readonly name: string; readonly value: number }[] = [];

  observe(name: string, _labels: object, value: number): void {
    this.observed.push({ name, value });
  }

  count(): void {}
  gauge(): void {}
  callBegan(): () => void {
    return () => undefined;
  }
}

describe('the events of a run', () => {
  it('reach those who follow it by notice, without a look at its log', async () => {
    const { createRun, write, connect, publish, pipeline } = await open({ times: BY_NOTICE_ALONE });
    const { id } = await createRun();
    const client = await connect(id);
    await eventually(() => expect(pipeline.feedOf(id).next(0)).toBeNull(), WITHIN_MS);
    const [one, two, three] = await write(id, started, said(1), finished);
    if (one && two && three) publish(two, one, two, three);
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual([1, 2, 3]);
  });

  it('reach them by a look at its log, where no notice comes', async () => {
    const { createRun, write, connect } = await open({ times: BY_POLLS });
    const { id } = await createRun();
    const client = await connect(id);
    for (const fields of [started, said(1), finished]) await write(id, fields);
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual([1, 2, 3]);
  });

  it('reach them whatever else is said on the bus', async () => {
    const { createRun, write, connect, publish, bus, pipeline } = await open({ times: BY_NOTICE_ALONE });
    const { id } = await createRun();
    const client = await connect(id);
    await eventually(() => expect(pipeline.feedOf(id).next(0)).toBeNull(), WITHIN_MS);
    for (const garbage of [null, 'text', {}, { seq: -1, type: 'stored' }]) {
      bus.publish(subjects.testRunEvent(id), garbage);
    }
    publish(...(await write(id, started, finished)));
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual([1, 2]);
  });

  it('that the log is known to hold are sent to one who comes, though nobody has told of them', async () => {
    const { createRun, write, connect, pipeline } = await open({ times: BY_NOTICE_ALONE });
    const { id } = await createRun();
    const first = await connect(id);
    await eventually(() => expect(pipeline.feedOf(id).next(0)).toBeNull(), WITHIN_MS);
    await write(id, started, said(1), said(2));
    const second = await connect(id, 1);
    await eventually(() => expect([first.ids, second.ids]).toEqual([upTo(3), [2, 3]]), WITHIN_MS);
  });

  it('wait for a client that does not read, and go on when it reads again, without another look or notice', async () => {
    const { createRun, write, connect, held } = await open({ times: BY_NOTICE_ALONE });
    const { id } = await createRun();
    await write(id, started, ...FLOOD, finished);
    const slow = await connect(id);
    slow.pause();
    await eventually(() => expect(held()).toBeGreaterThan(0), WITHIN_MS);
    slow.resume();
    expect(await slow.ended).toBe(true);
    expect(slow.ids).toEqual(upTo(FLOOD.length + 2));
  });

  it('end when the run is deleted', async () => {
    const { createRun, write, connect, database, pipeline } = await open({ times: BY_POLLS });
    const { id } = await createRun();
    await write(id, started);
    const client = await connect(id);
    await eventually(() => expect(client.ids).toEqual([1]), WITHIN_MS);
    await database.query('DELETE FROM test_runs WHERE id = $1', [id]);
    expect(await client.ended).toBe(true);
    await eventually(() => expect(pipeline.size).toBe(0), WITHIN_MS);
  });

  it('come once the database is back, and the log says each time that they could not be read', async () => {
    const eventLog = new AwayLog(runs.database);
    const lines: string[] = [];
    const log = createLog('debug', { write: (line) => void lines.push(line) });
    const { createRun, write, connect, publish } = await open({ eventLog, log, times: BY_POLLS });
    const { id } = await createRun();
    const client = await connect(id);
    await write(id, started, said(1));
    await eventually(() => expect(client.ids).toEqual([1, 2]), WITHIN_MS);
    const unreadable = () => lines.map((line): unknown => JSON.parse(line));
    const line = expect.objectContaining({
      level: 'debug',
      msg: 'The event log is out of reach',
      test_run_id: id,
      error: expect.objectContaining({ message: 'The database is away.' }),
    });
    expect(unreadable()).not.toContainEqual(line);
    eventLog.isAway = true;
    await eventually(() => expect(unreadable()).toContainEqual(line), WITHIN_MS);
    publish(...(await write(id, said(2), finished)).slice(1));
    eventLog.isAway = false;
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual(upTo(4));
  });

  it('are timed from when they happened to when they were sent, in seconds, each once', async () => {
    const metrics = new NotedMetrics();
    const { createRun, write, connect, publish, pipeline } = await open({ metrics, times: BY_NOTICE_ALONE });
    const { id } = await createRun();
    const client = await connect(id);
    await eventually(() => expect(pipeline.feedOf(id).next(0)).toBeNull(), WITHIN_MS);
    const [one, two] = await write(id, started, finished);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    if (one && two) publish({ ...one, at: hourAgo }, { ...one, at: hourAgo }, { ...two, at: hourAgo });
    expect(await client.ended).toBe(true);
    expect(metrics.observed.map(({ name }) => name)).toEqual(['osce_event_lag_seconds', 'osce_event_lag_seconds']);
    for (const { value } of metrics.observed) {
      expect(value).toBeGreaterThanOrEqual(3_600);
      // Whatever the test takes, it takes no hour.
      expect(value).toBeLessThan(7_200);
    }
  });
});

describe('a process', () => {
  it('follows a run once, however many ask for it, and no longer than they stay', async () => {
    const bus = new CountedBus();
    const { createRun, connect, pipeline } = await open({ bus });
    const followed = () => [pipeline.size, bus.listening];
    const [{ id }, other] = [await createRun(), await createRun()];
    const clients = [await connect(id), await connect(id)];
    await eventually(() => expect(followed()).toEqual([1, 1]), WITHIN_MS);
    const feed = pipeline.feedOf(id);
    const third = await connect(other.id);
    await eventually(() => expect(followed()).toEqual([2, 2]), WITHIN_MS);
    clients[0]?.close();
    third.close();
    await eventually(() => expect(followed()).toEqual([1, 1]), WITHIN_MS);
    expect(pipeline.feedOf(id)).toBe(feed);
    clients[1]?.close();
    await eventually(() => expect(followed()).toEqual([0, 0]), WITHIN_MS);
  });

  it('tells on the bus what it commits, to the end', async () => {
    const bus = new InProcessBus();
    const { committed, pipeline, createRun, write } = await open({ bus });
    const { id } = await createRun();
    const heard: unknown[] = [];
    bus.subscribe(subjects.testRunEvent(id), (payload) => heard.push(payload));
    const [one, two] = await write(id, started, finished);
    if (one) committed.publish([one]);
    await eventually(() => expect(heard).toEqual([one]), WITHIN_MS);
    pipeline.onApplicationShutdown();
    if (two) committed.publish([two]);
    await new Promise(setImmediate);
    expect(heard).toEqual([one]);
  });
});

describe('where logs end', () => {
  it('is said of many runs at a time: the last number, and whether there is nothing to come', async () => {
    const { createRun, write } = await open();
    const [empty, begun, over] = [await createRun(), await createRun(), await createRun()];
    await write(begun.id, started, said(1));
    await write(over.id, started, said(1), finished);
    const heads = new LogHeads(new EventLogStore(runs.database));
    const asked = [over.id, randomUUID(), empty.id, begun.id];
    expect(await Promise.all(asked.map((id) => heads.of(id)))).toEqual([
      { seq: 3, final: true },
      null,
      { seq: 0, final: false },
      { seq: 2, final: false },
    ]);
  });
});
