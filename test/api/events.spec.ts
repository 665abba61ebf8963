import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import type { RunEvent, RunEventFields } from '../../src/domain/run-events';
import { InProcessBus } from '../../src/engine/bus/in-process.bus';
import { subjects } from '../../src/engine/bus/bus';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { EventClient } from '../setup/event-client';
import { eventually } from '../setup/eventually';
import { startStreamService, type StreamService, type StreamServiceOptions } from '../setup/stream-service';
import { startTcpProxy } from '../setup/tcp-proxy';
import { finished, said, started, upTo } from '../setup/written-runs';

let testDatabase: TestDatabase;
const services: StreamService[] = [];
const clients: EventClient[] = [];
const sources: EventSource[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(async () => {
  for (const client of [...clients.splice(0), ...sources.splice(0)]) client.close();
  await Promise.all(services.splice(0).map((service) => service.close()));
});
afterAll(() => testDatabase.drop());

async function start(options: StreamServiceOptions & { databaseUrl?: string } = {}): Promise<StreamService> {
  const service = await startStreamService(options.databaseUrl ?? testDatabase.url, options);
  services.push(service);
  return service;
}

async function connect(url: string, lastEventId?: string | number): Promise<EventClient> {
  const client = await EventClient.open(url, lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) });
  clients.push(client);
  return client;
}

/** A run of `count` events, the last one final. */
function story(count: number): RunEventFields[] {
  return [started, ...Array.from({ length: count - 2 }, (_, index) => said(index + 1)), finished];
}

/** Bytes that wait in this process for clients to take them. */
function heldBy(service: StreamService): number {
  return [...service.sockets].reduce((held, socket) => held + socket.writableLength, 0);
}

