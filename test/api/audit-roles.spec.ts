import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';

const KEYS = {
  SERVICE_API_KEY: 'ward-office:0123456789abcdef0123456789abcdef',
  SERVICE_RUNNER_KEY: 'ci:1123456789abcdef0123456789abcdef',
  SERVICE_VIEWER_KEY: 'dashboard:2123456789abcdef0123456789abcdef',
};
const clientOf = (named: string) => new ApiClient(service.url, { 'x-api-key': named.replace(/^[^:]*:/, '') });

let service: TestService;
let admin: ApiClient;
let runner: ApiClient;
let viewer: ApiClient;
beforeAll(async () => {
  service = await startTestService(KEYS);
  admin = clientOf(KEYS.SERVICE_API_KEY);
  runner = clientOf(KEYS.SERVICE_RUNNER_KEY);
  viewer = clientOf(KEYS.SERVICE_VIEWER_KEY);
});
afterAll(() => service.close());

const recordsOf = async (who: string) => (await admin.get(`/api/v1/audit?limit=100&who=${who}`)).body;

it('Only an administrator reads the trail', async () => {
  for (const api of [viewer, runner]) {
    const { status, body } = await api.get('/api/v1/audit');
    expect({ status, body }).toMatchObject({ status: 403, body: { error: expect.stringContaining('admin') } });
  }
  expect((await admin.get('/api/v1/audit')).status).toBe(200);
});

it('A record names the key and its role, also of a change that the role may not make', async () => {
  const { body: agent } = await admin.post('/api/v1/agents', { name: 'A', provider: 'openai', config: { model: 'm' } });
  expect((await runner.post('/cancel-run', { id: agent.id })).status).toBe(404);
  expect((await runner.delete(`/api/v1/agents/${agent.id}`)).status).toBe(403);
  await eventually(async () => {
    expect((await recordsOf('ward-office')).records).toMatchObject([
      { who: 'ward-office', role: 'admin', outcome: 'done', resource_ids: [agent.id] },
    ]);
    expect((await recordsOf('ci')).records).toMatchObject([
      { who: 'ci', role: 'runner', route: '/api/v1/agents/{id}', resource_ids: [agent.id], status: 403, fields: [] },
      { who: 'ci', role: 'runner', route: '/cancel-run', status: 404, outcome: 'refused' },
    ]);
  });
});

it('Who tries all the time what its role may not cannot fill the trail', async () => {
  for (let batch = 0; batch < 30; batch += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => viewer.post('/api/v1/agents', { name: 'x' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
  }
  // Two minutes at the most, and what was changed meanwhile is recorded all the same.
  const { body: agent } = await admin.post('/api/v1/agents', { name: 'B', provider: 'openai', config: { model: 'm' } });
  await eventually(async () => {
    expect((await recordsOf('ward-office')).records[0]).toMatchObject({ resource_ids: [agent.id], status: 201 });
  });
  const { total } = await recordsOf('dashboard');
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(120);
});
