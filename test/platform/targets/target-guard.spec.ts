import { lookup } from 'node:dns';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { readAllowedTarget } from '../../../src/platform/targets/allowed-targets';
import { OwnServices, type OwnService } from '../../../src/platform/targets/own-services';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { TargetPolicy, type TargetMode } from '../../../src/platform/targets/target-policy';

/** A name server whose answers change from one question to the next, and a policy: whatever is refused here is loopback or no packet is sent. */
describe('guard of targets', () => {
  let server: Server;
  let port: number;
  let accepted = 0;
  let answers: (readonly string[])[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    server = createServer((socket) => {
      accepted += 1;
      socket.on('error', () => undefined).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    accepted = 0;
    answers = [];
    asked.length = 0;
  });

  const nameServer = (name: string): Promise<readonly string[]> => {
    asked.push(name);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return Promise.resolve(answer ?? []);
  };
  function guardOf(mode: TargetMode, allowed: readonly string[] = [], own: readonly OwnService[] = []): TargetGuard {
    const entries = allowed.map(readAllowedTarget).filter((entry) => entry !== null);
    const services = new OwnServices(() => own, nameServer);
    return new TargetGuard(new TargetPolicy({ mode, allowed: entries }, services), services, nameServer);
  }
  async function connectTo(guard: TargetGuard, host: string): Promise<string | undefined> {
    const socket = connect({ host, port, lookup: guard.lookupFor(port) });
    try {
      await once(socket, 'connect');
      guard.checkConnected(socket, port, host);
      return socket.remoteAddress;
    } finally {
      socket.destroy();
    }
  }

  it('connects to the address that it checked', async () => {
    answers = [['127.0.0.1']];
    expect(await connectTo(guardOf('list', ['agent.example']), 'agent.example')).toBe('127.0.0.1');
    expect(asked).toEqual(['agent.example']);
  });

  it('checks a name anew at every connection: the second answer is refused before a packet is sent', async () => {
    const guard = guardOf('local');
    answers = [['127.0.0.1'], ['169.254.169.254']];
    expect(await connectTo(guard, 'rebinding.example')).toBe('127.0.0.1');
    await expect(connectTo(guard, 'rebinding.example')).rejects.toMatchObject({ rule: 'link_local' });
    expect(accepted).toBe(1);
  });

  it('leaves out the refused ones among several answers, and refuses when none is left', async () => {
    const guard = guardOf('local', [], [{ host: '0.0.0.0', port: 1 }]);
    answers = [['169.254.169.254', '127.0.0.1', '::ffff:169.254.169.254', 'fe80::1']];
    expect(await guard.addressesOf('agent.example', port)).toEqual(['127.0.0.1']);
    await expect(guard.addressesOf('agent.example', 1)).rejects.toMatchObject({ name: 'TargetRefusal' });
  });

  it('checks addresses that no resolver is asked about', async () => {
    const guard = guardOf('public');
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '::1',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      'localhost',
    ])
      await expect(guard.addressesOf(host, port)).rejects.toMatchObject({ rule: 'not_public' });
    expect(asked).toEqual([]);
    expect(await guardOf('local').addressesOf('0x7f.1', port)).toEqual(['127.0.0.1']);
  });

  it('believes the socket and not the look-up', async () => {
    const guard = guardOf('list', ['8.8.8.8']);
    const socket = connect({
      host: 'lying.example',
      port,
      lookup: (_name, options, answer) => lookup('127.0.0.1', options, answer),
    });
    await once(socket, 'connect');
    expect(() => guard.checkConnected(socket, port, 'lying.example')).toThrow(
      expect.objectContaining({ rule: 'not_listed' }),
    );
    socket.destroy();
    expect(() => guard.checkConnected({ remoteAddress: undefined }, port, 'gone.example')).toThrow();
  });

  it("refuses the service's own server by a name that leads to it, and survives that the name is not known", async () => {
    const own = [{ host: 'db.internal', port }];
    answers = [['127.0.0.1']];
    await expect(guardOf('local', [], own).addressesOf('alias.example', port)).rejects.toMatchObject({
      rule: 'own_service',
    });
    const lost = new OwnServices(
      () => own,
      () => Promise.reject(new Error('ENOTFOUND')),
    );
    const guard = new TargetGuard(new TargetPolicy({ mode: 'local', allowed: [] }, lost), lost, nameServer);
    expect(await guard.addressesOf('alias.example', port)).toEqual(['127.0.0.1']);
    await expect(guard.addressesOf('db.internal', port)).rejects.toMatchObject({ rule: 'own_service' });
  });

  it('says that a name has no address when the resolver knows none', async () => {
    await expect(guardOf('local').addressesOf('nobody.example', port)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