describe('GET /events: requests', () => {
  let service: StreamService;
  beforeEach(async () => {
    service = await start();
  });

  it.each(['', '?run_id=', '?run_id=%20', '?other=1'])('400 without a run_id: /events%s', async (query) => {
    const client = await connect(`${service.url}/events${query}`);
    expect(client.status).toBe(400);
    expect(await client.body()).toEqual({ error: expect.stringContaining('run_id') });
  });

  it.each(['?run_id=a&run_id=b', '?run_id=%00', `?run_id=${'x'.repeat(1_000)}`])('400 for %.40s', async (query) => {
    const client = await connect(`${service.url}/events${query}`);
    expect(client.status).toBe(400);
    expect(await client.body()).toEqual({ error: expect.stringContaining('run_id') });
  });

  it.each(['abc', '-1', '1.5', '1e3', '0x10', '99999999999999999', '٣'])(
    '400 for %s as the last event',
    async (lastEventId) => {
      const { id } = await service.createRun();
      const byQuery = await connect(`${service.events(id)}&last_event_id=${encodeURIComponent(lastEventId)}`);
      expect(byQuery.status).toBe(400);
      expect(await byQuery.body()).toEqual({ error: expect.stringContaining('last_event_id') });
      const byHeader = await connect(service.events(id), Buffer.from(lastEventId).toString('latin1'));
      expect(byHeader.status).toBe(400);
      expect(await byHeader.body()).toEqual({ error: expect.stringContaining('Last-Event-ID') });
    },
  );

  it('400 for an event the run does not have yet', async () => {
    const { id } = await service.createRun();
    await service.write(id, started);
    expect((await connect(service.events(id), 2)).status).toBe(400);
    expect((await connect(service.events(id), 1)).status).toBe(200);
  });

  it('503 when the database is out of reach; who is connected already stays, and hears the rest', async () => {
    const proxy = await startTcpProxy(testDatabase.url);
    const cutOff = await start({ databaseUrl: proxy.url, times: { pollMs: 20 } });
    const { id } = await service.createRun();
    await service.write(id, started);
    const following = await connect(cutOff.events(id));
    await eventually(() => expect(following.ids).toEqual([1]));
    proxy.cut();
    const refused = await connect(cutOff.events(id));
    expect(refused.status).toBe(503);
    expect(await refused.body()).toEqual({ error: expect.stringContaining('database') });
    await service.write(id, said(1), finished);
    await proxy.restore();
    expect(await following.ended).toBe(true);
    expect(following.ids).toEqual([1, 2, 3]);
    await cutOff.close();
    await proxy.close();
  });

  it('answers HEAD with the headers only', async () => {
    const { id } = await service.createRun();
    const answer = await fetch(service.events(id), { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
  });

  it('sends headers that keep proxies from holding the stream back', async () => {
    const { id } = await service.createRun();
    const { response } = await connect(service.events(id));
    expect(response.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
  });
});

describe('GET /events: one subscriber', () => {
  let service: StreamService;
  beforeEach(async () => {
    service = await start();
  });

  it('first says how the run stands, without an id', async () => {
    const { id, label } = await service.createRun();
    await service.write(id, started);
    for (const key of [id, id.toUpperCase(), label]) {
      const client = await connect(service.events(key));
      await eventually(() => expect(client.messages.length).toBeGreaterThan(0));
      expect(client.messages[0]).toEqual({
        id: undefined,
        data: {
          type: 'connected',
          run_id: id,
          run: expect.objectContaining({ id, test_run_id: label, status: 'running', pass_rate: 0 }),
        },
      });
    }
  });

  it('sends what is stored, then what happens, exactly as it was written, and ends after the final event', async () => {
    const { id, label } = await service.createRun();
    const written = await service.write(id, started, said(1), said(2));
    const client = await connect(service.events(label));
    await eventually(() => expect(client.ids).toEqual([1, 2, 3]));
    for (const fields of [said(3, 'zażółć 🩺 \u2028 "quoted" \\ \n\r\n id: 9\n\ndata: {}'), finished]) {
      const events = await service.write(id, fields);
      written.push(...events);
      service.publish(...events);
    }
    expect(await client.ended).toBe(true);
    expect(client.events).toEqual(written.map((event) => ({ id: event.seq, data: event })));
  });

  it('writes the same text for a stored and a live event', async () => {
    const { id } = await service.createRun();
    const textOf = async (): Promise<string> => {
      const answer = await fetch(service.events(id));
      return (await answer.text()).replace(/^.*\n.*\n\n/, '');
    };
    const live = textOf();
    await eventually(() => expect(service.streams.size).toBe(1));
    service.publish(...(await service.write(id, ...story(5))));
    const stored = await textOf();
    expect(stored).toMatch(/^id: 1\ndata: \{"type":"test_run_started"/);
    expect(await live).toBe(stored);
  });

  it('goes on after the Last-Event-ID at every position; after the final one there is nothing to come', async () => {
    const { id } = await service.createRun();
    await service.write(id, ...story(8));
    for (let position = 0; position < 8; position += 1) {
      for (const client of [
        await connect(service.events(id), position),
        await connect(`${service.events(id)}&last_event_id=${position}`),
      ]) {
        expect(await client.ended).toBe(true);
        expect(client.ids).toEqual(upTo(8, position));
      }
    }
    expect((await connect(service.events(id), 8)).status).toBe(204);
    expect((await connect(`${service.events(id)}&last_event_id=8`)).status).toBe(204);
  });

  it('lets the header win over the query, and takes an empty one for none', async () => {
    const { id } = await service.createRun();
    await service.write(id, ...story(5));
    const both = await connect(`${service.events(id)}&last_event_id=1`, 3);
    await both.ended;
    expect(both.ids).toEqual([4, 5]);
    const empty = await connect(`${service.events(id)}&last_event_id=`, '');
    await empty.ended;
    expect(empty.ids).toEqual([1, 2, 3, 4, 5]);
  });

  it('is followed by a standard EventSource to the end, which then stops', async () => {
    const { id } = await service.createRun();
    await service.write(id, started);
    const source = new EventSource(service.events(id));
    sources.push(source);
    const heard: { type: string; seq?: number }[] = [];
    source.onmessage = ({ data }) => heard.push(JSON.parse(String(data)));
    await eventually(() => expect(heard.length).toBe(2));
    service.publish(...(await service.write(id, said(1), finished)));
    // The stream ends, EventSource connects again after the retry time and is told by 204 that there is no more.
    await eventually(() => expect(source.readyState).toBe(EventSource.CLOSED));
    expect(heard.map(({ seq }) => seq)).toEqual([undefined, 1, 2, 3]);
  });

  it('replays a log of many pages, small events and large', async () => {
    const { id } = await service.createRun();
    await service.write(id, started, ...Array.from({ length: 1_000 }, (_, n) => said(n)));
    await service.write(id, ...Array.from({ length: 10 }, (_, n) => said(n, `${n}`.repeat(400_000))), finished);
    const client = await connect(service.events(id), 7);
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual(upTo(1_012, 7));
    expect(client.events.at(-2)?.data['agent_message']).toBe('9'.repeat(400_000));
  });

  it('keeps proxies open with comments', async () => {
    const impatient = await start({ times: { heartbeatMs: 20 } });
    const { id } = await impatient.createRun();
    const client = await connect(impatient.events(id));
    await eventually(() => expect(client.comments.length).toBeGreaterThan(2));
    expect(client.messages).toHaveLength(1);
  });
});

describe('GET /events: a bus that loses, repeats and lies', () => {
  async function followed(service: StreamService): Promise<{ id: string; client: EventClient }> {
    const { id } = await service.createRun();
    const client = await connect(service.events(id));
    await eventually(() => expect(client.messages.length).toBe(1));
    return { id, client };
  }

  it('needs no bus at all', async () => {
    const service = await start({ times: { pollMs: 20 } });
    const { id, client } = await followed(service);
    for (const fields of story(4)) await service.write(id, fields);
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual([1, 2, 3, 4]);
  });

  it('reads the log when a notice shows a gap, comes twice or late, or only points there', async () => {
    // So rarely that only notices can have brought the events.
    const service = await start({ times: { pollMs: 600_000 } });
    const { id, client } = await followed(service);
    await eventually(async () => {
      // The feed knows where the log ends once it answers from memory.
      expect(service.pipeline.feedOf(id).next(0)).toBeNull();
    });
    const [one, two, three] = await service.write(id, started, said(1), said(2));
    expect(client.ids).toEqual([]);
    if (one && two && three) service.publish(three, two, one, three);
    await eventually(() => expect(client.ids).toEqual([1, 2, 3]));
    const [four] = await service.write(id, said(3, 'x'.repeat(2_000_000)));
    if (four) service.publish({ type: 'stored', run_id: id, seq: four.seq });
    await eventually(() => expect(client.ids).toEqual([1, 2, 3, 4]));
    for (const garbage of [null, 'text', {}, { seq: 'x', type: 'stored' }, { seq: -1, type: 'stored' }, { seq: 5 }]) {
      service.bus.publish(subjects.testRunEvent(id), garbage);
    }
    const [five] = await service.write(id, finished);
    if (five) service.publish(five, five);
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual([1, 2, 3, 4, 5]);
  });

  it('ignores a notice of an event that was never committed', async () => {
    const service = await start({ times: { pollMs: 20 } });
    const { id, client } = await followed(service);
    service.publish({ type: 'stored', run_id: id, seq: 7 });
    const written = await service.write(id, ...story(3));
    service.publish(...written);
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual([1, 2, 3]);
  });

  it.each([1, 2, 3])('gives each of many subscribers every event once, in order (seed %d)', async (seed) => {
    const bus = new InProcessBus({ faults: { seed, dropMessages: 0.2, duplicateMessages: 0.2 } });
    const service = await start({ bus, times: { pollMs: 25 } });
    const { id } = await service.createRun();
    const total = 150;
    const expected: [EventClient, number][] = [];
    const joining: Promise<void>[] = [];
    let written = 0;
    const join = async (after: number): Promise<void> => {
      expected.push([await connect(service.events(id), after), after]);
    };
    const unordered: RunEvent[] = [];
    for (const fields of story(total)) {
      const [event] = await service.write(id, fields);
      written += 1;
      if (event) unordered.push(event);
      // Told in bursts and backwards now and then, while subscribers come at every moment.
      if (written % 7 === 0) service.publish(...unordered.splice(0).reverse());
      else if (written % 3 === 0) service.publish(...unordered.splice(0));
      if (written % 5 === 0 && written < total) joining.push(join(written % 2 === 0 ? 0 : written - 2));
    }
    await Promise.all(joining);
    for (const [client, after] of expected) {
      expect(await client.ended).toBe(true);
      expect(client.ids).toEqual(upTo(total, after));
    }
    expect(expected).toHaveLength(29);
  });
});

describe('GET /events: several processes on one database', () => {
  it('streams on one what another writes, and goes on on either', async () => {
    const [writer, other] = [await start(), await start({ times: { pollMs: 20 } })];
    const { id } = await writer.createRun();
    const here = await connect(writer.events(id));
    const there = await connect(other.events(id));
    await eventually(() => expect(here.messages.length + there.messages.length).toBe(2));
    for (const fields of story(6).slice(0, 3)) writer.publish(...(await writer.write(id, fields)));
    await eventually(() => expect([here.ids, there.ids]).toEqual([upTo(3), upTo(3)]));
    there.close();
    here.close();
    // The clients meet again, each on the other process, one event behind.
    const moved = [await connect(other.events(id), 2), await connect(writer.events(id), 2)];
    for (const fields of story(6).slice(3)) writer.publish(...(await writer.write(id, fields)));
    for (const client of moved) {
      expect(await client.ended).toBe(true);
      expect(client.ids).toEqual(upTo(6, 2));
    }
  });

  it('accepts the id of an event that only the other process has heard of yet', async () => {
    const [writer, other] = [await start(), await start({ times: { pollMs: 600_000 } })];
    const { id } = await writer.createRun();
    await connect(other.events(id));
    await eventually(() => expect(other.pipeline.feedOf(id).next(0)).toBeNull());
    await writer.write(id, ...story(5).slice(0, 4));
    const client = await connect(other.events(id), 3);
    expect(client.status).toBe(200);
    await eventually(() => expect(client.ids).toEqual([4]));
    other.publish(...(await writer.write(id, finished)));
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual([4, 5]);
  });
});

describe('GET /events: clients that do not keep up', () => {
  const eventBytes = 100_000;
  const events = 200;

  it('holds little for a slow reader, delays nobody else, and lets it have everything later', async () => {
    const service = await start();
    const { id } = await service.createRun();
    const slow = await connect(service.events(id));
    await eventually(() => expect(slow.messages.length).toBe(1));
    slow.pause();
    const quick = await connect(service.events(id));
    await eventually(() => expect(quick.messages.length).toBe(1));
    let mostHeld = 0;
    for (let n = 1; n <= events; n += 1) {
      service.publish(...(await service.write(id, n === events ? finished : said(n, 'x'.repeat(eventBytes)))));
      mostHeld = Math.max(mostHeld, heldBy(service));
    }
    expect(await quick.ended).toBe(true);
    expect(quick.ids).toEqual(upTo(events));
    expect(slow.ids.length).toBeLessThan(events);
    // One event beyond the socket's own buffers, not the 20 MB that were sent.
    expect(mostHeld).toBeLessThan(10 * eventBytes);
    slow.resume();
    expect(await slow.ended).toBe(true);
    expect(slow.ids).toEqual(upTo(events));
  });

  it('disconnects a reader that has stalled; it can go on where it was', async () => {
    const service = await start({ times: { stallMs: 100 } });
    const { id } = await service.createRun();
    await service.write(
      id,
      started,
      ...Array.from({ length: events }, (_, n) => said(n, 'x'.repeat(eventBytes))),
      finished,
    );
    const stalled = await connect(service.events(id));
    stalled.pause();
    await eventually(() => expect(service.streams.size).toBe(0));
    stalled.resume();
    expect(await stalled.ended).toBe(false);
    const received = stalled.ids.length;
    expect(received).toBeLessThan(events);
    expect(stalled.ids).toEqual(upTo(received));
    const again = await connect(service.events(id), received);
    expect(await again.ended).toBe(true);
    expect(again.ids).toEqual(upTo(events + 2, received));
  });

  it('forgets clients that leave, and the run when the last one has left', async () => {
    const service = await start();
    const { id } = await service.createRun();
    const three = [
      await connect(service.events(id)),
      await connect(service.events(id)),
      await connect(service.events(id)),
    ];
    await eventually(() => expect([service.streams.size, service.pipeline.size]).toEqual([3, 1]));
    three[0]?.close();
    three[1]?.close();
    await eventually(() => expect([service.streams.size, service.pipeline.size]).toEqual([1, 1]));
    three[2]?.close();
    await eventually(() => expect([service.streams.size, service.pipeline.size]).toEqual([0, 0]));
  });

  it('forgets a client that left before it was answered', async () => {
    const service = await start();
    const { id } = await service.createRun();
    await service.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE test_runs IN ACCESS EXCLUSIVE MODE');
      const leaving = get(service.events(id), { agent: false });
      leaving.on('error', () => undefined);
      await eventually(async () => {
        const [waiting] = await tx.query<{ count: number }>(
          `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        expect(waiting?.count).toBe(1);
      });
      leaving.destroy();
      await eventually(() => expect(service.sockets.size).toBe(0));
    });
    // The next subscriber is answered after the one that left.
    await connect(service.events(id));
    await eventually(() => expect([service.streams.size, service.pipeline.size]).toEqual([1, 1]));
  });
});

describe('GET /events: the ends of runs and processes', () => {
  it('waits for a run that does not exist yet and sends it from the first event', async () => {
    const service = await start({ times: { pollMs: 20 } });
    const id = randomUUID();
    const label = `run_20260314092653_${id.slice(0, 8)}`;
    const waiting = [await connect(service.events(id)), await connect(service.events(label), 4)];
    await eventually(() => expect(waiting.map((client) => client.messages.length)).toEqual([1, 1]));
    expect(waiting.map((client) => client.messages[0]?.data)).toEqual([
      { type: 'connected', run_id: id, run: null },
      { type: 'connected', run_id: label, run: null },
    ]);
    await service.createRun(id);
    await service.write(id, ...story(5));
    for (const client of waiting) {
      expect(await client.ended).toBe(true);
      expect(client.ids).toEqual(upTo(5));
    }
  });

  it('does not wait for ever', async () => {
    const service = await start({ times: { pollMs: 10, unknownRunMs: 50 } });
    const client = await connect(service.events('no-such-run'));
    expect(await client.ended).toBe(true);
    expect(client.messages).toEqual([{ id: undefined, data: { type: 'connected', run_id: 'no-such-run', run: null } }]);
    expect(service.streams.size).toBe(0);
  });

  it('ends when the run is deleted', async () => {
    const service = await start({ times: { pollMs: 20 } });
    const { id } = await service.createRun();
    await service.write(id, started);
    const client = await connect(service.events(id));
    await eventually(() => expect([client.ids, service.pipeline.feedOf(id).next(1)]).toEqual([[1], null]));
    await service.database.query('DELETE FROM test_runs WHERE id = $1', [id]);
    expect(await client.ended).toBe(true);
  });

  it('survives broken database connections without losing an event', async () => {
    const service = await start({ times: { pollMs: 20 } });
    const { id } = await service.createRun();
    const client = await connect(service.events(id));
    for (const fields of story(12)) {
      await service.database
        .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()')
        .catch(() => undefined);
      await eventually(async () => {
        await service.write(id, fields);
      });
    }
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual(upTo(12));
  });

  it('sends the rest of a finished run to a slow reader although the database was away', async () => {
    const proxy = await startTcpProxy(testDatabase.url);
    const service = await start({ databaseUrl: proxy.url, times: { pollMs: 20 } });
    const { id } = await service.createRun();
    await service.write(id, started, ...Array.from({ length: 200 }, (_, n) => said(n, 'x'.repeat(100_000))), finished);
    const client = await connect(service.events(id));
    client.pause();
    // Its socket is full; the feed has seen the end of the log and asks no more.
    await eventually(async () => {
      expect(service.pipeline.size).toBe(0);
      const held = heldBy(service);
      await sleep(100);
      expect(held > 0 && heldBy(service) === held).toBe(true);
    });
    proxy.cut();
    client.resume();
    // It has taken all that was on its way, so the service has asked for more, in vain.
    await eventually(async () => {
      const received = client.ids.length;
      await sleep(100);
      expect([heldBy(service), client.ids.length]).toEqual([0, received]);
    });
    await proxy.restore();
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual(upTo(202));
    await service.close();
    await proxy.close();
  });

  it('takes nobody on while the service stops, and publishes what is committed meanwhile to the end', async () => {
    const service = await start();
    const { id } = await service.createRun();
    const heard: unknown[] = [];
    service.bus.subscribe(subjects.testRunEvent(id), (notice) => heard.push(notice));
    service.streams.beforeApplicationShutdown();
    const refused = await connect(service.events(id));
    expect(refused.status).toBe(503);
    expect(await refused.body()).toEqual({ error: expect.stringContaining('shutting down') });
    const events = await service.write(id, started, said(1));
    service.committed.publish(events.slice(0, 1));
    service.pipeline.onApplicationShutdown();
    service.committed.publish(events.slice(1));
    await new Promise(setImmediate);
    expect(heard).toEqual(events.slice(0, 1));
  });

  it('ends every stream when the service stops, whether its client reads or not', async () => {
    const service = await start();
    const { id } = await service.createRun();
    await service.write(id, started, ...Array.from({ length: 100 }, (_, n) => said(n, 'x'.repeat(100_000))));
    const stuck = await connect(service.events(id));
    stuck.pause();
    const { id: other } = await service.createRun();
    const [following, waiting] = [await connect(service.events(other)), await connect(service.events('unknown'))];
    await eventually(() => expect(following.messages.length + waiting.messages.length).toBe(2));
    await eventually(() => expect(heldBy(service)).toBeGreaterThan(0));
    // Before the server waits for its connections: it would wait for a client that does not read.
    service.streams.beforeApplicationShutdown();
    await Promise.all([following.ended, waiting.ended]);
    await eventually(() => expect(service.streams.size).toBe(0));
    await service.close();
  });
});
