import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { OsceCommand } from '../setup/osce-command';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';

jest.setTimeout(120_000);

let folder: string;
let agent: FakeAgent;
const services: ServiceProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-backup-'));
  agent = await startFakeOpenAi({
    reply: (messages) => `${GOOD_REPLY} Reply ${(messages.length + 1) / 2}.`,
    delayMs: 300,
  });
});
afterAll(async () => {
  for (const service of services) await service.end('SIGKILL');
  await agent.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

async function serve(dataDir: string): Promise<ServiceProcess> {
  const service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
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
  const agentId = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 3);
  const planned = { agent_id: agentId, scenario_ids, max_turns: 5, concurrency_limit: 2 };
  const { body: run } = await api.post('/start-run', { ...planned, trials: 2 });
  const scheduledAt = new Date(Date.now() + 12_000).toISOString();
  const { body: scheduled } = await api.post('/start-run', { ...planned, scheduled_at: scheduledAt });
  await agent.until(() => agent.requests.length >= 14);

  const { code, stderr } = await osce('backup', file, '--data-dir', before);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^Backed up [\d,]+ rows of \d+ tables to /),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // The service noticed nothing, and its run was not over.
  expect((await api.get(`/api/v1/tests/${run.id}`)).body.status).toBe('running');
  await original.end('SIGKILL');

  expect(await osce('restore', file, '--data-dir', after)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Restored [\d,]+ rows /),
  });
  const restored = await serve(after);
  const again = new ApiClient(restored.url);
  expect(await untilFinal(again, run.id, 60_000)).toMatchObject({
    status: 'completed',
    passed_count: 6,
    error_count: 0,
  });
  expect(await untilFinal(again, scheduled.id, 60_000)).toMatchObject({ status: 'completed', passed_count: 3 });
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
