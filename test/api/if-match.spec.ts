import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService({ MASK_CREDENTIALS: 'true' });
  api = new ApiClient(service.url);
});
afterAll(() => service.close());

async function send(method: string, path: string, body?: object, ifMatch?: string) {
  const headers = { 'content-type': 'application/json', ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) };
  const answer = await api.send(method, path, { headers, ...(body && { body: JSON.stringify(body) }) });
  return { ...answer, etag: answer.headers.get('etag') ?? '' };
}

const makeWebhook = async (): Promise<string> =>
  (await api.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', is_active: false })).body.id;

const makeSuite = async (): Promise<string> =>
  (await api.post('/api/v1/test-suites', { name: 'Gate', scenario_ids: await createScenarios(api, 1) })).body.id;

let schedules = 0;
/** Names are taken once. */
const makeSchedule = async (): Promise<string> => {
  schedules += 1;
  await createScenarios(api, 1);
  const { body } = await api.post('/api/v1/schedules', {
    name: `Nightly ${schedules}`,
    run: { agent_id: await createAgent(api, 'http://127.0.0.1:9/v1') },
    cron: '0 3 1 1 *',
    time_zone: 'UTC',
  });
  return body.id;
};

type Kind = readonly [what: string, collection: string, make: () => Promise<string>, field: string];

describe.each<Kind>([
  ['scenario', '/api/v1/scenarios', async () => (await createScenarios(api, 1))[0] ?? '', 'name'],
  [
    'agent',
    '/api/v1/agents',
    () => createAgent(api, 'http://127.0.0.1:9/v1', { api_key: 'sk-0123456789abcdef' }),
    'name',
  ],
  ['test suite', '/api/v1/test-suites', makeSuite, 'name'],
  ['webhook', '/api/v1/webhooks', makeWebhook, 'description'],
  ['schedule', '/api/v1/schedules', makeSchedule, 'name'],
])('PATCH of a %s', (what, collection, make, field) => {
  let path: string;
  beforeEach(async () => {
    path = `${collection}/${await make()}`;
  });

  test('goes through with the ETag of what was read, which is new afterwards', async () => {
    const read = await send('GET', path);
    const changed = await send('PATCH', path, { [field]: 'Renamed' }, read.etag);
    expect(changed).toMatchObject({ status: 200, body: { [field]: 'Renamed' } });
    expect(changed.etag).not.toBe(read.etag);
    // A webhook is read with its deliveries, which its tag names in a second part.
    expect((await send('GET', path)).etag.replace(/\.[\w-]+"$/, '"')).toBe(changed.etag);
    expect((await send('PATCH', path, { [field]: 'Again' }, changed.etag)).status).toBe(200);
  });

  test('that names an earlier state is 412, with a sentence, and changes nothing', async () => {
    const read = await send('GET', path);
    await send('PATCH', path, { [field]: 'By another tab' }, read.etag);
    expect(await send('PATCH', path, { [field]: 'By this one' }, read.etag)).toMatchObject({
      status: 412,
      body: { error: expect.stringMatching(new RegExp(`^The ${what} was changed after you read it`)) },
    });
    expect((await send('GET', path)).body[field]).toBe('By another tab');
  });

  test('of two at the same moment goes through once', async () => {
    const { etag } = await send('GET', path);
    const both = await Promise.all(['one', 'two', 'three'].map((name) => send('PATCH', path, { [field]: name }, etag)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  test('goes through without If-Match, with *, with one of several tags, and with a tag that a proxy weakened', async () => {
    expect((await send('PATCH', path, { [field]: 'a' })).status).toBe(200);
    expect((await send('PATCH', path, { [field]: 'b' }, '*')).status).toBe(200);
    const { etag } = await send('GET', path);
    expect((await send('PATCH', path, { [field]: 'c' }, `"other", ${etag}`)).status).toBe(200);
    const weak = `W/${(await send('GET', path)).etag}`;
    expect((await send('PATCH', path, { [field]: 'd' }, weak)).status).toBe(200);
  });

  test('with an If-Match that is none is 400; of what does not exist it is 404', async () => {
    expect(await send('PATCH', path, { [field]: 'a' }, 'yesterday')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('If-Match') },
    });
    expect((await send('PATCH', `${collection}/nonsense`, { [field]: 'a' }, '"x"')).status).toBe(404);
  });
});

test('a changed secret changes the tag of its agent, whose mask stays the same', async () => {
  const path = `/api/v1/agents/${await createAgent(api, 'http://127.0.0.1:9/v1', { api_key: 'sk-0123456789abcdef' })}`;
  const read = await send('GET', path);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const changed = await send('PATCH', path, { config: { api_key: 'sk-0fedcba9876543210' } });
  expect(changed.body.config).toEqual(read.body.config);
  expect(changed.etag).not.toBe(read.etag);
});
