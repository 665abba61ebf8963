import { jetstreamManager } from '@nats-io/jetstream';
import { connect, millis } from '@nats-io/transport-node';
import { NatsBus } from '../../src/bus/nats.bus';
import { streamName } from '../../src/bus/nats-work-stream';
import { silentLog } from '../../src/config/log';
import { LEASE_SECONDS } from '../../src/persistence/lease';
import { describeWithNats } from '../setup/describe-with-nats';
import { NatsServer } from '../setup/nats-server';
import { busContract } from './bus.contract';

describeWithNats('NatsBus', (binary) => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await NatsServer.start(binary);
  });
  afterAll(() => server.close());

  /** Forgets the work of earlier tests. */
  async function deleteStreams(): Promise<void> {
    const connection = await connect({ servers: server.url.slice('nats://'.length) });
    const manager = await jetstreamManager(connection);
    for await (const name of manager.streams.names()) await manager.streams.delete(name);
    await connection.close();
  }

  busContract(
    'NatsBus',
    async (times) => {
      await deleteStreams();
      const opened: NatsBus[] = [];
      return {
        connect: async () => {
          const bus = await NatsBus.open({ url: server.url, log: silentLog, ...times });
          opened.push(bus);
          return bus;
        },
        close: async () => {
          await Promise.all(opened.map((bus) => bus.close()));
        },
      };
    },
    { ackWaitMs: 500, dedupeWindowMs: 300 },
    { separateClients: true },
  );

  test('what was delivered into a void comes again before the lease of a dead process ends', async () => {
    await deleteStreams();
    const bus = await NatsBus.open({ url: server.url, log: silentLog });
    const connection = await connect({ servers: server.url.slice('nats://'.length) });
    try {
      await bus.enqueue('osce.work.lost', {}, { messageId: 'one' });
      const manager = await jetstreamManager(connection);
      const { config } = await manager.consumers.info(streamName('osce.work.lost'), 'processes');
      expect(millis(config.ack_wait ?? Infinity)).toBeLessThan(LEASE_SECONDS * 1_000);
    } finally {
      await connection.close();
      await bus.close();
    }
  });
});
