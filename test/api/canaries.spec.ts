import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../src/config/log';
import { Database } from '../../src/persistence/database';
import { chat } from '../fakes/vapi-server';
import { completion } from '../fakes/openai-server';
import { sendJson, startHttpStub, type HttpStub, type Step } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { ApiDescription } from '../setup/api-description';
import { eachAtOnce } from '../setup/at-once';
import { Canaries } from '../setup/canaries';
import { createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';

jest.setTimeout(240_000);

const canaries = new Canaries();
const folder = mkdtempSync(join(tmpdir(), 'agent-osce-canaries-'));
const lines: string[] = [];
const log = createLog('debug', { write: (line) => lines.push(line) });
const adminKey = canaries.of('SERVICE_API_KEY');
const secretsKey = randomBytes(32).toString('base64');
canaries.add('SECRETS_KEY', secretsKey);

/** What every server that is called does: it says what it was sent, in an answer or in an error. */
type Manner = 'answers' | 'refuses' | 'fails';
let manner: Manner = 'answers';
const echo: Step = (response, { path, headers, body }) => {
  const said = `I was sent ${path} ${JSON.stringify(headers)} ${JSON.stringify(body)}`;
  if (manner === 'refuses') return sendJson(response, 401, { error: { message: said }, message: said });
  if (manner === 'fails') return void response.writeHead(500, { 'x-echo': 'yes' }).end(said);
  if (path.includes('/chat/completions')) return sendJson(response, 200, completion(said));
  if (path.startsWith('/chat')) return sendJson(response, 201, chat([{ role: 'assistant', content: said }]));
  return sendJson(response, 200, { reply: said, token: said, url: said });
};

let stub: HttpStub;
let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  stub = await startHttpStub(echo);
});
afterAll(async () => {
  await service.close();
  await stub.close();
  rmSync(folder, { recursive: true, force: true });
});

const withPassword = (place: string): string => {
  const url = new URL(`${stub.origin}/v1`);
  Object.assign(url, { username: 'osce', password: canaries.of(place) });
  return url.toString();
};

async function start(variables: Readonly<Record<string, string>>): Promise<void> {
  service = await startTestService(
    {
      DATABASE_URL: '',
      DATA_DIR: folder,
      LOG_LEVEL: 'debug',
      MASK_CREDENTIALS: 'true',
      SERVICE_API_KEY: `admin:${adminKey}`,
      SECRETS_KEY: secretsKey,
      ...variables,
    },
    { database: { url: '', adminUrl: '', drop: () => Promise.resolve() }, log },
  );
  api = new ApiClient(service.url, { 'x-api-key': adminKey });
}

/** An agent of every kind, with a canary in every field that takes a secret, or may hold one. */
function agents(): Record<string, object> {
  const place = (field: string) => canaries.of(`agents.${field}`);
  const headers = (kind: string) => ({
    'x-tenant': place(`${kind}.headers`),
    cookie: `session=${place(`${kind}.cookie`)}`,
  });
  return {
    openai: {
      base_url: `${stub.origin}/v1?api_key=${place('openai.base_url')}`,
      api_key: place('openai.api_key'),
      headers: headers('openai'),
    },
    'openai without a key': { base_url: `${stub.origin}/v1` },
    vapi: { api_base: stub.origin, api_key: place('vapi.api_key'), assistant_id: 'assistant' },
    livekit: {
      url: 'ws://127.0.0.1:9',
      auth_mode: 'token',
      token_url: `${stub.origin}/token?key=${place('livekit.token_url')}`,
      token_headers: headers('livekit.token'),
      token_body: { client_secret: place('livekit.token_body') },
    },
    'livekit with a secret': {
      url: stub.origin.replace('http', 'ws'),
      api_key: place('livekit.api_key'),
      api_secret: place('livekit.api_secret'),
    },
    pipecat: {
      base_url: stub.origin,
      api_key: place('pipecat.api_key'),
      agent_name: 'bot',
      transport_url: stub.origin.replace('http', 'ws'),
      transport_api_key: place('pipecat.transport_api_key'),
      transport_api_secret: place('pipecat.transport_api_secret'),
    },
    browser: { url: `${stub.origin}/page?token=${place('browser.url')}`, headers: headers('browser') },
    http: {
      url: `${stub.origin}/talk?subscription_key=${place('http.url')}`,
      headers: { ...headers('http'), authorization: `Bearer ${place('http.authorization')}` },
      body: { say: '{{message}}', session: '{{session_id}}', password: place('http.body') },
      reply_path: 'reply',
    },
  };
}

