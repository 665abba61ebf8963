import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import type { Bus } from '../../src/engine/bus/bus';
import { streamName } from '../../src/engine/bus/nats-work-stream';
import { NatsBus, type NatsBusOptions } from '../../src/engine/bus/nats.bus';
import { silentLog } from '../../src/platform/config/log';
import { busInTime } from '../setup/bus-in-time';
import { describeWithNewestNats } from '../setup/describe-with-nats';
import { eventually, inTime } from '../setup/eventually';
import { startNatsFilter } from '../setup/nats-filter';
import { connectTo, deleteStreams, SHORT_TIMES } from '../setup/nats-harness';
import { NatsServer } from '../setup/nats-server';
import { startTcpProxy } from '../setup/tcp-proxy';

const DAY_NS = 24 * 3_600e9;

describeWithNewestNats('a queue of work over NATS', (binary) => {
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

  /** A bus, with what it asks of the server's management; `isHeard` as of the filter. */
  async function overheard(
    isHeard: (subject: string) => boolean | Promise<boolean> = () => true,
    options: Partial<NatsBusOptions> = {},
    url = server.url,
  ) {
    const asked: string[] = [];
    const filter = await startNatsFilter(url, (subject) => {
      const [, what] = /^\$JS\.API\.((STREAM|CONSUMER)\.(INFO|CREATE|UPDATE|DELETE))\./.exec(subject) ?? [];
      if (what !== undefined) asked.push(what);
      return isHeard(subject);
    });
    cleanups.push(() => filter.close());
    return { bus: await open({ url: filter.url, ...options }), asked };
  }

  /** Enqueues a work of its own and takes all that waits, so that the consumer is made, or found. */
  async function consumed(bus: Bus, waiting: readonly number[] = []): Promise<void> {
    const own = randomUUID();
    const taken: unknown[] = [];
    await bus.enqueue(queue, own, { messageId: own });
    const consuming = bus.consume(queue, 5, (delivery) => {
      taken.push(delivery.payload);
      delivery.ack();
    });
    await eventually(() => expect(taken).toEqual(expect.arrayContaining([...waiting, own])));
    consuming.unsubscribe();
  }

  async function settings() {
    const manager = await jetstreamManager(other);
    const { config: stream } = await manager.streams.info(streamName(queue));
    const { config: consumer } = await manager.consumers.info(streamName(queue), 'processes');
    return { stream, consumer };
  }

  const wanted = () => ({
    stream: {
      subjects: [queue],
      retention: 'workqueue',
      storage: 'file',
      max_age: DAY_NS,
      duplicate_window: nanos(60_000),
    },
    consumer: {
      durable_name: 'processes',
      ack_policy: 'explicit',
      ack_wait: nanos(20_000),
      max_deliver: -1,
      max_ack_pending: -1,
    },
  });
  const TIMES = { dedupeWindowMs: 60_000, ackWaitMs: 20_000 };

  test('is made when it is first needed, and looked for once', async () => {
    const { bus, asked } = await overheard(undefined, TIMES);
    expect(asked).toEqual([]);
    await bus.enqueue(queue, 1, { messageId: '1' });
    expect(asked).toEqual(['STREAM.INFO', 'STREAM.CREATE']);
    asked.splice(0);
    await bus.enqueue(queue, 2, { messageId: '2' });
    expect(asked).toEqual([]);
    await consumed(bus, [1, 2]);
    expect(asked).toEqual(['CONSUMER.INFO', 'CONSUMER.CREATE']);
    expect(await settings()).toMatchObject(wanted());
    asked.splice(0);
    await bus.enqueue('osce.other.work', 1, { messageId: '1' });
    expect(asked).toEqual(['STREAM.INFO', 'STREAM.CREATE']);
    const manager = await jetstreamManager(other);
    const { state } = await manager.streams.info('osce_other_work');
    expect(state.messages).toBe(1);
  });

  test('stays as it is where its times are right, whoever has made it', async () => {
    await consumed(await open(TIMES));
    const { bus, asked } = await overheard(undefined, TIMES);
    await bus.enqueue(queue, 1, { messageId: '1' });
    await consumed(bus, [1]);
    expect(asked).toEqual(['STREAM.INFO', 'CONSUMER.INFO']);
  });

  test('gets the times of a process that has others, and keeps the rest', async () => {
    await consumed(await open({ dedupeWindowMs: 1_000, ackWaitMs: 1_000 }));
    const manager = await jetstreamManager(other);
    await manager.streams.update(streamName(queue), { max_msgs: 12_345 });
    await manager.consumers.update(streamName(queue), 'processes', {
      max_ack_pending: 7,
      description: 'of an operator',
    });
    const { bus, asked } = await overheard(undefined, TIMES);
    await consumed(bus);
    // The client looks for itself before it updates.
    expect(asked.filter((what) => !what.endsWith('INFO'))).toEqual(['STREAM.UPDATE', 'CONSUMER.CREATE']);
    const now = await settings();
    expect(now).toMatchObject(wanted());
    expect([now.stream.max_msgs, now.consumer.description]).toEqual([12_345, 'of an operator']);
  });

  test('is that of another process where both make it at the same moment, with the times of the later one', async () => {
    const manager = await jetstreamManager(other);
    const meanwhile = async (subject: string): Promise<boolean> => {
      if (subject.startsWith('$JS.API.STREAM.CREATE.')) {
        await manager.streams.add({ name: streamName(queue), subjects: [queue], retention: 'workqueue', max_msgs: 99 });
      }
      if (subject.startsWith('$JS.API.CONSUMER.CREATE.') && others === 0) {
        others += 1;
        await manager.consumers.add(streamName(queue), {
          durable_name: 'processes',
          ack_policy: 'explicit',
          ack_wait: nanos(1_000),
          description: 'of another process',
        });
      }
      return true;
    };
    let others = 0;
    const { bus } = await overheard(meanwhile, TIMES);
    await consumed(bus);
    const made = await settings();
    expect(made.stream).toMatchObject({ max_msgs: 99, duplicate_window: nanos(60_000) });
    expect(made.consumer).toMatchObject({ description: 'of another process', ack_wait: nanos(20_000) });
  });

  test('is made again where somebody has deleted it, and takes the work that showed it', async () => {
    const { bus, asked } = await overheard();
    await bus.enqueue(queue, 1, { messageId: '1' });
    await deleteStreams(server);
    asked.splice(0);
    await bus.enqueue(queue, 2, { messageId: '2' });
    expect(asked).toEqual(['STREAM.INFO', 'STREAM.CREATE']);
    await consumed(bus, [2]);
  });

  test('that cannot be made takes no work, and is tried again for the next', async () => {
    const manager = await jetstreamManager(other);
    await manager.streams.add({ name: 'in_the_way', subjects: [queue] });
    const bus = await open();
    await expect(bus.enqueue(queue, 1, { messageId: '1' })).rejects.toMatchObject({
      name: 'BusError',
      reason: 'unavailable',
      message: 'The NATS server does not accept work at the moment.',
      cause: expect.objectContaining({ message: expect.stringContaining('overlap') }),
    });
    await manager.streams.delete('in_the_way');
    await bus.enqueue(queue, 1, { messageId: '1' });
    expect((await manager.streams.info(streamName(queue))).state.messages).toBe(1);
  });

  test('is sent work once where the server does not say that it holds it', async () => {
    let sent = 0;
    let isMute = false;
    const isHeard = (subject: string): boolean => {
      if (subject !== queue) return true;
      sent += 1;
      return !isMute;
    };
    const { bus, asked } = await overheard(isHeard, { times: { ...SHORT_TIMES, answerWithinMs: 300 } });
    await eventually(() => bus.enqueue(queue, 1, { messageId: '1' }));
    asked.splice(0);
    isMute = true;
    sent = 0;
    await expect(bus.enqueue(queue, 2, { messageId: '2' })).rejects.toMatchObject({ reason: 'unavailable' });
    expect([sent, asked]).toEqual([1, []]);
  });

  test('is not made where the server does not say whether it is there', async () => {
    const { bus, asked } = await overheard((subject) => !subject.startsWith('$JS.API.STREAM.INFO.'), {
      times: { ...SHORT_TIMES, answerWithinMs: 100 },
    });
    await expect(bus.enqueue(queue, 1, { messageId: '1' })).rejects.toMatchObject({ reason: 'unavailable' });
    expect(asked).toEqual(['STREAM.INFO']);
  });

  test('takes work while its consumer answers no pull', async () => {
    const { bus } = await overheard((subject) => !subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.'));
    await bus.enqueue(queue, 1, { messageId: '1' });
    const manager = await jetstreamManager(other);
    expect((await manager.streams.info(streamName(queue))).state.messages).toBe(1);
  });

  test.each([
    [3, false],
    [4, true],
  ])('makes its consumer anew after four unheard pulls: after %d, %s', async (unheard, isMadeAnew) => {
    let pulls = 0;
    const isHeard = (subject: string): boolean => {
      if (!subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.')) return true;
      pulls += 1;
      return pulls > unheard;
    };
    const { bus, asked } = await overheard(isHeard, { times: { ...SHORT_TIMES, checkWithinMs: 500 } });
    await consumed(bus);
    expect(asked.includes('CONSUMER.DELETE')).toBe(isMadeAnew);
  });

  test('is looked for again once the connection is back', async () => {
    const proxy = await startTcpProxy(server.url);
    cleanups.push(() => proxy.close());
    const { bus, asked } = await overheard(undefined, {}, proxy.url);
    await bus.enqueue(queue, 1, { messageId: '1' });
    proxy.cut();
    await eventually(() => expect(bus.status().status).toBe('error'));
    const refused = bus.enqueue(queue, 2, { messageId: '2' });
    await expect(refused).rejects.toMatchObject({ reason: 'unavailable', cause: null });
    await proxy.restore();
    await eventually(() => expect(bus.status().status).toBe('ok'));
    asked.splice(0);
    await eventually(() => bus.enqueue(queue, 3, { messageId: '3' }));
    expect(asked).toEqual(['STREAM.INFO']);
  });
});
