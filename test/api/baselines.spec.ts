import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';

let service: TestService;
let api: ApiClient;
let fake: FakeAgent;
let scenarioId: string;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  fake = await startFakeOpenAi();
  [scenarioId = ''] = await storeScenarios(service.app.get(Database), ['Stored']);
});
afterAll(async () => {
  await service.close();
  await fake.close();
});

const storedRun = (agentId: string, status = 'completed') =>
  storeGradedRun(
    service.app.get(Database),
    [{ id: scenarioId, name: 'Stored', outcomes: [status === 'completed' ? 'passed' : 'canceled'] }],
    { agentId, status },
  );

const newAgent = (): Promise<string> => createAgent(api, fake.baseUrl);
const setBaseline = (agentId: string, testRunId: unknown) =>
  api.put(`/api/v1/agents/${agentId}/baseline`, { test_run_id: testRunId });
const baselineOf = async (agentId: string) => (await api.get(`/api/v1/agents/${agentId}`)).body.baseline_test_run_id;

describe('the baseline of an agent', () => {
  test('is none until it is set, then the run that its other runs name, by id or label', async () => {
    const agentId = await newAgent();
    const [baseline, later] = [await storedRun(agentId), await storedRun(agentId)];
    expect(await baselineOf(agentId)).toBeNull();
    expect((await api.get(`/api/v1/tests/${later}`)).body.baseline_test_run_id).toBeNull();

    const { status, body } = await setBaseline(agentId, baseline);
    expect({ status, body }).toMatchObject({ status: 200, body: { id: agentId, baseline_test_run_id: baseline } });
    expect(await baselineOf(agentId)).toBe(baseline);
    expect((await api.get(`/api/v1/tests/${later}`)).body.baseline_test_run_id).toBe(baseline);
    const { runs } = (await api.get('/api/v1/tests')).body;
    expect(runs.find(({ id }: { id: string }) => id === later).baseline_test_run_id).toBe(baseline);
    // A run is no measure of itself.
    expect((await api.get(`/api/v1/tests/${baseline}`)).body.baseline_test_run_id).toBeNull();

    const { test_run_id: label } = (await api.get(`/api/v1/tests/${later}`)).body;
    expect(await setBaseline(agentId, label)).toMatchObject({ status: 200, body: { baseline_test_run_id: later } });
    expect((await api.get(`/api/v1/tests/${baseline}`)).body.baseline_test_run_id).toBe(later);
  });

  test('is of this agent alone', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    await setBaseline(one, await storedRun(one));
    expect(await baselineOf(other)).toBeNull();
    expect((await api.get(`/api/v1/tests/${await storedRun(other)}`)).body.baseline_test_run_id).toBeNull();
  });

  test('can be taken away, more than once', async () => {
    const agentId = await newAgent();
    await setBaseline(agentId, await storedRun(agentId));
    for (let times = 0; times < 2; times += 1) {
      expect(await api.delete(`/api/v1/agents/${agentId}/baseline`)).toMatchObject({ status: 204, body: null });
      expect(await baselineOf(agentId)).toBeNull();
    }
  });

  test('is gone with its run', async () => {
    const agentId = await newAgent();
    const [baseline, later] = [await storedRun(agentId), await storedRun(agentId)];
    await setBaseline(agentId, baseline);
    expect((await api.delete(`/api/v1/tests/${baseline}`)).status).toBe(204);
    expect(await baselineOf(agentId)).toBeNull();
    expect((await api.get(`/api/v1/tests/${later}`)).body.baseline_test_run_id).toBeNull();
  });

  test('outlives an edit of its agent, and names nothing once the agent is deleted', async () => {
    const agentId = await newAgent();
    const [baseline, later] = [await storedRun(agentId), await storedRun(agentId)];
    await setBaseline(agentId, baseline);
    const edited = await api.patch(`/api/v1/agents/${agentId}`, { name: 'Another name' });
    expect(edited.body).toMatchObject({ name: 'Another name', baseline_test_run_id: baseline });
    await api.delete(`/api/v1/agents/${agentId}`);
    expect((await api.get(`/api/v1/tests/${later}`)).body.baseline_test_run_id).toBeNull();
  });
});

describe('what cannot be a baseline', () => {
  test('404: an unknown agent, an unknown run', async () => {
    const agentId = await newAgent();
    const runId = await storedRun(agentId);
    for (const unknown of [randomUUID(), 'x']) {
      expect(await setBaseline(unknown, runId)).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
      expect(await api.delete(`/api/v1/agents/${unknown}/baseline`)).toMatchObject({
        status: 404,
        body: { error: 'Agent not found' },
      });
      expect(await setBaseline(agentId, unknown)).toMatchObject({
        status: 404,
        body: { error: expect.stringMatching(/^test_run_id: /) },
      });
    }
  });

  test('400: a run of another agent, or one that was canceled or failed', async () => {
    const agentId = await newAgent();
    expect(await setBaseline(agentId, await storedRun(randomUUID()))).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^test_run_id: .* Stored agent.*; name a run of this agent\.$/) },
    });
    for (const status of ['canceled', 'failed']) {
      expect(await setBaseline(agentId, await storedRun(agentId, status))).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(new RegExp(`^test_run_id: .* ${status}.*; name a completed run\\.$`)) },
      });
    }
    expect(await baselineOf(agentId)).toBeNull();
  });

  test.each([undefined, null, '', ' ', 7, ['x'], 'x'.repeat(201)])('400: test_run_id %j', async (given) => {
    expect(await setBaseline(await newAgent(), given)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('test_run_id') },
    });
  });

  test('409: a run that is under way', async () => {
    const agentId = await newAgent();
    const { body } = await api.post('/start-run', {
      agent_id: agentId,
      scenario_ids: await createScenarios(api, 1),
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(await setBaseline(agentId, body.id)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^test_run_id: .* is scheduled.*/) },
    });
    await api.post('/cancel-run', { test_run_id: body.id });
    await untilFinal(api, body.id);
  });
});
