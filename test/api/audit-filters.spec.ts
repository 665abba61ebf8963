import { ApiClient } from '../setup/api-client';
import { osce } from '../setup/osce-command';
import { sendRaw } from '../setup/raw-http';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  await api.post('/api/v1/test-suites', { name: 'In the trail', scenario_ids: [] });
});
afterAll(() => service.close());

const FILTERS = ['who', 'method', 'resource', 'resource_id', 'since', 'until', 'before', 'limit', 'offset'];

/** As somebody would write them into an address who looks for what nobody has thought of. */
const TEXTS = {
  'a quote': `anyone' OR '1'='1`,
  'a wildcard': '%',
  'an array of PostgreSQL': '{anyone}',
  'a parameter of a statement': '$1',
  'the prototype of an object': '__proto__',
  'right to left': '\u202Eenoyna',
  'no width': '\u200B',
  'what no text is': '\uFFFF\uFDD0',
  'what a terminal obeys': '\u001b[2J',
  'the end of a line': 'a\r\nX-Injected: b',
  'a dotless i, which grows in lower case': '\u0130'.repeat(150),
  'beyond the plane of most': '🩺'.repeat(90),
  'a number beyond all': '1e999',
  'a number that is none': 'NaN',
  hexadecimal: '0x10',
  'a year without an end': '+275760-09-13T00:00:00.001Z',
  'a day that no month has': '2026-02-30T00:00:00Z',
  'a zone that is none': '2026-01-01T00:00:00+99:99',
};

describe.each(FILTERS)('%s', (name) => {
  test.each(Object.entries(TEXTS))('with %s finds nothing, or is refused in words', async (_, text) => {
    const { status, body } = await api.get(`/api/v1/audit?${new URLSearchParams({ [name]: text }).toString()}`);
    // A page of any size is one of a thousand.
    if (name === 'limit' && text === '1e999') expect(body.total).toBe(1);
    else if (status === 200) expect(body).toEqual({ records: [], total: 0 });
    else expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining(`${name}: `) } });
  });

  test.each([
    ['that is no UTF-8', '%ff%fe'],
    ['that is half of a character', '%ed%a0%80'],
    ['that is no percent-encoding', '%zz'],
    ['that ends too early', '%e2%82'],
    ['with a byte of zero', '%00'],
  ])('%s', async (_, text) => {
    const { status, json } = await sendRaw(service.url, [
      `GET /api/v1/audit?${name}=${text} HTTP/1.1`,
      'Host: 127.0.0.1',
    ]);
    if (status === 200) expect(json).toEqual({ records: [], total: 0 });
    else expect({ status, json }).toEqual({ status: 400, json: { error: expect.any(String) } });
  });

  test('that is not one text is refused in words', async () => {
    for (const query of [`${name}=a&${name}=b`, `${name}[]=a`, `${name}[__proto__]=a`, `${name}[a][b]=c`]) {
      const { status, body } = await api.get(`/api/v1/audit?${query}`);
      if (status === 200) expect(query).toContain('[');
      else expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } });
    }
  });

  test('of 15,000 and of a million of one character', async () => {
    for (const [length, refusal] of [
      [15_000, 400],
      [1_000_000, 431],
    ] as const) {
      const line = `GET /api/v1/audit?${name}=${'9'.repeat(length)} HTTP/1.1`;
      const { status, json } = await sendRaw(service.url, [line, 'Host: 127.0.0.1']);
      expect({ status, json }).toEqual({ status: refusal, json: { error: expect.any(String) } });
      expect(JSON.stringify(json).length).toBeLessThan(500);
    }
  });
});

test.each(['who', 'resource', 'id', 'since', 'until', 'limit', 'method'])(
  'osce audit --%s with 100,000 of one character, or what a terminal obeys, says so in a few words',
  async (option) => {
    for (const text of ['x'.repeat(100_000), '\u001b[2J\u202E']) {
      const { code, stdout, stderr } = await osce(['audit', `--${option}`, text], { url: service.url });
      expect(stdout + stderr).not.toMatch(/[\u001b\u202E]/);
      expect((stdout + stderr).length).toBeLessThan(1_000);
      if (code === 0) expect(stdout).toBe('No matching changes.\n');
      else expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    }
  },
);