const seen: { from: string; text: string }[] = [];
const see = (from: string, { status, body, headers }: Answer): void => {
  seen.push({ from: `${from} ${status}`, text: JSON.stringify([body, [...headers]]) });
};

/** Tries and runs the agents of these names, all at once, in each manner of the servers. Answers the runs. */
async function examine(names: RegExp, manners: readonly Manner[], fields?: object): Promise<string[]> {
  const scenario_ids = await createScenarios(api, 1);
  const chosen = Object.entries(agents()).filter(([name]) => names.test(name));
  const ids = await Promise.all(chosen.map(([name, config]) => createAgent(name, config)));
  const runs: string[] = [];
  for (manner of manners) {
    await eachAtOnce(ids, async (agent_id) => {
      see('try', await api.post(`/api/v1/agents/${agent_id}/try`));
      const started = await api.send('POST', '/start-run', {
        headers: {
          'content-type': 'application/json',
          'idempotency-key': `${agent_id}-${manner}-${fields === undefined ? 'as-is' : 'asked'}`,
        },
        body: JSON.stringify({ agent_id, scenario_ids, max_turns: 2, ...fields }),
      });
      see('start', started);
      // Without a browser on this machine its agents are not examined.
      if (started.body.id === undefined) return;
      runs.push(started.body.id);
      await untilFinal(api, started.body.id, 90_000);
    });
  }
  return runs;
}

async function createAgent(name: string, config: object): Promise<string> {
  const [provider] = name.split(' ');
  const limits = { max_retries: 0, timeout_ms: 2_000 };
  const created = await api.post('/api/v1/agents', { name, provider, config: { ...config, ...limits } });
  see('create agent', created);
  expect([name, created.status, created.body.error]).toEqual([name, 201, undefined]);
  return created.body.id;
}

/** Everything that can be read, by the service's own description of itself. */
async function readEverything(runs: readonly string[]): Promise<void> {
  const description = await ApiDescription.of(service.url, adminKey);
  const scenarioRuns = (await eachAtOnce(runs, (run) => scenarioRunsOf(api, run))).flat();
  const idsOf = async (path: string): Promise<string[]> => {
    const { body } = await api.get(path);
    const rows: Answer['body'][] = Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? []);
    return rows.slice(0, 30).map((row) => row.id ?? row.scenario_id);
  };
  const ids: Record<string, readonly string[]> = {
    tests: runs,
    'scenario-runs': scenarioRuns.map(({ id }) => String(id)),
    actors: runs,
    agents: await idsOf('/api/v1/agents'),
    scenarios: await idsOf('/api/v1/scenarios'),
    webhooks: await idsOf('/api/v1/webhooks'),
  };
  const paths = description.operations.filter(({ method }) => method === 'GET').map(({ path }) => path);
  for (const path of [...paths, '/', '/metrics', '/docs/openapi.json']) {
    const resource = /([\w-]+)\/\{id\}/.exec(path)?.[1];
    const filled = resource === undefined ? [path] : (ids[resource] ?? []).map((id) => path.replace('{id}', id));
    await eachAtOnce(filled, readOnce);
  }
  for (const run of runs) {
    for (const format of ['json', 'csv', 'junit']) await readOnce(`/api/v1/tests/${run}/export?format=${format}`);
    await readOnce(`/events?run_id=${run}`);
    if (runs[0] !== undefined) await readOnce(`/api/v1/tests/${run}/comparison?baseline=${runs[0]}`);
  }
}

/** As much as comes within a moment: some answers go on as long as somebody listens. */
async function readOnce(path: string): Promise<void> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), 1_500);
  let text = '';
  try {
    const response = await fetch(service.url + path, { headers: { 'x-api-key': adminKey }, signal: giveUp.signal });
    text += JSON.stringify([...response.headers]);
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    if (!giveUp.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  seen.push({ from: path, text });
}

/** Every row of every table, as text. */
async function dump(): Promise<Record<string, string>> {
  const database = service.app.get(Database);
  const tables = await database.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const rows: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ text: string | null }>(
      `SELECT string_agg(t::text, E'\n') AS text FROM ${name} t`,
    );
    rows[name] = row?.text ?? '';
  }
  return rows;
}

const leaksIn = (texts: readonly { from: string; text: string }[]) =>
  texts.map(({ from, text }) => ({ from, found: canaries.foundIn(text) })).filter(({ found }) => found.length > 0);

