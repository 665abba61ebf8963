import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createLog } from '../../src/platform/config/log';
import { Vault } from '../../src/platform/database/encryption/vault';
import type { FakeAgent } from '../fakes/fake-agent';
import { startHttpStub } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { startServiceProcess } from '../setup/service-process';

const KEY = 'sk-canary-of-the-agent';
const HOOK_PATH = 'canary-of-the-webhook';
const [old, young] = [newKey(), newKey()];

function newKey(): string {
  return randomBytes(32).toString('base64');
}

let database: TestDatabase;
let observer: Client;
let agent: FakeAgent;
const cleanups: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  observer = new Client({ connectionString: database.url });
  await observer.connect();
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, apiKey: KEY });
  cleanups.push(
    () => database.drop(),
    () => observer.end(),
    () => agent.close(),
  );
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Started extends TestService {
  readonly api: ApiClient;
  readonly lines: string[];
}

async function start(SECRETS_KEY: string): Promise<Started> {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const service = await startTestService({ SECRETS_KEY }, { database, log });
  cleanups.push(() => service.close());
  return { ...service, api: new ApiClient(service.url), lines };
}

/** Every row of the tables that hold secrets, as text. */
async function stored(): Promise<string> {
  const { rows } = await observer.query<{ row: string }>(
    'SELECT a::text AS row FROM agents a UNION ALL SELECT w::text FROM webhooks w',
  );
  return rows.map(({ row }) => row).join('\n');
}

async function expectSealed(key: string): Promise<void> {
  const { rows } = await observer.query<{ id: string }>(
    `SELECT config->>'$sealed' AS id FROM agents UNION ALL SELECT url FROM webhooks UNION ALL SELECT secret FROM webhooks
     UNION ALL SELECT previous_secret FROM webhooks WHERE previous_secret IS NOT NULL`,
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { id } of rows) expect(id).toMatch(new RegExp(`^\\$sealed\\$1\\$${Vault.of([key]).sealingKeyId}\\$`));
  expect(await stored()).not.toMatch(/canary|whsec_/);
}

async function makeSecrets(api: ApiClient): Promise<{ agentId: string; webhook: Answer['body'] }> {
  const agentId = await createAgent(api, agent.baseUrl, { api_key: KEY, model: 'gpt-4o-mini' });
  const { body: webhook } = await api.post('/api/v1/webhooks', { url: `http://127.0.0.1:9/${HOOK_PATH}` });
  return { agentId, webhook };
}

const brought = (lines: readonly string[]) =>
  lines
    .filter((line) => line.includes('Stored secrets were brought under SECRETS_KEY'))
    .map((line) => JSON.parse(line))
    .map(({ encrypted, rekeyed, decrypted }) => ({ encrypted, rekeyed, decrypted }));

it('stores no secret that anyone without the key can read, and works as it does without one', async () => {
  const { api } = await start(old);
  const { agentId, webhook } = await makeSecrets(api);
  await expectSealed(old);
  const { body: patched } = await api.patch(`/api/v1/agents/${agentId}`, { config: { temperature: 0.5 } });
  expect(patched.config).toMatchObject({ api_key: KEY, temperature: 0.5, base_url: agent.baseUrl });
  expect((await api.get('/api/v1/agents')).body[0].config.api_key).toBe(KEY);
  await api.patch(`/api/v1/webhooks/${webhook.id}`, { url: `http://127.0.0.1:9/other-${HOOK_PATH}` });
  const { body: rotated } = await api.post(`/api/v1/webhooks/${webhook.id}/rotate-secret`);
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.url).toContain(`other-${HOOK_PATH}`);
  await expectSealed(old);
  const scenarioIds = await createScenarios(api, 1);
  const { body: run } = await api.post('/start-run', { agent_id: agentId, scenario_ids: scenarioIds, max_turns: 2 });
  expect(await untilFinal(api, run.id)).toMatchObject({ status: 'completed', error_count: 0 });
  expect((await api.get('/health')).body.setup).not.toHaveProperty('SECRETS_KEY');
});

it('changes a row whose id is given in capitals', async () => {
  const { api } = await start(old);
  const { agentId, webhook } = await makeSecrets(api);
  const [agentPath, hookPath] = [
    `/api/v1/agents/${agentId.toUpperCase()}`,
    `/api/v1/webhooks/${webhook.id.toUpperCase()}`,
  ];
  expect((await api.patch(agentPath, { config: { temperature: 0.5 } })).body.config).toMatchObject({
    temperature: 0.5,
  });
  const url = `http://127.0.0.1:9/other-${HOOK_PATH}`;
  expect((await api.patch(hookPath, { url })).body).toMatchObject({ url });
  expect((await api.post(`${hookPath}/rotate-secret`)).body.secret).toMatch(/^whsec_/);
  expect((await api.get(`/api/v1/agents/${agentId}`)).body.config).toMatchObject({ api_key: KEY, temperature: 0.5 });
  await expectSealed(old);
});

