import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { ApiDescription } from '../setup/api-description';
import { createAgent, createScenarios, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const EXAMPLE_ID = '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let description: ApiDescription;
/** A path for every operation with a body, so that nothing but the body is wrong with a request. */
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi();
  description = await ApiDescription.of(service.url);
  const [scenario = ''] = await createScenarios(api, 1, { tags: ['emergency'] });
  const { body: suite } = await api.post('/api/v1/test-suites', { name: 'Gate', scenario_ids: [scenario] });
  ids = { agents: await createAgent(api, agent.baseUrl), scenarios: scenario, 'test-suites': suite.id };
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

const withBodies = () => description.operations.filter(({ requestBody }) => requestBody !== undefined);

const pathOf = (path: string) =>
  path.replace(/([^/]+)\/\{[^}]+\}/g, (_, resource: string) => `${resource}/${ids[resource] ?? 'unknown'}`);

const send = (method: string, path: string, text: string) =>
  api.send(method, pathOf(path), { body: text, headers: { 'content-type': 'application/json' } });

describe('A body that the description forbids is refused', () => {
  it.each(['null', '[]', '"text"', '7', 'true'])('when it is %s instead of an object', async (text) => {
    for (const { method, path } of withBodies()) {
      const { status, body } = await send(method, path, text);
      expect({ path, status, body }).toEqual({
        path,
        status: 400,
        body: { error: expect.stringMatching(/^request: expected object, got /) },
      });
    }
  });

  it('when it is missing, unless the description says that it may be', async () => {
    const open: string[] = [];
    for (const { method, path, operationId, requestBody } of withBodies()) {
      const { status, body } = await api.send(method, pathOf(path), {});
      if (requestBody?.required === false) open.push(operationId);
      else
        expect({ path, status, body }).toMatchObject({
          path,
          status: 400,
          body: { error: expect.stringMatching(/is required|give either/) },
        });
    }
    expect(open.sort()).toEqual(['regradeTestRun', 'tryAgent']);
    const { body: run } = await api.post('/start-run', { agent_id: ids['agents'], scenario_ids: [ids['scenarios']] });
    await untilFinal(api, run.id);
    const regraded = await api.post(`/api/v1/tests/${run.id}/regrade`);
    expect(regraded).toMatchObject({ status: 200, body: { derived_from: run.id } });
    await untilFinal(api, regraded.body.id);
    expect((await api.post(`/api/v1/agents/${ids['agents']}/try`)).body).toMatchObject({ ok: true });
  });
});

it('every example of a body that the description gives is taken', async () => {
  for (const { method, path, operationId, requestBody } of withBodies()) {
    const schema = description.resolve(requestBody?.content['application/json']?.schema ?? {});
    // An agent of its own: the example of a change has the other one inactive.
    const asksForAgent = /^(startRun|createSchedule)/.test(operationId);
    const named = asksForAgent ? await createAgent(api, agent.baseUrl) : ids['scenarios'];
    const text = JSON.stringify(schema['example']).replaceAll(EXAMPLE_ID, named ?? '');
    const { status, body } = await send(method, path, text);
    // Of an example, only the ids are anybody's; and where no key is asked for, none can be made.
    const isTaken = status < 300 || status === 404 || (operationId === 'createKey' && status === 409);
    expect({ operationId, isTaken, body }).toMatchObject({
      operationId,
      isTaken: true,
    });
  }
});

it('a number in a query is read however a program writes it', async () => {
  expect((await api.get('/api/v1/agents?limit=1e2')).status).toBe(200);
  const { status, body } = await api.get('/api/v1/agents?limit=0.30000000000000004');
  expect({ status, body }).toEqual({ status: 400, body: { error: 'limit: expected a whole number, got a fraction' } });
  for (const given of ['', 'e5', '1e', '0x10', '1e5000', 'Infinity']) {
    expect((await api.get(`/api/v1/agents?limit=${given}`)).status).toBe(400);
  }
});