it('finds every secret again only where it was sent to: in no answer, event, export, log line or row, and in no file of the database', async () => {
  await start({
    SERVICE_RUNNER_KEY: canaries.of('SERVICE_RUNNER_KEY'),
    SERVICE_VIEWER_KEY: canaries.of('SERVICE_VIEWER_KEY'),
    OPENAI_API_KEY: canaries.of('OPENAI_API_KEY'),
    OPENAI_API_KEY_HOSTS: new URL(stub.origin).host,
    EXAMINER_API_KEY: canaries.of('EXAMINER_API_KEY'),
    EXAMINER_BASE_URL: withPassword('EXAMINER_BASE_URL'),
    ALLOWED_MODELS: 'openai/examiner',
  });
  for (const which of ['agent-osce.password', 'agent-osce.service.password']) {
    canaries.add(which, readFileSync(join(folder, 'postgres', which), 'utf8'));
  }
  const hook = canaries.of('webhooks.url');
  const webhook = await api.post('/api/v1/webhooks', { url: `${stub.origin}/hook?token=${hook}` });
  const { body: rotated } = await api.post(`/api/v1/webhooks/${webhook.body.id}/rotate-secret`);
  canaries.add('webhooks.previous_secret', webhook.body.secret);
  canaries.add('webhooks.secret', rotated.secret);
  await api.post(`/api/v1/webhooks/${webhook.body.id}/test`);

  const runs = await examine(/./, ['answers', 'refuses', 'fails']);
  const asked = { tester_model: 'openai/examiner', judge_model: 'openai/examiner' };
  runs.push(...(await examine(/^openai$/, ['refuses', 'fails'], asked)));
  await eventually(() => expect(stub.requests.some(({ path }) => path.includes(hook))).toBe(true), 30_000);
  await readEverything(runs);
  const first = await dump();
  await service.close();

  // The examiners' other keys, where the models are asked of every run.
  await start({
    ANTHROPIC_API_KEY: canaries.of('ANTHROPIC_API_KEY'),
    ANTHROPIC_BASE_URL: withPassword('ANTHROPIC_BASE_URL'),
    JUDGE_MODEL: 'openai/judge',
    JUDGE_API_KEY: canaries.of('JUDGE_API_KEY'),
    JUDGE_BASE_URL: withPassword('JUDGE_BASE_URL'),
    TESTER_API_KEY: canaries.of('TESTER_API_KEY'),
    TESTER_BASE_URL: withPassword('TESTER_BASE_URL'),
  });
  const later = await examine(/^openai$/, ['refuses', 'fails']);
  await readEverything(later);
  const second = await dump();
  await service.close();

  // They were there: what they are for has received them.
  const sent = canaries.foundIn(JSON.stringify(stub.requests));
  const used = ['agents.openai.api_key', 'agents.openai.headers', 'agents.vapi.api_key', 'agents.livekit.token_url'];
  expect(sent).toEqual(
    expect.arrayContaining([
      ...used,
      'agents.http.authorization',
      'agents.http.body',
      'agents.pipecat.api_key',
      'webhooks.url',
      'OPENAI_API_KEY',
      'EXAMINER_API_KEY',
      'TESTER_API_KEY',
    ]),
  );
  for (const never of [
    'SERVICE_API_KEY',
    'SERVICE_RUNNER_KEY',
    'SERVICE_VIEWER_KEY',
    'SECRETS_KEY',
    'webhooks.secret',
  ]) {
    expect(sent).not.toContain(never);
  }
  expect(runs.length).toBeGreaterThan(20);
  expect(seen.length).toBeGreaterThan(150);

  // The address of a webhook is shown to those who may change it.
  const shown = leaksIn(seen).filter(
    ({ from, found }) => !(from.startsWith('/api/v1/webhooks') && found.join() === 'webhooks.url'),
  );
  expect(shown).toEqual([]);
  expect(leaksIn(lines.map((text) => ({ from: text, text })))).toEqual([]);
  expect(leaksIn(Object.entries({ ...first, ...second }).map(([from, text]) => ({ from, text })))).toEqual([]);
  // Rows as they were before they changed, the write-ahead log, the server's own log.
  expect(canaries.foundBelow(folder)).toEqual({
    'postgres/agent-osce.password': ['agent-osce.password'],
    'postgres/agent-osce.service.password': ['agent-osce.service.password'],
  });
});
