import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import type { Bus, Delivery } from '../../src/engine/bus/bus';
import { streamName } from '../../src/engine/bus/nats-work-stream';
import { NatsBus, type NatsBusOptions } from '../../src/engine/bus/nats.bus';
import { silentLog } from '../../src/platform/config/log';
import { busInTime } from '../setup/bus-in-time';
import { describeWithNewestNats } from '../setup/describe-with-nats';
import { eventually, inTime } from '../setup/eventually';
import { startNatsFilter } from '../setup/nats-filter';
import { connectTo, deleteStreams, keptLog, SHORT_TIMES } from '../setup/nats-harness';
import { NatsServer } from '../setup/nats-server';

const PULL = /^\$JS\.API\.CONSUMER\.MSG\.NEXT\.osce_work_\d+\.processes$/;
const SETTLEMENT = /^\$JS\.ACK\.osce_work_\d+\.processes\./;
const Asked = z.object({ batch: z.number(), expires: z.number(), idle_heartbeat: z.number() });

describeWithNewestNats('a consumer of work over NATS', (binary) => {
  let server: NatsServer;
  let other: NatsConnection;
  const cleanups: (() => unknown)[] = [];
  beforeAll(async () => {
    server = await NatsServer.start(binary);
    other = await connectTo(server);
  });
  /** A name of its own for each test: a server may still be writing a stream that it has deleted. */
  let queue = '';
  let queues = 0;
  beforeEach(async () => {
    await deleteStreams(server);
    queue = `osce.work.${(queues += 1)}`;
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  afterAll(async () => {
    await other.close();
    await server.close();
  });

  async function open(options: Partial<NatsBusOptions> = {}): Promise<Bus> {
    const opened = await inTime(NatsBus.open({ url: server.url, log: silentLog, times: SHORT_TIMES, ...options }));
    const bus = busInTime(opened);
    cleanups.push(() => bus.close());
    return bus;
  }

  /** A bus, with what it has asked and told the server about its work. */
  async function overheard(options: Partial<NatsBusOptions> = {}) {
    const pulls: z.infer<typeof Asked>[] = [];
    const settlements: string[] = [];
    const filter = await startNatsFilter(server.url, (subject, text) => {
      // What is shorter asks whether the consumer answers at all.
      if (PULL.test(subject) && text.length > 1) pulls.push(Asked.parse(JSON.parse(text)));
      if (SETTLEMENT.test(subject)) settlements.push(text);
      return true;
    });
    cleanups.push(() => filter.close());
    return { bus: await open({ url: filter.url, ...options }), pulls, settlements };
  }

  async function put(bus: Bus, ...works: readonly string[]): Promise<void> {
    for (const work of works) await bus.enqueue(queue, work, { messageId: work });
  }

  test('asks for as much as it has room for, and for nothing while it has none', async () => {
    const { bus, pulls } = await overheard({ times: { ...SHORT_TIMES, pullLastsMs: 60_000 } });
    const open: Delivery[] = [];
    await put(bus, 'a', 'b', 'c', 'd', 'e', 'f');
    bus.consume(queue, 3, (delivery) => open.push(delivery));
    await eventually(() => expect(open.length).toBe(3));
    await put(bus, 'g');
    expect(pulls.map(({ batch }) => batch)).toEqual([3]);
    open[0]?.ack();
    await eventually(() => expect(open.length).toBe(4));
    await put(bus, 'h');
    expect(pulls.map(({ batch }) => batch)).toEqual([3, 1]);
    for (const delivery of open.slice(1, 3)) delivery.nak(60_000);
    await eventually(() => expect(open.length).toBe(6));
    expect(pulls.reduce((sum, { batch }) => sum + batch, 0)).toBe(6);
  });

  test('asks again once the server has let a pull end, for as long as it is there', async () => {
    const { bus, pulls } = await overheard();
    const leaving = bus.consume(queue, 2, () => undefined);
    await eventually(() => expect(pulls.length).toBe(2));
    expect(pulls).toEqual(Array.from({ length: 2 }, () => ({ batch: 2, expires: 1e9, idle_heartbeat: 5e8 })));
    leaving.unsubscribe();
    await sleep(SHORT_TIMES.pullLastsMs + 100);
    expect(pulls).toHaveLength(2);
  });

  test('tells the server once what became of a delivery, and nothing of it afterwards', async () => {
    const { bus, settlements } = await overheard();
    const endings = ['ack', 'drop', 'nak'] as const;
    bus.consume(queue, 1, (delivery) => {
      delivery.working();
      for (const ending of endings) if (delivery.payload === ending) delivery[ending](60_000);
      delivery.working();
      delivery.drop();
      delivery.nak(0);
      delivery.ack();
    });
    await put(bus, 'ack');
    await put(bus, 'drop');
    await put(bus, 'nak');
    const told = ['+WPI', '+ACK', '+WPI', '+TERM', '+WPI', '-NAK {"delay":60000000000}'];
    await eventually(() => expect(settlements.length).toBeGreaterThanOrEqual(told.length));
    await put(bus, 'fence');
    await eventually(() => expect(settlements.length).toBeGreaterThan(told.length));
    expect(settlements.slice(0, told.length)).toEqual(told);
  });

  test('who leaves at any moment takes nothing from those who stay', async () => {
    const bus = await open();
    const taken: unknown[] = [];
    const others: unknown[] = [];
    // Makes the queue, so that the first who leaves does so in the middle of a pull's beginning and not of the queue's.
    await put(bus, 'first');
    bus.consume(queue, 1, (delivery) => {
      others.push([delivery.payload, delivery.deliveryCount]);
      delivery.ack();
    });
    await eventually(() => expect(others).toEqual([['first', 1]]));
    const expected: unknown[] = [['first', 1]];
    for (let turns = 0; turns < 30; turns += 1) {
      const leaving = bus.consume(queue, 5, ({ payload }) => taken.push(payload));
      for (let passed = 0; passed < turns; passed += 1) await turn();
      leaving.unsubscribe();
      await put(bus, `work ${turns}`);
      expected.push([`work ${turns}`, 1]);
      await eventually(() => expect(others.length).toBe(expected.length));
    }
    expect(taken).toEqual([]);
    expect(others).toEqual(expected);
  });

  test('that leaves while its queue is looked for asks for nothing', async () => {
    const pulls: string[] = [];
    let leave: () => void = () => undefined;
    const filter = await startNatsFilter(server.url, (subject, text) => {
      if (PULL.test(subject) && text.length === 1) leave();
      if (PULL.test(subject) && text.length > 1) pulls.push(subject);
      return true;
    });
    cleanups.push(() => filter.close());
    const bus = await open({ url: filter.url });
    await put(bus, 'work');
    const taken: unknown[] = [];
    const leaving = bus.consume(queue, 1, () => taken.push('by who has left'));
    leave = () => leaving.unsubscribe();
    let fences = 0;
    await bus.enqueue('osce.work.999', 'fence', { messageId: 'fence' });
    bus.consume('osce.work.999', 1, () => (fences += 1));
    await eventually(() => expect(fences).toBe(1));
    expect(pulls.filter((subject) => !subject.includes('_999.'))).toEqual([]);
    expect(taken).toEqual([]);
  });

  test('gets one slot back for a delivery, also where it is settled after its ack wait', async () => {
    const { bus, pulls } = await overheard({ ackWaitMs: 100, times: { ...SHORT_TIMES, pullLastsMs: 60_000 } });
    const open: Delivery[] = [];
    await put(bus, 'work');
    bus.consume(queue, 1, (delivery) => open.push(delivery));
    await eventually(() => expect(open.length).toBeGreaterThanOrEqual(3));
    for (const late of open) late.ack();
    await put(bus, 'next');
    await eventually(() => expect(open.at(-1)?.payload).toBe('next'));
    expect(new Set(pulls.map(({ batch }) => batch))).toEqual(new Set([1]));
  });

  test('that leaves in the middle of a pull gives back at once what came with it', async () => {
    const bus = await open({ ackWaitMs: 600_000 });
    await put(bus, 'a', 'b', 'c');
    const taken: unknown[] = [];
    const leaving = bus.consume(queue, 3, (delivery) => {
      taken.push(delivery.payload);
      delivery.ack();
      leaving.unsubscribe();
    });
    await eventually(() => expect(taken).toEqual(['a']));
    bus.consume(queue, 3, (delivery) => {
      taken.push(delivery.payload);
      delivery.ack();
    });
    await eventually(() => expect(taken.toSorted()).toEqual(['a', 'b', 'c']));
  });

  test('that somebody deletes on the server is made again', async () => {
    const { lines, log } = keptLog();
    const bus = await open({ log });
    const taken: unknown[] = [];
    bus.consume(queue, 1, (delivery) => {
      taken.push(delivery.payload);
      delivery.ack();
    });
    await eventually(() => put(bus, 'before'));
    await eventually(() => expect(taken).toEqual(['before']));
    const manager = await jetstreamManager(other);
    await manager.consumers.delete(streamName(queue), 'processes');
    await put(bus, 'after');
    await eventually(() => expect(taken).toEqual(['before', 'after']));
    expect(lines.every(({ msg }) => msg === 'Could not pull work from the NATS server; trying again')).toBe(true);
  });

  describe('whose queue cannot be made', () => {
    /** Another stream has its subject: the server refuses a second one. */
    async function refuse() {
      const manager = await jetstreamManager(other);
      await deleteStreams(server);
      await manager.streams.add({ name: 'in_the_way', subjects: [queue] });
      return () => manager.streams.delete('in_the_way');
    }

    test('says so and tries again, after waits that double up to the longest, and begin anew after a success', async () => {
      const { lines, log } = keptLog();
      const bus = await open({ log });
      const waits = () => lines.map(({ delay_ms }) => delay_ms);
      const allow = await refuse();
      const taken: unknown[] = [];
      bus.consume(queue, 1, (delivery) => {
        taken.push(delivery.payload);
        delivery.ack();
      });
      await eventually(() => expect(waits().length).toBeGreaterThanOrEqual(5));
      expect(waits().slice(0, 5)).toEqual([5, 10, 20, 20, 20]);
      expect(lines[0]).toMatchObject({
        msg: 'Could not pull work from the NATS server; trying again',
        queue,
        error: expect.anything(),
      });
      await allow();
      await eventually(() => put(bus, 'work'));
      await eventually(() => expect(taken).toEqual(['work']));
      const before = lines.length;
      await refuse();
      // Once: between the deletion and what comes into its way the queue may be made again.
      await eventually(() => expect(waits().length).toBeGreaterThan(before));
      expect(waits()[before]).toBe(5);
    });

    test('ends at once when it leaves, and says nothing more', async () => {
      const { lines, log } = keptLog();
      const bus = await open({ log, times: { ...SHORT_TIMES, pullRetryMs: 60_000, longestPullRetryMs: 60_000 } });
      await refuse();
      const leaving = bus.consume(queue, 1, () => undefined);
      await eventually(() => expect(lines.length).toBe(1));
      leaving.unsubscribe();
      await bus.close();
      expect(lines).toHaveLength(1);
    });
  });
});
