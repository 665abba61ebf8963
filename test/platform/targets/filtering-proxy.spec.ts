import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { FilteringProxy } from '../../../src/platform/targets/filtering-proxy';
import { readAllowedTarget } from '../../../src/platform/targets/allowed-targets';
import { OwnServices } from '../../../src/platform/targets/own-services';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { TargetPolicy } from '../../../src/platform/targets/target-policy';
import { sendJson, startHttpStub, type HttpStub } from '../../fakes/http-stub';

describe('proxy for programs that connect by themselves', () => {
  let stub: HttpStub;
  let proxy: FilteringProxy;
  let answers: (readonly string[])[];

  beforeEach(async () => {
    stub = await startHttpStub((response, { path }) => sendJson(response, 200, { path }));
    answers = [];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    const own = new OwnServices(() => [], resolve);
    const allowed = [readAllowedTarget(`127.0.0.1:${port()}`), readAllowedTarget('agent.example')];
    const rules = { mode: 'list' as const, allowed: allowed.filter((entry) => entry !== null) };
    proxy = await FilteringProxy.start(new TargetGuard(new TargetPolicy(rules, own), own, resolve));
  });
  afterEach(async () => {
    await proxy.close();
    await stub.close();
  });

  const port = (): number => Number(new URL(stub.origin).port);

  /** Everything that comes back after a text was sent, until the connection ends. */
  async function said(text: string, more = ''): Promise<string> {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    let heard = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      if (heard === '' && more !== '') socket.write(more);
      heard += chunk;
    });
    socket.write(text);
    await once(socket, 'close');
    return heard;
  }
  const tunnelTo = (target: string): Promise<string> =>
    said(
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`,
      'GET /in HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );

  it('tunnels to where agents may live', async () => {
    expect(await tunnelTo(`127.0.0.1:${port()}`)).toMatch(/^HTTP\/1\.1 200 [^]*{"path":"\/in"}/);
    answers = [['127.0.0.1']];
    expect(await tunnelTo(`agent.example:${port()}`)).toMatch(/^HTTP\/1\.1 200 [^]*{"path":"\/in"}/);
  });

  it('gives a connection up that turns out to be forbidden once it is there', async () => {
    await proxy.close();
    let isOurs = false;
    const resolve = () => {
      // After the address was checked, and before the socket is connected.
      setImmediate(() => (isOurs = true));
      return Promise.resolve(['127.0.0.1']);
    };
    const own = new OwnServices(() => (isOurs ? [{ host: '127.0.0.1', port: port() }] : []));
    const policy = new TargetPolicy({ mode: 'local', allowed: [] }, own);
    const failures: unknown[] = [];
    const guest = { failed: (_target: unknown, error: unknown) => void failures.push(error) };
    proxy = await FilteringProxy.start(new TargetGuard(policy, own, resolve), () => guest);
    expect(await tunnelTo(`agent.example:${port()}`)).toBe('');
    expect(failures).toMatchObject([{ rule: 'own_service' }]);
    expect(stub.requests).toEqual([]);
  });

  it('passes plain requests on, with the host that was asked for', async () => {
    answers = [['127.0.0.1']];
    const asked = request({ port: new URL(proxy.url).port, path: `http://agent.example:${port()}/a?b=c` }).end();
    const [response] = await once(asked, 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
    expect(stub.requests).toMatchObject([{ path: '/a?b=c', headers: { host: `agent.example:${port()}` } }]);
  });

  it.each([
    ['another port', () => `127.0.0.1:${port() + 1}`],
    ['another spelling of a forbidden address', () => `0x7f.2:${port()}`],
    ['an IPv6 address', () => `[::1]:${port()}`],
    ['a name that is not listed', () => `other.example:${port()}`],
    ['a name that leads to a link-local address', () => `agent.example:${port()}`],
    ['no port', () => '127.0.0.1'],
    ['nonsense', () => '///'],
  ])('ends the connection to %s', async (_name, target) => {
    answers = [['169.254.169.254'], ['169.254.169.254']];
    expect(await tunnelTo(target())).not.toMatch(/ 200 /);
    expect(await said(`GET http://${target()}/ HTTP/1.1\r\nHost: x\r\n\r\n`)).not.toMatch(/ 200 /);
    expect(stub.acceptedSockets).toBe(0);
  });

  it('cuts every tunnel when it is closed', async () => {
    const socket: Socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`CONNECT 127.0.0.1:${port()} HTTP/1.1\r\n\r\n`);
    await once(socket, 'data');
    const ended = once(socket, 'close');
    await proxy.close();
    await ended;
    await stub.until(() => stub.openSockets === 0);
  });
});
