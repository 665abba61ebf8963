import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { silentLog } from '../../src/config/log';
import { NatsBus, type NatsBusOptions } from '../../src/bus/nats.bus';
import { findNatsBinaries, INSTALL_HINT, NatsServer } from '../setup/nats-server';
import { busContract } from './bus.contract';

const binaries = findNatsBinaries();

if (binaries.length === 0) {
  if (process.env['CI'] === 'true') {
    test('a NATS server is installed', () => {
      throw new Error(`There is no nats-server: ${INSTALL_HINT}.`);
    });
  } else {
    describe.skip(`NatsBus: ${INSTALL_HINT}`, () => test('is tested with a real server', () => undefined));
  }
}

for (const binary of binaries) {
  let server: NatsServer;

  /** Forgets the work of earlier tests. */
  async function deleteStreams(): Promise<void> {
    const connection = await connect({ servers: server.url.slice('nats://'.length) });
    const manager = await jetstreamManager(connection);
    for await (const name of manager.streams.names()) await manager.streams.delete(name);
    await connection.close();
  }

  describe(`with nats-server ${binary.version}`, () => {
    beforeAll(async () => {
      server = await NatsServer.start(binary);
    });
    afterAll(() => server.close());

    busContract(
      'NatsBus',
      async (times) => {
        await deleteStreams();
        const opened: NatsBus[] = [];
        const options: NatsBusOptions = { url: server.url, log: silentLog, ...times };
        return {
          connect: async () => {
            const bus = await NatsBus.open(options);
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
  });
}
