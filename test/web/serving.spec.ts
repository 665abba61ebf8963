import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PAGE_SECTIONS } from '../../src/platform/page/serve-page';
import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';

const FIRST_LOAD_BYTES = 300_000;

let pageFolder: string;
let service: TestService;

beforeAll(async () => {
  pageFolder = await builtPage();
  service = await startTestService({}, { pageFolder });
});

afterAll(() => service.close());

describe('the page is served', () => {
  it('at /, asked for again each time, with a policy that lets nothing in from outside', async () => {
    const { status, headers, body } = await new ApiClient(service.url).get('/');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(body).toContain('<div id="root"></div>');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("font-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it.each([...PAGE_SECTIONS.map((section) => `/${section}`), '/runs/some-id', '/agents/new', '/compare?base=a&head=b'])(
    'at %s, so that a view can be reloaded',
    async (path) => {
      const { status, body } = await new ApiClient(service.url).get(path);
      expect(status).toBe(200);
      expect(body).toContain('<div id="root"></div>');
    },
  );

  it('with 304 to who has it already', async () => {
    const etag = (await new ApiClient(service.url).get('/')).headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const again = await raw(service.url, '/', 'br', { 'if-none-match': etag });
    expect({ status: again.status, bytes: again.body.length }).toEqual({ status: 304, bytes: 0 });
  });

  it('without a body to HEAD', async () => {
    const response = await fetch(service.url, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it('with assets that are kept for a year, compressed as the client takes them', async () => {
    const assets = await assetsOf(service.url);
    for (const path of assets.filter((asset) => !asset.endsWith('.woff2'))) {
      const [plain, gzip, br] = await Promise.all(['identity', 'gzip', 'br'].map((as) => raw(service.url, path, as)));
      expect(plain?.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(plain?.headers['content-encoding']).toBeUndefined();
      expect(gzip?.headers['content-encoding']).toBe('gzip');
      expect(br?.headers['content-encoding']).toBe('br');
      expect(br?.headers['vary']).toContain('Accept-Encoding');
      expect(gunzipSync(gzip?.body ?? '').equals(plain?.body ?? Buffer.of())).toBe(true);
      expect(brotliDecompressSync(br?.body ?? '').equals(plain?.body ?? Buffer.of())).toBe(true);
    }
  });

  it('with fonts of its own, compressed in themselves, of which the first view’s are asked for at once', async () => {
    const fonts = (await assetsOf(service.url)).filter((asset) => asset.endsWith('.woff2'));
    // That of the text: the headings’ comes a moment later, and does not hold up the scripts.
    expect(fonts).toHaveLength(1);
    for (const path of [...fonts, ...(await latinFontsOf(service.url))]) {
      const { status, headers, body } = await raw(service.url, path, 'br');
      expect({ path, status, type: headers['content-type'] }).toEqual({ path, status: 200, type: 'font/woff2' });
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(body.subarray(0, 4).toString()).toBe('wOF2');
    }
  });

  it(`with a first load under ${FIRST_LOAD_BYTES / 1_000} kB compressed, every font of Latin script included`, async () => {
    let bytes = (await raw(service.url, '/', 'gzip')).body.length;
    const assets = new Set([...(await assetsOf(service.url)), ...(await latinFontsOf(service.url))]);
    expect(assets.size).toBeGreaterThanOrEqual(4);
    for (const path of assets) bytes += (await raw(service.url, path, 'gzip')).body.length;
    if (process.env['SHOW_MEASUREMENTS'] !== undefined) process.stdout.write(`first load: ${bytes} bytes\n`);
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
  });

  it('and nothing else is: paths outside it are those of the API', async () => {
    const api = new ApiClient(service.url);
    expect((await api.get('/health')).body).toHaveProperty('checks');
    expect((await api.get('/api/v1/agents')).body).toEqual([]);
    expect((await api.get('/docs')).body).toContain('swagger');
    expect(await api.get('/events')).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    expect(await api.post('/start-run', {})).toMatchObject({ status: 400 });
    expect(await api.post('/cancel-run', {})).toMatchObject({ status: 400 });
    for (const path of ['/nothing', '/api', '/api/v1/nothing', '/assets/nothing.js', '/assets/../package.json']) {
      const { status, body } = await api.get(path, { accept: 'text/html' });
      expect({ path, status, body }).toEqual({ path, status: 404, body: { error: expect.any(String) } });
    }
    expect((await api.post('/agents', {})).status).toBe(404);
  });

  it('without a key, which everything that it shows is asked for with', async () => {
    const guarded = await startTestService({ SERVICE_API_KEY: 'a-key-that-the-page-needs-not' }, { pageFolder });
    const api = new ApiClient(guarded.url);
    expect((await api.get('/')).status).toBe(200);
    expect((await api.get('/runs/some-id')).status).toBe(200);
    for (const path of await assetsOf(guarded.url)) expect((await raw(guarded.url, path, 'br')).status).toBe(200);
    expect((await api.get('/docs')).status).toBe(200);
    for (const path of ['/api/v1/tests', '/docs/openapi.json', '/events?run_id=a', '/nothing']) {
      expect({ path, status: (await api.get(path)).status }).toEqual({ path, status: 401 });
    }
    await guarded.close();
  });
});

/** Addresses of what the page loads before it shows anything. */
async function assetsOf(url: string): Promise<string[]> {
  const html = await (await fetch(url)).text();
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
}

/** Fonts that English text may ask for, in any view. Those of other characters are fetched when one is shown. */
async function latinFontsOf(url: string): Promise<string[]> {
  const sheet = (await assetsOf(url)).find((asset) => asset.endsWith('.css')) ?? '';
  const css = await (await fetch(`${url}${sheet}`)).text();
  const faces = [...css.matchAll(/@font-face\s*\{[^}]*\}/g)].map(([face]) => face);
  return faces
    .filter((face) => /unicode-range:\s*U\+(0000-00FF|0-FF|\?\?)/i.test(face))
    .flatMap((face) =>
      [...face.matchAll(/url\("?([^")]+\.woff2)"?\)/g)].map(
        ([, path = '']) => new URL(path, `${url}${sheet}`).pathname,
      ),
    );
}

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** As it comes over the wire: fetch would decompress it. */
function raw(url: string, path: string, encoding: string, headers = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers: { 'accept-encoding': encoding, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}
