import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const CONTENT = { script: 'The pain began an hour ago.', demographics: {}, chief_complaint: 'My chest hurts.' };

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());

async function create(name: string, content: object = {}): Promise<string> {
  const { status, body } = await api.post('/api/v1/scenarios', {
    name,
    content: { ...CONTENT, ...content },
    rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5, tags: [] }],
  });
  expect(status).toBe(201);
  return String(body.scenario_id);
}

describe('DELETE /api/v1/scenarios/{id}?purge=true', () => {
  const purge = (id: string) => api.delete(`/api/v1/scenarios/${id}?purge=true`);

  it('removes what nothing refers to, with its revisions, also when it is inactive already', async () => {
    const id = await create('Chest pain');
    await api.patch(`/api/v1/scenarios/${id}`, { content: { ...CONTENT, script: 'Another script.' } });
    await api.delete(`/api/v1/scenarios/${id}`);
    expect(await purge(id)).toMatchObject({ status: 204, body: null });
    expect((await api.get(`/api/v1/scenarios/${id}`)).status).toBe(404);
    expect((await api.get(`/api/v1/scenarios/${id}/revisions`)).status).toBe(404);
    expect(await purge(id)).toMatchObject({ status: 404, body: { error: 'Scenario not found' } });
  });

  it('says what refers to it, and leaves it as it is', async () => {
    const id = await create('Chest pain');
    const twin = await create('Heartburn', { twin_of: 'Chest pain' });
    const { body: suite } = await api.post('/api/v1/test-suites', { name: 'Gate', scenario_ids: [id] });
    const { body: agent } = await api.post('/api/v1/agents', {
      name: 'Agent',
      provider: 'openai',
      config: { base_url: 'http://127.0.0.1:9/v1', api_key: 'k' },
    });
    const start = { agent_id: agent.id, scenario_ids: [id], scheduled_at: '2199-01-01T00:00:00Z' };
    const { body: run } = await api.post('/start-run', start);
    const refusal =
      'This scenario cannot be deleted for good while it is referred to by 1 test run, the suite “Gate”, the twin “Heartburn”: delete or change those first.';
    expect(await purge(id)).toMatchObject({
      status: 409,
      body: { error: `${refusal} An ordinary deletion takes it out of lists and new runs.` },
    });
    expect((await api.get(`/api/v1/scenarios/${id}`)).body).toMatchObject({ is_active: true });
    await api.delete(`/api/v1/scenarios/${id}`);
    expect(await purge(id)).toMatchObject({
      status: 409,
      body: { error: `${refusal} Lists and new runs leave it out already.` },
    });
    await api.delete(`/api/v1/test-suites/${suite.id}`);
    await api.delete(`/api/v1/tests/${run.id}`);
    expect((await purge(twin)).status).toBe(204);
    expect((await purge(id)).status).toBe(204);
  });

  it.each([UNKNOWN_ID, 'nonsense'])('answers 404 for %s', async (id) => {
    expect((await purge(id)).body).toEqual({ error: 'Scenario not found' });
  });

  it('takes purge=false for what it says, and refuses another word', async () => {
    const id = await create('Chest pain');
    expect((await api.delete(`/api/v1/scenarios/${id}?purge=false`)).status).toBe(204);
    expect((await api.get(`/api/v1/scenarios/${id}`)).body).toMatchObject({ is_active: false });
    expect(await api.delete(`/api/v1/scenarios/${id}?purge=yes`)).toMatchObject({ status: 400 });
  });
});
