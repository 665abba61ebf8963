import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../setup/api-client';
import { sendRaw } from '../setup/raw-http';
import { startTestService, type TestService } from '../setup/service';

let pageFolder: string;
beforeAll(async () => {
  pageFolder = await mkdtemp(join(tmpdir(), 'osce-page-'));
  await writeFile(join(pageFolder, 'index.html'), '<!doctype html><title>Agent OSCE</title>');
});
afterAll(() => rm(pageFolder, { recursive: true, force: true }));

const get = (service: TestService, host: string, path = '/api/v1/agents') =>
  sendRaw(service.url, [`GET ${path} HTTP/1.1`, `Host: ${host}`]);

describe('a service without a key', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({}, { pageFolder });
  });
  afterAll(() => service.close());

  it.each([
    ['GET', '/'],
    ['GET', '/runs'],
    ['GET', '/docs'],
    ['GET', '/docs/openapi.json'],
    ['GET', '/events?run_id=x'],
    ['GET', '/health'],
    ['GET', '/health/live'],
    ['GET', '/api/v1/agents'],
    ['GET', '/nowhere'],
    ['HEAD', '/'],
    ['OPTIONS', '/api/v1/agents'],
    ['POST', '/start-run'],
    ['POST', '/cancel-run'],
    ['DELETE', '/api/v1/agents/00000000-0000-4000-8000-000000000000'],
  ])('%s %s is not answered to a name that leads here without being its own', async (method, path) => {
    const { status, json } = await sendRaw(service.url, [`${method} ${path} HTTP/1.1`, 'Host: evil.example']);
    expect(status).toBe(421);
    if (method !== 'HEAD') expect(json).toEqual({ error: expect.stringContaining('ALLOWED_HOSTS') });
  });

  it('stores nothing of what such a page sends', async () => {
    const agent = JSON.stringify({ name: 'Planted', provider: 'openai', config: {} });
    const lines = ['POST /api/v1/agents HTTP/1.1', 'Host: evil.example', 'Content-Type: application/json'];
    expect((await sendRaw(service.url, lines, agent)).status).toBe(421);
    expect((await new ApiClient(service.url).get('/api/v1/agents')).body).toEqual([]);
  });

  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST:8000',
    'localhost.',
    'clinic.localhost:9',
    'a.b.localhost',
    '127.0.0.1',
    '127.0.0.1:8000',
    '127.255.255.254',
    '[::1]',
    '[::1]:8000',
    '[0:0:0:0:0:0:0:1]:8000',
  ])('answers %s, which leads to this machine wherever it is looked up', async (host) => {
    expect((await get(service, host)).status).toBe(200);
  });

  it.each([
    'localhost.evil.example',
    'evillocalhost',
    'localhost..',
    '.localhost',
    '127.0.0.1.evil.example',
    '127.0.0.256',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0.0.0.0',
    '10.0.0.1:8000',
    '[::2]',
    '[::1%25lo]',
    '[::1%lo]:8000',
    '[::1',
    '[::1]x',
    'localhost@evil.example',
    'evil.example@localhost',
    'localhost:80:80',
    'localhost:port',
    'localhost/',
    'localhost,evil.example',
    'localhost evil.example',
    'local_host',
    'xn--localhost-',
  ])('does not answer %s', async (host) => {
    expect((await get(service, host)).status).toBe(421);
  });

  it('takes a request without a Host for one to no name of its own', async () => {
    expect((await sendRaw(service.url, ['GET /health HTTP/1.0'])).status).toBe(421);
    expect((await sendRaw(service.url, ['GET /health HTTP/1.0', 'Host: localhost'])).status).toBe(200);
    expect((await sendRaw(service.url, ['GET /health HTTP/1.1', 'Host:'])).status).toBe(421);
    // Node itself asks HTTP/1.1 for a Host.
    expect((await sendRaw(service.url, ['GET /health HTTP/1.1'])).status).toBe(400);
  });

  it('refuses several Host headers, whichever comes first', async () => {
    for (const hosts of [
      ['localhost', 'evil.example'],
      ['evil.example', 'localhost'],
      ['localhost', 'localhost'],
    ]) {
      const lines = ['GET /health HTTP/1.1', ...hosts.map((host) => `Host: ${host}`)];
      expect((await sendRaw(service.url, lines)).status).toBe(400);
    }
  });

  it('goes by the name in the request target, too, where one stands there', async () => {
    const ask = async (target: string, host: string) =>
      (await sendRaw(service.url, [`GET ${target} HTTP/1.1`, `Host: ${host}`])).status;
    expect(await ask('http://evil.example/health', 'localhost')).toBe(421);
    expect(await ask('http://localhost@evil.example/health', 'localhost')).toBe(421);
    expect(await ask('HTTP://evil.example:80/health', 'localhost')).toBe(421);
    expect(await ask('http://localhost/health', 'evil.example')).toBe(421);
    expect(await ask('http://localhost:8000/health', 'localhost')).toBe(200);
  });

  it('goes by the name that a proxy says it was asked for', async () => {
    const ask = async (forwarded: string) =>
      (await sendRaw(service.url, ['GET /health HTTP/1.1', 'Host: 127.0.0.1', `X-Forwarded-Host: ${forwarded}`]))
        .status;
    expect(await ask('localhost:3000')).toBe(200);
    expect(await ask('evil.example')).toBe(421);
    expect(await ask('localhost, evil.example')).toBe(421);
  });
});

