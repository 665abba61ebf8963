import { silentLog } from '../../src/platform/config/log';
import type { Delivery } from '../../src/engine/bus/bus';
import { NatsBus, type NatsBusOptions } from '../../src/engine/bus/nats.bus';
import { eventually } from '../setup/eventually';
import { describeWithNats } from '../setup/describe-with-nats';
import { NatsServer } from '../setup/nats-server';
import { startTcpProxy } from '../setup/tcp-proxy';

describeWithNats('NatsBus', (binary) => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function startServer(...extraArguments: string[]): Promise<NatsServer> {
    const server = await NatsServer.start(binary, extraArguments.length > 0 ? extraArguments : undefined);
    cleanups.push(() => server.close());
    return server;
  }

  async function open(url: string, options: Partial<NatsBusOptions> = {}): Promise<NatsBus> {
    const bus = await NatsBus.open({ url, log: silentLog, reachWithinMs: 3_000, ...options });
    cleanups.push(() => bus.close());
    return bus;
  }

  async function untilBack(bus: NatsBus): Promise<void> {
    await eventually(() => expect(bus.status().status).toBe('ok'));
  }

  async function untilAway(bus: NatsBus): Promise<void> {
    await eventually(() => expect(bus.status().status).toBe('error'));
  }

  describe('while the server is away', () => {
    it('says so, drops what is published, and refuses the rest at once', async () => {
      const server = await startServer();
      const bus = await open(server.url);
      expect(bus.status()).toEqual({ status: 'ok', detail: `NATS ${binary.version} with JetStream answers.` });
      const heard: unknown[] = [];
      bus.subscribe('a', (payload) => heard.push(payload));
      bus.respond('ready', async () => true);
      await server.kill();
      await untilAway(bus);
      bus.publish('a', 'into the void');
      await expect(bus.enqueue('osce.work', 1, { messageId: '1' })).rejects.toMatchObject({ reason: 'unavailable' });
      await expect(bus.request('ready', 1, { timeoutMs: 60_000 })).rejects.toMatchObject({ reason: 'unavailable' });
      await server.start();
      await untilBack(bus);
      await expect(bus.request('ready', 1, { timeoutMs: 5_000 })).resolves.toBe(true);
      bus.publish('a', 'and again');
      await eventually(() => expect(heard).toEqual(['and again']));
    });

    it('can be subscribed to, consumed from and closed', async () => {
      const server = await startServer();
      const bus = await open(server.url);
      const closing = await open(server.url);
      await server.kill();
      await Promise.all([untilAway(bus), untilAway(closing)]);
      const heard: unknown[] = [];
      bus.subscribe('a', (payload) => heard.push(payload));
      bus.consume('osce.work', 1, (delivery) => {
        heard.push(delivery.payload);
        delivery.ack();
      });
      await closing.close();
      await server.start();
      await untilBack(bus);
      bus.publish('a', 'news');
      await eventually(() => bus.enqueue('osce.work', 'work', { messageId: '1' }));
      await eventually(() => expect(heard.sort()).toEqual(['news', 'work']));
    });
  });

  it('keeps its work over a restart of the server', async () => {
    const server = await startServer();
    const bus = await open(server.url);
    for (let n = 1; n <= 5; n += 1) await bus.enqueue('osce.work', n, { messageId: `${n}` });
    await server.kill();
    await untilAway(bus);
    await server.start();
    await untilBack(bus);
    const taken: unknown[] = [];
    bus.consume('osce.work', 2, (delivery) => {
      taken.push(delivery.payload);
      delivery.ack();
    });
    await eventually(() => expect(taken).toEqual([1, 2, 3, 4, 5]));
  });

  it('delivers again what was given back while the server was away, whatever is said of it later', async () => {
    const server = await startServer();
    const bus = await open(server.url, { ackWaitMs: 1_000 });
    const deliveries: Delivery[] = [];
    bus.consume('osce.work', 1, (delivery) => deliveries.push(delivery));
    await bus.enqueue('osce.work', {}, { messageId: '1' });
    await eventually(() => expect(deliveries.length).toBe(1));
    await server.kill();
    await untilAway(bus);
    deliveries[0]?.nak(0);
    await server.start();
    await untilBack(bus);
    deliveries[0]?.ack();
    await eventually(() => expect(deliveries.length).toBe(2));
  });

  it('makes its queue again when the server comes back without its storage', async () => {
    const server = await startServer();
    const bus = await open(server.url);
    const taken: unknown[] = [];
    bus.consume('osce.work', 2, (delivery) => {
      taken.push(delivery.payload);
      delivery.ack();
    });
    await bus.enqueue('osce.work', 'before', { messageId: '1' });
    await eventually(() => expect(taken).toEqual(['before']));
    await server.kill();
    await server.deleteStorage();
    await untilAway(bus);
    await server.start();
    // The window of known message ids is gone with the storage: what was lost can be dispatched again at once.
    await eventually(() => bus.enqueue('osce.work', 'again', { messageId: '1' }));
    await eventually(() => expect(taken).toEqual(['before', 'again']));
  });

  it('never has more than the capacity open, also after the connection broke in the middle of a pull', async () => {
    const server = await startServer();
    const proxy = await startTcpProxy(server.url);
    cleanups.push(() => proxy.close());
    const producer = await open(server.url);
    const bus = await open(proxy.url);
    const deliveries: Delivery[] = [];
    bus.consume('osce.work', 3, (delivery) => deliveries.push(delivery));
    await producer.enqueue('osce.work', 0, { messageId: '0' });
    await eventually(() => expect(deliveries.length).toBe(1));
    proxy.cut();
    await untilAway(bus);
    for (let n = 1; n <= 9; n += 1) await producer.enqueue('osce.work', n, { messageId: `${n}` });
    await proxy.restore();
    bus.respond('fence', async () => true);
    // In which order they come is the server's business: what it sent into the broken connection comes again later.
    const settled = new Set<unknown>();
    while (settled.size < 10) {
      const full = Math.min(3, 10 - settled.size);
      await eventually(() => expect(deliveries.length).toBeGreaterThanOrEqual(full));
      // The server has answered everything that was asked of it before this.
      await bus.request('fence', {}, { timeoutMs: 5_000 });
      expect(deliveries.length).toBeLessThanOrEqual(3);
      for (const delivery of deliveries.splice(0)) {
        settled.add(delivery.payload);
        delivery.ack();
      }
    }
  });

  it('keeps what an operator set on the stream', async () => {
    const server = await startServer();
    const first = await open(server.url);
    await first.enqueue('osce.work', 1, { messageId: '1' });
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const { connect } = await import('@nats-io/transport-node');
    const connection = await connect({ servers: server.url.slice('nats://'.length) });
    cleanups.push(() => connection.close());
    const manager = await jetstreamManager(connection);
    await manager.streams.update('osce_work', { max_msgs: 12_345 });
    const second = await open(server.url, { dedupeWindowMs: 60_000, ackWaitMs: 20_000 });
    const taken: unknown[] = [];
    second.consume('osce.work', 1, ({ payload }) => taken.push(payload));
    await eventually(() => expect(taken).toEqual([1]));
    const { config } = await manager.streams.info('osce_work');
    expect(config).toMatchObject({ max_msgs: 12_345, duplicate_window: 60e9, retention: 'workqueue', storage: 'file' });
    // A message that its server never delivers is kept for a day.
    expect(config.max_age).toBe(24 * 3_600e9);
    const consumer = await manager.consumers.info('osce_work', 'processes');
    expect(consumer.config).toMatchObject({ ack_wait: 20e9, ack_policy: 'explicit' });
  });
});
