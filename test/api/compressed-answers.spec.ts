import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { EventClient } from '../setup/event-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  await createScenarios(api, 40);
});
afterAll(() => service.close());

interface RawAnswer {
  readonly response: IncomingMessage;
  /** As it was sent. */
  readonly body: Buffer;
}

async function ask(path: string, acceptEncoding: string, headers: Readonly<Record<string, string>> = {}) {
  const request = get(`${service.url}${path}`, {
    headers: { 'accept-encoding': acceptEncoding, ...headers },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { response, body: await buffer(response) } satisfies RawAnswer;
}

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])(
  'a long answer is sent as %s to who accepts it, with the same ETag and a few percent of its bytes',
  async (name, open) => {
    const plain = await ask('/api/v1/scenarios', 'identity');
    const { response, body } = await ask('/api/v1/scenarios', name);
    expect(response.headers).toMatchObject({ 'content-encoding': name, etag: plain.response.headers.etag });
    expect(response.headers.vary).toContain('Accept-Encoding');
    expect(open(body).equals(plain.body)).toBe(true);
    expect(body.length).toBeLessThan(plain.body.length / 5);
    const known = await ask('/api/v1/scenarios', name, { 'if-none-match': String(response.headers.etag) });
    expect(known).toMatchObject({ response: { statusCode: 304 }, body: { length: 0 } });
  },
);

test.each(['identity', '', 'identity;q=1, *;q=0', 'unheard-of'])(
  'to who accepts %p it is sent as it is',
  async (accepted) => {
    const { response, body } = await ask('/api/v1/scenarios', accepted);
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(Object(JSON.parse(body.toString())).scenarios).toHaveLength(40);
  },
);

test('a short answer and an error are sent as they are', async () => {
  for (const path of ['/api/v1/me', '/api/v1/tests/none']) {
    const { response, body } = await ask(path, 'gzip, br');
    expect(response.headers['content-encoding']).toBeUndefined();
    JSON.parse(body.toString());
  }
});

test('events are sent one by one, as they come', async () => {
  const agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  try {
    const agentId = await createAgent(api, agent.baseUrl);
    const { body } = await api.post('/start-run', { agent_id: agentId, max_scenarios: 1, max_turns: 5 });
    const events = await EventClient.open(`${service.url}/events?run_id=${body.id}`, { 'accept-encoding': 'gzip, br' });
    expect(events.response.headers['content-encoding']).toBeUndefined();
    await untilFinal(api, body.id);
    expect(await events.ended).toBe(true);
    expect(events.ids.length).toBeGreaterThan(3);
  } finally {
    await agent.close();
  }
});
