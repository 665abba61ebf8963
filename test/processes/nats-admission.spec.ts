import { BusStartError } from '../../src/engine/bus/bus';
import { NatsBus, type NatsBusOptions } from '../../src/engine/bus/nats.bus';
import { silentLog } from '../../src/platform/config/log';
import { describeWithNats } from '../setup/describe-with-nats';
import { inTime } from '../setup/eventually';
import { NatsServer } from '../setup/nats-server';
import { selfSigned } from '../setup/unknown-authority';

describeWithNats('NatsBus at its start', (binary) => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function startServer(...extraArguments: string[]): Promise<NatsServer> {
    const server = await NatsServer.start(binary, extraArguments);
    cleanups.push(() => server.close());
    return server;
  }

  async function open(url: string, options: Partial<NatsBusOptions> = {}): Promise<NatsBus> {
    const bus = await inTime(NatsBus.open({ url, log: silentLog, reachWithinMs: 3_000, ...options }));
    cleanups.push(() => bus.close());
    return bus;
  }

  describe('with a server that asks for credentials', () => {
    it.each([
      ['a user and a password', ['--user', 'osce', '--pass', 'p@ss/word'], 'osce:p%40ss%2Fword'],
      ['a token', ['--auth', 's3cret'], 's3cret'],
    ])('gives %s out of the address', async (_what, credentials, userinfo) => {
      const server = await startServer('-js', ...credentials);
      const bus = await open(server.url.replace('//', `//${userinfo}@`));
      await bus.enqueue('osce.work', 1, { messageId: '1' });
    });

    it('refuses to start with others, at once and without showing them', async () => {
      const server = await startServer('-js', '--user', 'osce', '--pass', 'right');
      const url = server.url.replace('//', '//osce:hunter2@');
      const start = open(url, { reachWithinMs: 60_000 });
      await expect(start).rejects.toThrow(BusStartError);
      await expect(start).rejects.toThrow(/^The NATS server at 127\.0\.0\.1:\d+ does not accept .* NATS_URL\.$/);
    });
  });

  it('refuses to start, at once, with a server whose certificate is of an authority that nobody knows', async () => {
    const { cert, key, remove } = selfSigned();
    cleanups.push(remove);
    const server = await startServer('-js', '--tls', '--tlscert', cert, '--tlskey', key);
    const start = open(server.url.replace('nats://', 'tls://'), { reachWithinMs: 60_000 });
    await expect(start).rejects.toThrow(BusStartError);
    await expect(start).rejects.toThrow(
      /^The certificate of the NATS server at 127\.0\.0\.1:\d+ is not trusted \(self-signed certificate\): name its authority in NODE_EXTRA_CA_CERTS=\S+, and the server in NATS_URL as its certificate does\.$/,
    );
    await expect(start).rejects.toMatchObject({ cause: expect.any(Error) });
  });

  it('refuses to start without JetStream', async () => {
    const server = await startServer('--client_advertise', '127.0.0.1');
    const start = open(server.url, { reachWithinMs: 60_000 });
    await expect(start).rejects.toThrow(BusStartError);
    await expect(start).rejects.toThrow('has no JetStream: start it with -js.');
    await expect(start).rejects.toMatchObject({ cause: expect.any(Error) });
  });
});
