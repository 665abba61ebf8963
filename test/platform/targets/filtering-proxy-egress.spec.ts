import { request } from 'node:http';
import type { Socket } from 'node:net';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Egress } from '../../../src/platform/egress/egress';
import { ProxyFailure } from '../../../src/platform/egress/proxy-failure';
import { FilteringProxy } from '../../../src/platform/targets/filtering-proxy';
import { OwnServices } from '../../../src/platform/targets/own-services';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { TargetPolicy } from '../../../src/platform/targets/target-policy';
import { TargetRefusal } from '../../../src/platform/targets/target-refusal';
import { startForwardProxy, type FakeForwardProxy } from '../../fakes/forward-proxy';
import { sendJson, startHttpStub, type HttpStub } from '../../fakes/http-stub';

/** What browsers and LiveKit's library go through, where the organisation has a proxy of its own. */
describe('the filtering proxy behind a forward proxy', () => {
  let stub: HttpStub;
  let forward: FakeForwardProxy;
  let filtering: FilteringProxy;
  let failures: unknown[];

  beforeEach(async () => {
    failures = [];
    stub = await startHttpStub((response) => sendJson(response, 200, { ok: true }));
    forward = await startForwardProxy({ leadsTo: stub.origin });
    const names = new Map([
      ['page.example', '93.184.216.34'],
      ['inside.example', '169.254.169.254'],
    ]);
    const resolve = (name: string) => Promise.resolve([names.get(name) ?? '127.0.0.1']);
    const egress = new Egress(settingsFrom({ HTTP_PROXY: forward.url, HTTPS_PROXY: forward.url }).egress);
    const own = new OwnServices(() => [], resolve);
    const guard = new TargetGuard(new TargetPolicy({ mode: 'local', allowed: [] }, own), own, resolve, egress);
    filtering = await FilteringProxy.start(guard, () => ({ failed: (_target, error) => failures.push(error) }));
  });
  afterEach(async () => {
    await filtering.close();
    await forward.close();
    await stub.close();
  });

  /** The status of a page asked for in plain HTTP; null when the connection was closed. */
  const get = (url: string): Promise<number | null> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(filtering.url);
      const asked = request({ hostname, port, path: url, headers: { host: new URL(url).host }, agent: false });
      asked.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      asked.on('error', () => resolve(null));
      asked.end();
    });

  /** The beginning of what the server beyond a tunnel answers. */
  const tunnel = (authority: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(filtering.url);
      const asked = request({ hostname, port, method: 'CONNECT', path: authority, agent: false });
      asked.on('error', reject).once('connect', (_response, socket: Socket) => {
        socket.write('GET /through HTTP/1.1\r\nHost: page.example\r\nConnection: close\r\n\r\n');
        socket.once('data', (chunk: Buffer) => resolve(chunk.toString().slice(0, 12)));
      });
      asked.end();
    });

  it('asks it for the address that was checked', async () => {
    expect(await get('http://page.example/index.html')).toBe(200);
    expect(await tunnel('page.example:443')).toBe('HTTP/1.1 200');
    expect(forward.asked.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'CONNECT 93.184.216.34:80',
      'CONNECT 93.184.216.34:443',
    ]);
    expect(stub.requests).toMatchObject([
      { path: '/index.html', headers: { host: 'page.example' } },
      { path: '/through' },
    ]);
  });

  it('asks it for no forbidden address, and for none on loopback', async () => {
    expect(await get('http://inside.example/latest/meta-data/')).toBeNull();
    expect(await get(`http://127.0.0.1:${new URL(stub.origin).port}/`)).toBe(200);
    expect(forward.asked).toEqual([]);
    expect(failures).toEqual([expect.any(TargetRefusal)]);
  });

  it('tells its guest when it lets nothing through', async () => {
    forward.behave({ status: 403 });
    expect(await get('http://page.example/')).toBeNull();
    expect(failures).toEqual([expect.any(ProxyFailure)]);
    expect(failures).toMatchObject([
      { message: expect.stringContaining('refuses to connect to page.example:80 (403)') },
    ]);
  });
});
