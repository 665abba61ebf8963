import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Vault } from '../../src/platform/database/encryption/vault';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { completion } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { Canaries } from '../setup/canaries';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { OsceCommand } from '../setup/osce-command';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';

jest.setTimeout(240_000);

let folder: string;
let agent: HttpStub;
/** Answers that wait, while the agent answers only when it is told to. */
const held: (() => void)[] = [];
let isHolding = false;
const services: ServiceProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-backup-'));
  agent = await startHttpStub((response, { body }) => {
    const { messages } = body as { messages: readonly unknown[] };
    const turn = (messages.length + 1) / 2;
    const answer = (): void => sendJson(response, 200, completion(`${GOOD_REPLY} Reply ${turn}.`));
    if (isHolding && turn > 2) held.push(answer);
    else answer();
  });
});
afterAll(async () => {
  for (const service of services) await service.end('SIGKILL');
  await agent.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

async function serve(dataDir: string, variables: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...variables });
  services.push(service);
  return service;
}

const osce = (...args: string[]) => OsceCommand.start(args).ends();

async function eventsOf(url: string, id: string): Promise<{ type: string; scenario_run_id?: string; turn?: number }[]> {
  const text = await (await fetch(`${url}/events?run_id=${id}`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice(6))).slice(1);
}