it('signs messages to a webhook with both secrets that it has stored', async () => {
  const receiver = await startHttpStub((response) => response.writeHead(204).end());
  cleanups.push(() => receiver.close());
  const { api } = await start(old);
  const { body: webhook } = await api.post('/api/v1/webhooks', { url: `${receiver.origin}/${HOOK_PATH}` });
  await api.post(`/api/v1/webhooks/${webhook.id}/rotate-secret`);
  await api.post(`/api/v1/webhooks/${webhook.id}/test`);
  await eventually(() => expect(receiver.requests.length).toBe(1), 30_000);
  expect(receiver.requests[0]?.path).toBe(`/${HOOK_PATH}`);
  expect(String(receiver.requests[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
});

it('encrypts what was stored in plain text, and no client sees that anything changed', async () => {
  const before = await start('');
  expect((await before.api.get('/health')).body.setup.SECRETS_KEY).toContain('openssl rand -base64 32');
  const { agentId, webhook } = await makeSecrets(before.api);
  await before.api.post(`/api/v1/webhooks/${webhook.id}/rotate-secret`);
  const seen = async ({ api }: Started) => [
    await api.get(`/api/v1/agents/${agentId}`),
    await api.get(`/api/v1/webhooks/${webhook.id}`),
  ];
  const asBefore = await seen(before);
  await before.close();
  expect(await stored()).toContain(KEY);

  const after = await start(old);
  await eventually(() => expect(brought(after.lines)).toEqual([{ encrypted: 4, rekeyed: 0, decrypted: 0 }]), 30_000);
  await expectSealed(old);
  const asAfter = await seen(after);
  expect(asAfter.map(({ body }) => body)).toEqual(asBefore.map(({ body }) => body));
  expect(asAfter.map(({ headers }) => headers.get('etag'))).toEqual(asBefore.map(({ headers }) => headers.get('etag')));
  expect(after.lines.join('')).not.toMatch(/canary|whsec_/);
});

it('changes over from one key to another, many rows, while others write, and back to plain text', async () => {
  const first = await start(old);
  const { agentId } = await makeSecrets(first.api);
  const sealed = await observer.query(`SELECT config FROM agents WHERE id = $1`, [agentId]);
  expect(sealed.rows[0].config).toHaveProperty('$sealed');
  await observer.query(
    `INSERT INTO agents (provider, name, config) SELECT 'openai', 'plain ' || n, '{"api_key":"canary"}' FROM generate_series(1, 170) n`,
  );
  await first.close();

  const [one, two] = await Promise.all([start(`${young},${old}`), start(`${young},${old}`)]);
  const { body } = await one.api.patch(`/api/v1/agents/${agentId}`, { config: { timeout_ms: 9_000 } });
  expect(body.config).toMatchObject({ api_key: KEY, timeout_ms: 9_000 });
  const counted = () => {
    const all = [...brought(one.lines), ...brought(two.lines)];
    return all.reduce((sum, { encrypted, rekeyed }) => sum + encrypted + rekeyed, 0);
  };
  await eventually(() => expect(counted()).toBeGreaterThanOrEqual(170), 30_000);
  await eventually(() => expectSealed(young), 30_000);
  await Promise.all([one.close(), two.close()]);

  const back = await start(`plain,${young}`);
  await eventually(() => expect(brought(back.lines)).toHaveLength(1), 30_000);
  expect(brought(back.lines)).toEqual([{ encrypted: 0, rekeyed: 0, decrypted: 173 }]);
  await back.close();
  const without = await start('');
  expect((await without.api.get(`/api/v1/agents/${agentId}`)).body.config.api_key).toBe(KEY);
});

it.each([
  ['is not set: set it to that key', ''],
  [
    `has ${Vault.of([young]).sealingKeyId}: give that key too, after a comma if another one is to encrypt from now on`,
    young,
  ],
])('refuses to start, before it changes anything, when SECRETS_KEY %s', async (given, key) => {
  const first = await start(old);
  await makeSecrets(first.api);
  await first.close();
  // What a start would bring up to date.
  await observer.query(`DROP TABLE write_probe; DELETE FROM migrations WHERE name LIKE 'WriteProbe%'`);
  const before = await stored();
  await expect(start(key)).rejects.toThrow(
    `Secrets in the database are encrypted with the key ${Vault.of([old]).sealingKeyId}, and SECRETS_KEY ${given}. Nothing was changed.`,
  );
  expect(await stored()).toBe(before);
  expect((await observer.query(`SELECT to_regclass('write_probe') AS there`)).rows).toEqual([{ there: null }]);
});

it('does not take a config that was copied from another agent', async () => {
  const { api } = await start(old);
  const { agentId } = await makeSecrets(api);
  const copy = randomUUID();
  await observer.query(
    `INSERT INTO agents (id, provider, name, config) SELECT $1, provider, 'copy', config FROM agents WHERE id = $2`,
    [copy, agentId],
  );
  const copied = {
    id: copy,
    config: { $unopened: `agents.config of ${copy} cannot be decrypted: it was changed, or copied from another row.` },
  };
  expect((await api.get(`/api/v1/agents/${copy}`)).body).toMatchObject(copied);
  expect((await api.patch(`/api/v1/agents/${copy}`, { config: { temperature: 0 } })).status).toBe(500);
  const scenarioIds = await createScenarios(api, 1);
  await api.post('/start-run', { agent_id: copy, scenario_ids: scenarioIds });
  expect(agent.requests).toEqual([]);

  // Nothing else suffers from it: not the list, and not the next start.
  const { body: listed } = await api.get('/api/v1/agents');
  expect(listed).toHaveLength(2);
  expect(listed).toContainEqual(expect.objectContaining(copied));
  expect(listed).toContainEqual(
    expect.objectContaining({ id: agentId, config: expect.objectContaining({ api_key: KEY }) }),
  );
  const next = await startServiceProcess({ DATABASE_URL: database.url, SECRETS_KEY: old });
  cleanups.push(() => next.end('SIGTERM'));
  expect((await new ApiClient(next.url).patch(`/api/v1/agents/${copy}`, { name: 'no copy' })).body).toMatchObject({
    ...copied,
    name: 'no copy',
  });
  expect((await api.delete(`/api/v1/agents/${copy}`)).status).toBe(204);
});

it('lists a webhook whose secrets do not open, and sends it nothing', async () => {
  const { api } = await start(old);
  const { webhook } = await makeSecrets(api);
  const copy = randomUUID();
  await observer.query(
    `INSERT INTO webhooks (id, url, events, secret) SELECT $1, url, events, secret FROM webhooks WHERE id = $2`,
    [copy, webhook.id],
  );
  const url = `webhooks.url of ${copy} cannot be decrypted: it was changed, or copied from another row.`;
  const { body } = await api.get('/api/v1/webhooks');
  expect(body.webhooks).toHaveLength(2);
  expect(body.webhooks).toContainEqual(expect.objectContaining({ id: copy, url }));
});

it('leaves no earlier version of a row in the files of its table', async () => {
  const before = await start('');
  await makeSecrets(before.api);
  await before.close();
  const versions = async () => {
    const { rows } = await observer.query<{ relfilenode: number }>(
      `SELECT relfilenode FROM pg_class WHERE relname IN ('agents', 'webhooks') ORDER BY relname`,
    );
    return rows.map(({ relfilenode }) => relfilenode);
  };
  const files = await versions();
  const after = await start(old);
  await eventually(() => expect(brought(after.lines)).toHaveLength(1), 30_000);
  await eventually(async () => {
    const now = await versions();
    for (const [index, file] of now.entries()) expect(file).not.toBe(files[index]);
  });
});

it('tells a webhook whose key the process lacked for a while, and has used up none of its attempts', async () => {
  const receiver = await startHttpStub((response) => response.writeHead(204).end());
  cleanups.push(() => receiver.close());
  const { api } = await start(old);
  const { body: webhook } = await api.post('/api/v1/webhooks', { url: `${receiver.origin}/${HOOK_PATH}` });
  const { rows: own } = await observer.query<{ url: string }>('SELECT url FROM webhooks');
  const setUrl = (url: string | undefined) => observer.query('UPDATE webhooks SET url = $1', [url]);
  await setUrl(Vault.of([young]).sealText(receiver.origin, `webhooks.url of ${webhook.id}`));
  await api.post(`/api/v1/webhooks/${webhook.id}/test`);
  const deliveries = async () => (await api.get(`/api/v1/webhooks/${webhook.id}`)).body.deliveries;
  for (let round = 0; round < 3; round += 1) {
    await eventually(async () =>
      expect(await deliveries()).toMatchObject([
        { status: 'pending', attempts: 0, last_error: expect.stringContaining('is encrypted with the key') },
      ]),
    );
    await observer.query('UPDATE webhook_deliveries SET last_error = NULL, next_attempt_at = now()');
  }
  await setUrl(own[0]?.url);
  await observer.query('UPDATE webhook_deliveries SET next_attempt_at = now() WHERE claim IS NULL');
  await eventually(
    async () => expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }]),
    30_000,
  );
});
