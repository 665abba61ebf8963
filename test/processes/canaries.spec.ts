import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../src/platform/config/log';
import { Database } from '../../src/platform/database/database';
import { startHttpStub, type HttpStub } from '../fakes/http-stub';
import { ApiClient } from '../setup/api-client';
import { eachAtOnce } from '../setup/at-once';
import { Canaries } from '../setup/canaries';
import { canaryAgents, echo, type Manner } from '../setup/canary-agents';
import { CanaryExaminer } from '../setup/canary-examiner';
import { createScenarios } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { everyRow, type Seen } from '../setup/read-everything';
import { startTestService, type TestService } from '../setup/service';

jest.setTimeout(240_000);

const canaries = new Canaries();
const folder = mkdtempSync(join(tmpdir(), 'agent-osce-canaries-'));
const lines: string[] = [];
const log = createLog('debug', { write: (line) => lines.push(line) });
const adminKey = canaries.of('SERVICE_API_KEY');
const secretsKey = randomBytes(32).toString('base64');
canaries.add('SECRETS_KEY', secretsKey);

let manner: Manner = 'answers';

let stub: HttpStub;
let service: TestService;
let api: ApiClient;
let examiner: CanaryExaminer;

beforeAll(async () => {
  stub = await startHttpStub(echo(() => manner));
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
      METRICS_TOKEN: canaries.of('METRICS_TOKEN'),
      ...variables,
    },
    { database: { url: '', adminUrl: '', drop: () => Promise.resolve() }, log },
  );
  api = new ApiClient(service.url, { 'x-api-key': adminKey });
  examiner = new CanaryExaminer(api);
}

/** Tries and runs the agents of these names, all at once, in each manner of the servers. */
async function examine(names: RegExp, manners: readonly Manner[], fields?: object): Promise<void> {
  const scenario_ids = await createScenarios(api, 1);
  const chosen = Object.entries(canaryAgents(canaries, stub.origin)).filter(([name]) => names.test(name));
  const ids = await examiner.createAgents(Object.fromEntries(chosen));
  for (manner of manners) {
    await eachAtOnce(ids, async (id) => {
      await examiner.try(id);
      await examiner.examine(id, scenario_ids, fields);
    });
  }
}

/** Everything that can be read, and every row. */
async function look(): Promise<readonly Seen[]> {
  await examiner.readEverything(adminKey, canaries.of('METRICS_TOKEN'));
  const database = service.app.get(Database);
  return everyRow((sql) => database.query(sql));
}

it('finds every secret again only where it was sent to: in no answer, event, export, log line or row, and in no file of the database', async () => {
  await start({
    SERVICE_RUNNER_KEY: canaries.of('SERVICE_RUNNER_KEY'),
    SERVICE_REVIEWER_KEY: canaries.of('SERVICE_REVIEWER_KEY'),
    PUBLIC_URL: 'http://127.0.0.1:9',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'agent-osce',
    OIDC_CLIENT_SECRET: canaries.of('OIDC_CLIENT_SECRET'),
    OIDC_ADMINS: 'platform',
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

  await examine(/./, ['answers', 'refuses', 'fails']);
  const asked = { tester_model: 'openai/examiner', judge_model: 'openai/examiner' };
  await examine(/^openai$/, ['refuses', 'fails'], asked);
  await eventually(() => expect(stub.requests.some(({ path }) => path.includes(hook))).toBe(true), 30_000);
  const { seen, runs } = examiner;
  const first = await look();
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
  await examine(/^openai$/, ['refuses', 'fails']);
  const second = await look();
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
    'SERVICE_REVIEWER_KEY',
    'OIDC_CLIENT_SECRET',
    'SERVICE_VIEWER_KEY',
    'SECRETS_KEY',
    'METRICS_TOKEN',
    'webhooks.secret',
  ]) {
    expect(sent).not.toContain(never);
  }
  expect(runs.length).toBeGreaterThan(20);
  expect(seen.length).toBeGreaterThan(150);

  // The address of a webhook is shown to those who may change it.
  const shown = canaries
    .leaksIn([...seen, ...examiner.seen])
    .filter(({ from, found }) => !(from.startsWith('/api/v1/webhooks') && found.join() === 'webhooks.url'));
  expect(shown).toEqual([]);
  expect(canaries.leaksIn(lines.map((text) => ({ from: text, text })))).toEqual([]);
  expect(canaries.leaksIn([...first, ...second])).toEqual([]);
  // Rows as they were before they changed, the write-ahead log, the server's own log.
  expect(canaries.foundBelow(folder)).toEqual({
    'postgres/agent-osce.password': ['agent-osce.password'],
    'postgres/agent-osce.service.password': ['agent-osce.service.password'],
  });
});
