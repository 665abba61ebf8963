import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeAgent } from '../fakes/fake-agent';
import { LOGIN_PAGE, text } from '../fakes/misbehaviour';
import { startFakeHttpAgent } from '../fakes/http-agent-server';
import { ApiClient } from '../setup/api-client';
import { createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';

let dataDir: string;
let agent: FakeAgent;
let service: ServiceProcess;
let api: ApiClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-http-agent-'));
  agent = await startFakeHttpAgent({
    reply: (messages) => `${GOOD_REPLY} Reply ${(messages.length + 1) / 2}.`,
    delayMs: 150,
  });
  await start();
});
afterAll(async () => {
  await service.end('SIGKILL');
  await agent.close();
  // The killed service's database ends a moment after it.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

async function start(): Promise<void> {
  service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  api = new ApiClient(service.url);
}

async function startRun(config: object): Promise<string> {
  const { body: created } = await api.post('/api/v1/agents', { name: 'Any', provider: 'http', config });
  const scenario_ids = await createScenarios(api, 3);
  const { body } = await api.post('/start-run', { agent_id: created.id, scenario_ids, max_turns: 5 });
  return String(body.id);
}

describe.each([
  ['that the service makes', {}],
  ['that the agent names', { session_id_path: 'id' }],
])('a conversation under a session id %s', (_name, fields) => {
  it('goes on after a kill -9, with its session and all that was said', async () => {
    const sentBefore = agent.requests.length;
    const id = await startRun({
      url: `${agent.baseUrl}/talk`,
      body: { session: '{{session_id}}', conversation: '{{messages}}' },
      reply_path: 'data.reply',
      ...fields,
    });
    // The id of a session is stored with its first turn.
    while (!(await scenarioRunsOf(api, id)).every(({ turns }) => turns > 0)) await sleep(10);
    await service.end('SIGKILL');
    await start();
    expect(await untilFinal(api, id, 40_000)).toMatchObject({ status: 'completed', error_count: 0, passed_count: 3 });
    const results = await scenarioRunsOf(api, id);
    expect(results.filter(({ attempt }) => attempt > 1).length).toBeGreaterThan(0);
    const sessions = new Set<string>();
    for (const result of results) {
      const { body } = await api.get(`/api/v1/scenario-runs/${result.id}`);
      const replies = body.transcript.filter(({ role }: { role: string }) => role === 'agent');
      expect(replies.map(({ content }: { content: string }) => content)).toEqual(
        [1, 2, 3, 4, 5].map((turn) => `${GOOD_REPLY} Reply ${turn}.`),
      );
    }
    for (const { body } of agent.requests.slice(sentBefore)) sessions.add(sessionOf(body));
    // Before the agent has named it, nothing is said of a session.
    expect(sessions.size).toBe('session_id_path' in fields ? 4 : 3);
  });
});

it('an agent whose config is incomplete ends each of its scenario runs with the field’s name', async () => {
  const id = await startRun({ url: `${agent.baseUrl}/talk`, body: { say: '{{massage}}' } });
  expect(await untilFinal(api, id)).toMatchObject({ status: 'failed' });
  for (const { error_code, error_message } of await scenarioRunsOf(api, id)) {
    expect(error_code).toBe('config_invalid');
    expect(error_message).toContain('body holds {{massage}}, which is no placeholder');
  }
});

it('an agent that begins a new conversation with each message is warned of, and flagged where it always says the same', async () => {
  const config = { url: `${agent.baseUrl}/talk`, body: { say: '{{message}}' }, reply_path: 'data.reply' };
  const id = await startRun(config);
  await untilFinal(api, id);
  const { body: run } = await api.get(`/api/v1/tests/${id}`);
  const warnings = [expect.stringContaining('Nothing in the config carries the conversation')];
  expect(run.warnings).toEqual(warnings);
  expect((await api.get(`/api/v1/agents/${run.agent_id}`)).body.warnings).toEqual(warnings);
  expect((await api.get(`/api/v1/tests/${id}/statistics`)).body.flagged).toEqual({
    scenario_runs: 3,
    by_flag: [{ flag: 'same_reply', count: 3 }],
  });
  const { body: report } = await api.get(`/api/v1/tests/${id}/report?format=json`);
  expect(JSON.stringify(report)).toContain('In 3 of 3 conversations the agent said the same in every turn');
  for (const result of await scenarioRunsOf(api, id)) expect(result.metadata.flags).toEqual(['same_reply']);
});

it.each([
  ['a header with a scheme', 'Bearer {{session_id}}'],
  ['a header with more than that', 'session-of-examinations {{session_id}}'],
])('a run whose conversation goes in %s is not warned of', async (_where, authorization) => {
  const config = { url: `${agent.baseUrl}/talk`, body: { say: '{{message}}' }, reply_path: 'data.reply' };
  const id = await startRun({ ...config, headers: { authorization } });
  await untilFinal(api, id);
  const { body: run } = await api.get(`/api/v1/tests/${id}`);
  const { body: examined } = await api.get(`/api/v1/agents/${run.agent_id}`);
  expect({ run: run.warnings, agent: examined.warnings }).toEqual({ run: [], agent: [] });
});

it('an agent before which a login stands is never marked', async () => {
  for (let count = 0; count < 3; count += 1) agent.next(text(200, LOGIN_PAGE, 'text/html'));
  const id = await startRun({ url: `${agent.baseUrl}/plain`, body: { say: '{{message}}' } });
  expect(await untilFinal(api, id)).toMatchObject({ status: 'failed', failed_count: 0, error_count: 3 });
  for (const { error_code } of await scenarioRunsOf(api, id)) expect(error_code).toBe('auth_failed');
});

function sessionOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'session' in body ? String(body.session) : 'none';
}
