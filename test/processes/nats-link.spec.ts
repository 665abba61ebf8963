import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Bus, Delivery } from '../../src/engine/bus/bus';
import { NatsBus, type NatsBusOptions } from '../../src/engine/bus/nats.bus';
import { silentLog } from '../../src/platform/config/log';
import { busInTime } from '../setup/bus-in-time';
import { describeWithNewestNats } from '../setup/describe-with-nats';
import { eventually, inTime } from '../setup/eventually';
import { startNatsFilter } from '../setup/nats-filter';
import { deleteStreams, keptLog, SHORT_TIMES } from '../setup/nats-harness';
import { NatsServer } from '../setup/nats-server';
import { startTcpProxy } from '../setup/tcp-proxy';

describeWithNewestNats('a bus that loses its NATS server', (binary) => {
  let server: NatsServer;
  const cleanups: (() => unknown)[] = [];
  beforeAll(async () => {
    server = await NatsServer.start(binary);
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
  afterAll(() => server.close());

  async function open(options: Partial<NatsBusOptions> = {}): Promise<Bus> {
    const opened = await inTime(NatsBus.open({ url: server.url, log: silentLog, times: SHORT_TIMES, ...options }));
    const bus = busInTime(opened);
    cleanups.push(() => bus.close());
    return bus;
  }

  /** A bus whose network can be cut, with the subjects and texts that it sends. */
  async function losable(options: Partial<NatsBusOptions> = {}) {
    const proxy = await startTcpProxy(server.url);
    cleanups.push(() => proxy.close());
    const sent: string[] = [];
    const filter = await startNatsFilter(proxy.url, (subject, text) => {
      sent.push(`${subject} ${text}`);
      return true;
    });
    cleanups.push(() => filter.close());
    const bus = await open({ url: filter.url, ...options });
    const untilAway = () => eventually(() => expect(bus.status().status).toBe('error'));
    const untilBack = () => eventually(() => expect(bus.status().status).toBe('ok'));
    return { bus, proxy, sent, untilAway, untilBack };
  }

  test('says so, drops what it is to say meanwhile and refuses the rest, until it is back', async () => {
    const { bus, proxy, sent, untilAway } = await losable();
    expect(bus.status()).toEqual({ status: 'ok', detail: `NATS ${binary.version} with JetStream answers.` });
    const heard: unknown[] = [];
    bus.subscribe('a', (payload) => heard.push(payload));
    bus.respond('ready', async () => true);
    proxy.cut();
    await untilAway();
    expect(bus.status()).toEqual({ status: 'error', detail: 'The NATS server is out of reach; reconnecting.' });
    sent.splice(0);
    bus.publish('a', 'into the void');
    const unavailable = { reason: 'unavailable', message: 'The NATS server is out of reach.' };
    await expect(bus.request('ready', 1, { timeoutMs: 60_000 })).rejects.toMatchObject(unavailable);
    await expect(bus.enqueue(queue, 1, { messageId: '1' })).rejects.toMatchObject({ reason: 'unavailable' });
    await proxy.restore();
    // The client itself forgets what it is given before an attempt to reconnect, and sends what it is given during one.
    while (bus.status().status === 'error') {
      bus.publish('a', 'into the void');
      await turn();
    }
    await expect(bus.request('ready', 1, { timeoutMs: 60_000 })).resolves.toBe(true);
    bus.publish('a', 'and again');
    await eventually(() => expect(heard).toEqual(['and again']));
    expect(sent.filter((text) => text.startsWith('a '))).toEqual(['a "and again"']);
  });

  test('refuses what was asked before and not answered', async () => {
    const { bus, proxy } = await losable();
    bus.respond('silent', () => new Promise(() => undefined));
    const asked = bus.request('silent', 1, { timeoutMs: 500 });
    const refused = expect(asked).rejects.toMatchObject({ name: 'BusError' });
    proxy.cut();
    await refused;
    await proxy.restore();
  });

  test('does not answer when it is back what it was asked before', async () => {
    const { bus, proxy, sent, untilAway } = await losable();
    const other = await open();
    const answers: ((value: unknown) => void)[] = [];
    bus.respond('slow', () => new Promise((resolve) => answers.push(resolve)));
    bus.respond('ready', async () => true);
    await eventually(async () => expect(await other.request('ready', 1, { timeoutMs: 60_000 })).toBe(true));
    const requests = Array.from({ length: 1_000 }, () =>
      other.request('slow', 1, { timeoutMs: 60_000 }).catch(() => 0),
    );
    await eventually(() => expect(answers.length).toBe(requests.length));
    proxy.cut();
    await untilAway();
    sent.splice(0);
    answers.pop()?.('too late');
    await proxy.restore();
    // As above: what the client is given during an attempt to reconnect it sends.
    while (bus.status().status === 'error') {
      answers.pop()?.('too late');
      await sleep(1);
    }
    bus.publish('a', 'fence');
    await eventually(() => expect(sent).toContain('a "fence"'));
    expect(sent.filter((text) => text.includes('too late'))).toEqual([]);
    await other.close();
    await Promise.all(requests);
  });

  test('tells the server nothing of work that it settled meanwhile, and gets it again', async () => {
    const { bus, proxy, sent, untilAway, untilBack } = await losable({ ackWaitMs: 500 });
    const deliveries: Delivery[] = [];
    bus.consume(queue, 2, (delivery) => deliveries.push(delivery));
    for (const number of [1, 2]) await eventually(() => bus.enqueue(queue, number, { messageId: `${number}` }));
    await eventually(() => expect(deliveries.length).toBe(2));
    proxy.cut();
    await untilAway();
    sent.splice(0);
    deliveries[0]?.ack();
    deliveries[1]?.working();
    await proxy.restore();
    await untilBack();
    deliveries[0]?.nak(60_000);
    deliveries[0]?.working();
    await eventually(() => expect(deliveries.length).toBeGreaterThanOrEqual(4));
    expect(deliveries.slice(2, 4).map(({ deliveryCount }) => deliveryCount)).toEqual([2, 2]);
    expect(sent.filter((text) => text.startsWith('$JS.ACK.'))).toEqual([]);
  });

  test('has no more open than it has room for, also when it lost the server in the middle of a pull', async () => {
    const { bus, proxy, sent, untilAway } = await losable({ times: { ...SHORT_TIMES, pullLastsMs: 60_000 } });
    const producer = await open();
    const deliveries: Delivery[] = [];
    bus.consume(queue, 3, (delivery) => deliveries.push(delivery));
    await producer.enqueue(queue, 0, { messageId: '0' });
    await eventually(() => expect(deliveries.length).toBe(1));
    proxy.cut();
    await untilAway();
    for (let number = 1; number <= 5; number += 1) await producer.enqueue(queue, number, { messageId: `${number}` });
    sent.splice(0);
    await proxy.restore();
    await eventually(() => expect(deliveries.length).toBe(3));
    bus.respond('fence', async () => true);
    await bus.request('fence', 1, { timeoutMs: 60_000 });
    expect(deliveries).toHaveLength(3);
    // The one that broke is not opened again for all the room there was.
    expect(sent.flatMap((text) => /"batch":(\d)/.exec(text)?.[1] ?? [])).toEqual(['2']);
  });

  test('takes work when it is back, also for who began while it was away', async () => {
    const { lines, log } = keptLog();
    const { bus, proxy, untilAway } = await losable({ log });
    const early: unknown[] = [];
    bus.consume(`${queue}.early`, 1, ({ payload }) => early.push(payload));
    await eventually(() => bus.enqueue(`${queue}.early`, 'before', { messageId: '1' }));
    await eventually(() => expect(early).toEqual(['before']));
    bus.consume(`${queue}.idle`, 1, () => undefined);
    await eventually(() => bus.enqueue(`${queue}.early`, 'fence', { messageId: '2' }));
    proxy.cut();
    await untilAway();
    const taken: unknown[] = [];
    const leaving = bus.consume(queue, 1, () => taken.push('by one who has left'));
    leaving.unsubscribe();
    bus.consume(queue, 1, ({ payload }) => taken.push(payload));
    await proxy.restore();
    await eventually(() => bus.enqueue(queue, 'work', { messageId: '1' }));
    await eventually(() => expect(taken).toEqual(['work']));
    expect(lines.map(({ msg }) => msg)).toEqual(['The NATS server is out of reach; reconnecting']);
  });

  test('notices a server that is silent, and does not wait for it when it closes', async () => {
    const { bus, proxy, untilAway } = await losable({
      times: { ...SHORT_TIMES, pingIntervalMs: 50, closeWithinMs: 50 },
    });
    proxy.drop();
    await untilAway();
    await bus.close();
    expect(bus.status()).toEqual({ status: 'error', detail: 'The connection to the NATS server is closed.' });
  });

  test('closes also where the server takes nothing any more', async () => {
    const { bus, proxy } = await losable({ times: { ...SHORT_TIMES, closeWithinMs: 50 } });
    proxy.drop();
    let isClosed = false;
    const closed = bus.close().then(() => (isClosed = true));
    // What is said last has this time to go out.
    await sleep(20);
    expect(isClosed).toBe(false);
    await closed;
  });
});