describe('ALLOWED_HOSTS', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      ALLOWED_HOSTS: 'osce.example, *.clinic.example:8443,[fd00::5], 192.0.2.7,MÜNCHEN.example',
    });
  });
  afterAll(() => service.close());

  it.each([
    'osce.example',
    'OSCE.example:8000',
    'osce.example.',
    'a.clinic.example:8443',
    'a.b.clinic.example:8443',
    '[fd00:0::5]:80',
    '192.0.2.7:3000',
    'xn--mnchen-3ya.example',
    'localhost:3000',
  ])('answers %s', async (host) => {
    expect((await get(service, host)).status).toBe(200);
  });

  it.each([
    'evil.example',
    'x.osce.example',
    'osce.example.evil.example',
    'clinic.example:8443',
    'a.clinic.example',
    'a.clinic.example:8000',
    'evilclinic.example:8443',
    '.clinic.example:8443',
    '[fd00::6]',
    '192.0.2.8',
  ])('does not answer %s', async (host) => {
    expect((await get(service, host)).status).toBe(421);
  });
});

describe('HOST', () => {
  it('is a name of the service, as what the operator calls it', async () => {
    const service = await startTestService({ HOST: 'osce.internal', ALLOW_OPEN: 'true' });
    expect((await get(service, 'osce.internal:8000')).status).toBe(200);
    expect((await get(service, 'evil.internal')).status).toBe(421);
    await service.close();
  });

  it('says nothing of names when it is every address of the machine', async () => {
    const service = await startTestService({ HOST: '0.0.0.0', ALLOW_OPEN: 'true' });
    expect((await get(service, '0.0.0.0:8000')).status).toBe(421);
    expect((await get(service, 'localhost:8000')).status).toBe(200);
    await service.close();
  });
});

describe('a service with a key', () => {
  it('is reached by any name, since a page that borrows one has no key', async () => {
    const service = await startTestService({ SERVICE_API_KEY: 'a-key-of-the-night-shift' });
    const ask = async (...headers: string[]) =>
      (await sendRaw(service.url, ['GET /api/v1/agents HTTP/1.1', ...headers])).status;
    expect(await ask('Host: osce.example', 'X-API-Key: a-key-of-the-night-shift')).toBe(200);
    expect(await ask('Host: evil.example')).toBe(401);
    expect(await ask('Host: a', 'Host: b', 'X-API-Key: a-key-of-the-night-shift')).toBe(400);
    await service.close();
  });
});
