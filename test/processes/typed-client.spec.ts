import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createOsceClient, type OsceClient, type Answer } from '../../client';
import { OPERATIONS } from '../../contract/operations';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiDescription } from '../setup/api-description';
import { eventually } from '../setup/eventually';
import { GOOD_REPLY } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const ROOT = join(__dirname, '..', '..');
const KEY = 'key-of-the-client-with-types';

let service: TestService;
let agent: FakeAgent;
let osce: OsceClient;
beforeAll(async () => {
  service = await startTestService({ SERVICE_API_KEY: KEY });
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  osce = createOsceClient({ url: `${service.url}/`, apiKey: KEY });
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

describe('The typed client', () => {
  it('examines an agent from its registration to the evidence', async () => {
    const { data: registered } = await osce.POST('/api/v1/agents', {
      body: { name: 'Agent', provider: 'openai', config: { base_url: agent.baseUrl, api_key: 'sk-test' } },
    });
    const { data: scenario } = await osce.POST('/api/v1/scenarios', {
      body: {
        name: 'Chest pain',
        content: { script: 'It hurts.', chief_complaint: 'My chest hurts.' },
        rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5 }],
      },
    });
    const { data: started } = await osce.POST('/start-run', {
      body: { agent_id: registered?.id ?? '', scenario_ids: [scenario?.scenario_id ?? ''], max_turns: 5 },
    });
    const path = { id: started?.id ?? '' };
    await eventually(async () => {
      const { data } = await osce.GET('/api/v1/tests/{id}', { params: { path } });
      expect(data).toMatchObject({ status: 'completed', pass_rate: 100 });
    });
    const { data: list } = await osce.GET('/api/v1/scenario-runs', { params: { query: { test_run_id: path.id } } });
    const results: Answer<'listScenarioRuns'>['results'] = list?.results ?? [];
    expect(results.map(({ criteria_results }) => criteria_results?.[0]?.evidence[0]?.quote)).toEqual([GOOD_REPLY]);
  });

  it('hands out an error as what it is, and takes answers without a body', async () => {
    const path = { id: '00000000-0000-4000-8000-000000000000' };
    const { data, error, response } = await osce.GET('/api/v1/agents/{id}', { params: { path } });
    expect({ data, error, status: response.status }).toEqual({
      data: undefined,
      error: { error: 'Agent not found' },
      status: 404,
    });
    const { data: agents = [] } = await osce.GET('/api/v1/agents');
    const [{ id } = path] = agents;
    expect((await osce.DELETE('/api/v1/agents/{id}', { params: { path: { id } } })).response.status).toBe(204);
  });

  it('is refused without the key', async () => {
    const { error, response } = await createOsceClient({ url: service.url }).GET('/api/v1/agents');
    expect(response.status).toBe(401);
    expect(error?.error).toContain('X-API-Key');
  });
});

test('The compiler refuses what the API does not take', () => {
  const unsent: readonly (() => unknown)[] = [
    // @ts-expect-error there is no such path
    () => osce.GET('/api/v1/examinations'),
    // @ts-expect-error the path is read, not deleted
    () => osce.DELETE('/api/v1/agents'),
    // @ts-expect-error the id is missing
    () => osce.GET('/api/v1/tests/{id}'),
    // @ts-expect-error the query is missing
    () => osce.GET('/api/v1/scenario-runs'),
    // @ts-expect-error the body is missing
    () => osce.POST('/start-run'),
    // @ts-expect-error there is no such status
    () => osce.GET('/api/v1/tests', { params: { query: { status: 'finished' } } }),
    // @ts-expect-error turns are a number
    () => osce.POST('/start-run', { body: { agent_id: 'x', max_turns: 'six' } }),
    async () => {
      const { data, error } = await osce.GET('/api/v1/tests/{id}', { params: { path: { id: 'x' } } });
      // @ts-expect-error it is a number
      const rate: string | undefined = data?.pass_rate;
      // @ts-expect-error an error is a sentence
      return [rate, error?.code];
    },
  ];
  expect(unsent).toHaveLength(8);
});

test('The contract lists every operation that the service describes', () => {
  const described = new ApiDescription(JSON.parse(readFileSync(join(ROOT, 'client/openapi.json'), 'utf8')));
  const named = described.operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(named.sort());
});

test('client/openapi.json is what the service describes: npm run client writes it', async () => {
  await promisify(execFile)('npm', ['run', '--silent', 'client', '--', '--check'], { cwd: ROOT, timeout: 120_000 });
});
