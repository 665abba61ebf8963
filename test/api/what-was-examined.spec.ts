import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const KEY = 'sk-test-0123456789abcdef';
const HEX = /^[0-9a-f]{64}$/;

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let agentId: string;
let scenarioId: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
});
afterAll(async () => {
  await service.close();
  await agent.close();
});
beforeEach(async () => {
  agentId = await createAgent(api, agent.baseUrl, {
    api_key: KEY,
    model: 'clinic-1',
    headers: { 'X-Tenant': 'north-wing-7' },
    system_prompt: `You are a clinic. Never say ${KEY}.`,
  });
  [scenarioId = ''] = await createScenarios(api, 1);
});

async function examined(fields: object = {}): Promise<Answer['body']> {
  const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids: [scenarioId], ...fields });
  return untilFinal(api, body.id);
}
const changeAgent = (config: object) => api.patch(`/api/v1/agents/${agentId}`, { config });

test('a run keeps the config of its agent as it was, with its secrets masked', async () => {
  const run = await examined();
  await changeAgent({ model: 'clinic-2' });
  const { body } = await api.get(`/api/v1/tests/${run.id}`);
  expect(body.agent_config).toEqual({
    base_url: agent.baseUrl,
    api_key: 'sk-t••••••••',
    max_retries: 0,
    model: 'clinic-1',
    headers: { 'X-Tenant': 'nort••••••••' },
    system_prompt: 'You are a clinic. Never say [removed].',
  });
  expect(body.agent_config_hash).toMatch(HEX);
});

test('a new key is the same agent, and a new model another', async () => {
  const first = await examined();
  await changeAgent({ api_key: 'another-key-9876543210', headers: { 'X-Tenant': 'south-wing-8', 'X-More': '1' } });
  await changeAgent({ system_prompt: 'You are a clinic. Never say another-key-9876543210.' });
  const rotated = await examined();
  expect(rotated.agent_config_hash).toBe(first.agent_config_hash);
  await changeAgent({ model: 'clinic-2' });
  const changed = await examined();
  expect(changed.agent_config_hash).not.toBe(first.agent_config_hash);
});

test('a run tells the version that its client names, and null when it names none', async () => {
  expect((await examined({ agent_version: '9f2c1e7 prompt 12' })).agent_version).toBe('9f2c1e7 prompt 12');
  expect((await examined()).agent_version).toBeNull();
  expect((await examined({ agent_version: null })).agent_version).toBeNull();
  for (const agent_version of ['', ' ', 'x'.repeat(201), 7]) {
    const { status, body } = await api.post('/start-run', { agent_id: agentId, agent_version });
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringContaining('agent_version') });
  }
});

test('a list of runs tells hash and version, not the config', async () => {
  const run = await examined({ agent_version: 'v1' });
  const { body } = await api.get('/api/v1/tests?limit=1');
  expect(body.runs[0]).toMatchObject({ id: run.id, agent_version: 'v1', agent_config_hash: run.agent_config_hash });
  expect(body.runs[0]).not.toHaveProperty('agent_config');
});

test('each scenario run tells the revision of its scenario that it was examined with', async () => {
  const first = await examined();
  await api.patch(`/api/v1/scenarios/${scenarioId}`, { rubric_criteria: [{ criterion: 'Says hello', points: 1 }] });
  const second = await examined();
  const [[before], [after]] = [await scenarioRunsOf(api, first.id), await scenarioRunsOf(api, second.id)];
  expect([before.scenario_revision, after.scenario_revision]).toEqual([1, 2]);
  expect([before.scenario_content_hash, after.scenario_content_hash]).toEqual([
    expect.stringMatching(HEX),
    expect.stringMatching(HEX),
  ]);
  expect(before.scenario_content_hash).not.toBe(after.scenario_content_hash);
});

describe('every export tells it', () => {
  let run: Answer['body'];
  const exported = async (format: string) =>
    (await fetch(`${service.url}/api/v1/tests/${run.id}/export?format=${format}`)).text();
  beforeEach(async () => {
    run = await examined({ agent_version: 'v2' });
  });

  test('json', async () => {
    const { body } = await api.get(`/api/v1/tests/${run.id}/export?format=json`);
    expect(body).toMatchObject({
      run: { agent_version: 'v2', agent_config_hash: run.agent_config_hash, agent_config: { model: 'clinic-1' } },
      scenario_runs: [{ scenario_revision: 1, scenario_content_hash: expect.stringMatching(HEX) }],
    });
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  test('csv', async () => {
    const [header = '', row = ''] = (await exported('csv')).split('\r\n');
    const cells = new Map(header.split(',').map((name, at) => [name, row.split(',')[at]]));
    expect(Object.fromEntries(cells)).toMatchObject({
      scenario_revision: '1',
      scenario_content_hash: expect.stringMatching(HEX),
      agent_version: 'v2',
      agent_config_hash: run.agent_config_hash,
      tester: 'offline',
      judge: 'offline',
    });
  });

  test('junit', async () => {
    const xml = await exported('junit');
    for (const property of [
      'name="agent_version" value="v2"',
      `name="agent_config_hash" value="${run.agent_config_hash}"`,
      'name="tester" value="offline"',
      'name="judge" value="offline"',
      'name="scenario_revision" value="1"',
    ]) {
      expect(xml).toContain(property);
    }
    expect(xml).toMatch(/name="scenario_content_hash" value="[0-9a-f]{64}"/);
  });
});
