import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { FilteringProxy } from '../../../src/platform/targets/filtering-proxy';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { startHttpStub } from '../../fakes/http-stub';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Asks a proxy for an address, or for a tunnel to it. */
function ask(proxy: string, method: string, path: string, credentials?: string): Promise<Answer> {
  const headers =
    credentials === undefined ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  return new Promise((resolve, reject) => {
    const asked = request(proxy, { method, path, headers, agent: false });
    asked.once('error', reject);
    asked.once('connect', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, body: '' });
    });
    asked.once('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    asked.end();
  });
}

describe('the proxy that holds TARGETS', () => {
  it('serves whoever shows credentials that it knows, and nobody else', async () => {
    const stub = await startHttpStub((response) => void response.end('page'));
    const failures: unknown[] = [];
    const guest = { failed: (...failure: unknown[]) => void failures.push(failure) };
    const proxy = await FilteringProxy.start(TargetGuard.local(), (shown) => (shown === 'user:word' ? guest : null));
    const { host } = new URL(stub.origin);
    expect(await ask(proxy.url, 'GET', `${stub.origin}/a?b=c`, 'user:word')).toEqual({ status: 200, body: 'page' });
    expect(await ask(proxy.url, 'CONNECT', host, 'user:word')).toMatchObject({ status: 200 });
    for (const credentials of [undefined, '', 'user:', 'user:wrong', 'user:word ']) {
      expect(await ask(proxy.url, 'GET', stub.origin, credentials)).toEqual({ status: 407, body: '' });
      expect(await ask(proxy.url, 'CONNECT', host, credentials)).toMatchObject({ status: 407 });
    }
    expect(stub.requests.map(({ path, headers }) => [path, headers['proxy-authorization']])).toEqual([
      ['/a?b=c', undefined],
    ]);
    expect(failures).toEqual([]);
    await proxy.close();
    await stub.close();
  });

  it('tells what failed, and answers it with the end of the connection', async () => {
    const failures: unknown[] = [];
    const guest = { failed: (target: unknown, error: unknown) => void failures.push([target, error]) };
    const proxy = await FilteringProxy.start(TargetGuard.local(), () => guest);
    const broken = await startHttpStub((response) => void response.socket?.destroy());
    const { port } = new URL(broken.origin);
    for (const [method, path] of [
      ['GET', 'http://169.254.1.1/'],
      ['CONNECT', '169.254.1.1:443'],
      ['GET', `${broken.origin}/`],
    ] as const) {
      await expect(ask(proxy.url, method, path)).rejects.toMatchObject({ code: 'ECONNRESET' });
    }
    expect(failures).toEqual([
      [{ host: '169.254.1.1', port: 80 }, expect.objectContaining({ rule: 'link_local' })],
      [{ host: '169.254.1.1', port: 443 }, expect.objectContaining({ rule: 'link_local' })],
      [{ host: '127.0.0.1', port: Number(port) }, expect.objectContaining({ code: 'ECONNRESET' })],
    ]);
    await proxy.close();
    await broken.close();
  });
});