test('a backup made while a run is under way: restored into an empty folder, the run goes on and ends right', async () => {
  const [before, after, file] = [join(folder, 'before'), join(folder, 'after'), join(folder, 'osce.backup')];
  const original = await serve(before);
  const api = new ApiClient(original.url);
  const agentId = await createAgent(api, `${agent.origin}/v1`, { turn_timeout_ms: 120_000 });
  const scenario_ids = await createScenarios(api, 3);
  isHolding = true;
  const planned = { agent_id: agentId, scenario_ids, max_turns: 5, concurrency_limit: 2 };
  const { body: run } = await api.post('/start-run', { ...planned, trials: 2 });
  const scheduledAt = new Date(Date.now() + 12_000).toISOString();
  const { body: scheduled } = await api.post('/start-run', { ...planned, scheduled_at: scheduledAt });
  // Two of its scenario runs are in their third turn, and stay there until the agent is told to go on.
  await agent.until(() => held.length >= 2, 60_000);

  const { code, stderr } = await osce('backup', file, '--data-dir', before);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^Backed up [\d,]+ rows of \d+ tables to /),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // The service noticed nothing.
  expect((await api.get(`/api/v1/tests/${run.id}`)).body.status).toBe('running');
  await original.end('SIGKILL');
  isHolding = false;
  for (const answer of held.splice(0)) answer();

  // As in a container of the image: a restore listens nowhere, and so needs no key.
  const inContainer = { environment: { HOST: '0.0.0.0' } };
  expect(await OsceCommand.start(['restore', file, '--data-dir', after], inContainer).ends()).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Restored [\d,]+ rows /),
  });
  const restored = await serve(after);
  const again = new ApiClient(restored.url);
  expect(await untilFinal(again, run.id, 90_000)).toMatchObject({
    status: 'completed',
    passed_count: 6,
    error_count: 0,
  });
  expect(await untilFinal(again, scheduled.id, 90_000)).toMatchObject({ status: 'completed', passed_count: 3 });
  for (const { id } of await scenarioRunsOf(again, run.id)) {
    const { body } = await again.get(`/api/v1/scenario-runs/${id}`);
    expect(body.transcript).toHaveLength(10);
  }
  const turns = (await eventsOf(restored.url, run.id)).filter(({ type }) => type === 'transcript_update');
  expect(new Set(turns.map(({ scenario_run_id, turn }) => `${scenario_run_id} ${turn}`)).size).toBe(turns.length);
  expect(turns).toHaveLength(30);
  // The secret that the agent is called with came along.
  expect(agent.requests.at(-1)?.headers.authorization).toBe('Bearer sk-test');

  expect(await osce('restore', file, '--data-dir', after)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Another Agent OSCE is using the data folder'),
  });
  await restored.end('SIGTERM');
  expect(await osce('restore', file, '--data-dir', after)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The database is not empty'),
  });
  // What the first service holds is backed up without it, too.
  const second = join(folder, 'second.backup');
  expect(await osce('backup', second, '--data-dir', before, '--json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`"file":"${second}"`),
  });
  expect(await osce('backup', second, '--data-dir', before)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${second} exists: name another file`),
  });
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a backup of encrypted secrets gives none of them away, and starts with their key and no other', async () => {
  const [before, after, file] = [join(folder, 'sealed'), join(folder, 'unsealed'), join(folder, 'sealed.backup')];
  const [key, other] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const canaries = new Canaries();
  canaries.add('SECRETS_KEY', key);
  const original = await serve(before, { SECRETS_KEY: key });
  const api = new ApiClient(original.url);
  const secret = canaries.of('agents.api_key');
  const agentId = await createAgent(api, `${agent.origin}/v1`, {
    api_key: secret,
    headers: { 'x-tenant': canaries.of('agents.headers') },
  });
  const { body: webhook } = await api.post('/api/v1/webhooks', {
    url: `http://127.0.0.1:9/hook?token=${canaries.of('webhooks.url')}`,
  });
  canaries.add('webhooks.secret', webhook.secret);
  const [scenarioId = ''] = await createScenarios(api, 1);
  const planned = { agent_id: agentId, scenario_ids: [scenarioId], max_turns: 2 };
  const { body: run } = await api.post('/start-run', planned);
  expect(await untilFinal(api, run.id, 60_000)).toMatchObject({ status: 'completed', passed_count: 1 });

  expect(await osce('backup', file, '--data-dir', before)).toMatchObject({ code: 0 });
  await original.end('SIGTERM');
  const written = gunzipSync(readFileSync(file));
  expect(written.includes(agentId)).toBe(true);
  expect(canaries.foundIn(written)).toEqual([]);

  expect(await osce('restore', file, '--data-dir', after)).toMatchObject({ code: 0 });
  const idOf = (one: string): string | null => Vault.of([one]).sealingKeyId;
  for (const [variables, given] of [
    [
      { SECRETS_KEY: other },
      `has ${idOf(other)}: give that key too, after a comma if another one is to encrypt from now on`,
    ],
    [{}, 'is not set: set it to that key'],
  ] as const) {
    await expect(serve(after, variables)).rejects.toThrow(
      `Secrets in the database are encrypted with the key ${idOf(key)}, and SECRETS_KEY ${given}. Nothing was changed.`,
    );
  }
  const again = new ApiClient((await serve(after, { SECRETS_KEY: key })).url);
  expect((await again.get(`/api/v1/agents/${agentId}`)).body.config.api_key).toBe(secret);
  const { body: anew } = await again.post('/start-run', planned);
  expect(await untilFinal(again, anew.id, 60_000)).toMatchObject({ status: 'completed', passed_count: 1 });
  expect(agent.requests.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
});

describe('what cannot be done is refused in one sentence', () => {
  test('a backup of a folder without a database', async () => {
    const file = join(folder, 'nothing.backup');
    expect(await osce('backup', file, '--data-dir', join(folder, 'none'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no database in the data folder .*none: name the folder.*\n$/),
    });
    expect(existsSync(file)).toBe(false);
  });

  test('a backup into a folder that is not there', async () => {
    const file = join(folder, 'nowhere', 'osce.backup');
    expect(await osce('backup', file, '--data-dir', join(folder, 'before'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^The file cannot be written \(ENOENT\): .*\n$/),
    });
  });

  test('a restore of a file that is not there', async () => {
    const data = join(folder, 'empty');
    expect(await osce('restore', join(folder, 'no.backup'), '--data-dir', data)).toMatchObject({ code: 2 });
    expect(existsSync(data)).toBe(false);
  });
});
