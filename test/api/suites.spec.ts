import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let api: ApiClient;
let first: string;
let second: string;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  first = await createScenario('First');
  second = await createScenario('Second');
});
afterAll(() => service.close());

async function createScenario(name: string): Promise<string> {
  const content = { script: 'You cough.', demographics: {}, chief_complaint: 'I cough.' };
  return String((await api.post('/api/v1/scenarios', { name, content })).body.scenario_id);
}

async function createSuite(changes: object = {}): Promise<{ id: string }> {
  const asked = { name: 'Release gate', scenario_ids: [second, first], ...changes };
  const { status, body } = await api.post('/api/v1/test-suites', asked);
  expect(status).toBe(201);
  const suite: { id: string } = body;
  return suite;
}

describe('POST /api/v1/test-suites', () => {
  it('answers 201 with the suite, its scenarios in the order given', async () => {
    const suite = await createSuite({ description: 'Before every release' });
    expect(suite).toEqual({
      id: expect.stringMatching(UUID),
      name: 'Release gate',
      description: 'Before every release',
      scenario_ids: [second, first],
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect((await api.get(`/api/v1/test-suites/${suite.id}`)).body).toEqual(suite);
  });

  it('writes ids in lower case and each scenario once', async () => {
    const suite = await createSuite({ scenario_ids: [first.toUpperCase(), second, first] });
    expect(suite).toMatchObject({ description: null, scenario_ids: [first, second] });
    expect((await api.get(`/api/v1/test-suites/${suite.id}`)).body).toEqual(suite);
  });

  it('takes deleted scenarios: they exist', async () => {
    const gone = await createScenario('Gone');
    await api.delete(`/api/v1/scenarios/${gone}`);
    expect(await createSuite({ scenario_ids: [gone] })).toMatchObject({ scenario_ids: [gone] });
  });

  it('refuses scenarios that do not exist, naming them', async () => {
    const { status, body } = await api.post('/api/v1/test-suites', {
      name: 'Wrong',
      scenario_ids: [first, UNKNOWN_ID, 'nonsense'],
    });
    expect(status).toBe(400);
    expect(body).toEqual({ error: `scenario_ids: no such scenario: ${UNKNOWN_ID}, nonsense` });
  });

  it.each([
    [{ scenario_ids: undefined }, 'scenario_ids: is required'],
    [{ scenario_ids: 'all' }, 'scenario_ids: expected a list, got string'],
    [{ scenario_ids: [7] }, 'scenario_ids[0]: expected string, got number'],
    [{ name: undefined }, 'name: is required'],
    [{ name: '' }, 'name: must not be empty'],
    [{ description: [] }, 'description: expected string, got a list'],
  ])('refuses %j', async (changes, error) => {
    const { status, body } = await api.post('/api/v1/test-suites', { name: 'x', scenario_ids: [], ...changes });
    expect(status).toBe(400);
    expect(body).toEqual({ error });
  });
});

describe('GET /api/v1/test-suites', () => {
  it('lists { test_suites, total } by name', async () => {
    const own = await startTestService();
    const client = new ApiClient(own.url);
    expect((await client.get('/api/v1/test-suites')).body).toEqual({ test_suites: [], total: 0 });
    for (const name of ['b', 'a', 'c']) await client.post('/api/v1/test-suites', { name, scenario_ids: [] });
    const { status, body } = await client.get('/api/v1/test-suites');
    expect(status).toBe(200);
    expect(body.total).toBe(3);
    const suites: { name: string }[] = body.test_suites;
    expect(suites.map((suite) => suite.name)).toEqual(['a', 'b', 'c']);
    await own.close();
  });
});

describe('PATCH /api/v1/test-suites/{id}', () => {
  it('changes what is named and leaves the rest', async () => {
    const suite = await createSuite();
    const { status, body } = await api.patch(`/api/v1/test-suites/${suite.id}`, { scenario_ids: [first] });
    expect(status).toBe(200);
    expect(body).toEqual({ ...suite, scenario_ids: [first], updated_at: body.updated_at });
    expect((await api.patch(`/api/v1/test-suites/${suite.id}`, { name: 'Renamed' })).body.scenario_ids).toEqual([
      first,
    ]);
  });

  it('refuses scenarios that do not exist, and changes nothing', async () => {
    const suite = await createSuite();
    const { status, body } = await api.patch(`/api/v1/test-suites/${suite.id}`, {
      name: 'Changed',
      scenario_ids: [UNKNOWN_ID],
    });
    expect(status).toBe(400);
    expect(body.error).toContain(UNKNOWN_ID);
    expect((await api.get(`/api/v1/test-suites/${suite.id}`)).body).toEqual(suite);
  });
});

describe('DELETE /api/v1/test-suites/{id}', () => {
  it('answers 204; then the suite is 404 and its scenarios stay', async () => {
    const { id } = await createSuite();
    expect(await api.delete(`/api/v1/test-suites/${id}`)).toMatchObject({ status: 204, body: null });
    expect((await api.delete(`/api/v1/test-suites/${id}`)).status).toBe(404);
    expect((await api.get(`/api/v1/scenarios/${first}`)).status).toBe(200);
  });
});

describe.each([UNKNOWN_ID, 'nonsense', '%00'])('/api/v1/test-suites/%s', (id) => {
  it('is 404 to GET, PATCH and DELETE', async () => {
    const path = `/api/v1/test-suites/${id}`;
    const answers = [await api.get(path), await api.patch(path, { name: 'x' }), await api.delete(path)];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { error: expect.stringMatching(/not found/i) } });
    }
  });
});
