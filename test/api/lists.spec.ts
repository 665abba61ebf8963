import { AgentsStore } from '../../src/features/agents/agents.store';
import { ScenariosStore, type NewScenario } from '../../src/features/scenarios/scenarios.store';
import { TestSuitesStore } from '../../src/features/suites/test-suites.store';
import { ApiClient, type Answer } from '../setup/api-client';
import { eachAtOnce } from '../setup/at-once';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

const MANY = 1_500;
const TAGGED = 1_200;

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  const numbers = Array.from({ length: MANY }, (_, index) => index);
  await service.app.get(ScenariosStore).createAll(numbers.map(scenario));
  const agents = service.app.get(AgentsStore);
  const suites = service.app.get(TestSuitesStore);
  await eachAtOnce(numbers, async (index) => {
    const name = nameOf(index);
    await agents.create({ provider: 'openai', name, description: null, config: {} });
    await suites.create({ name, description: null, scenarioIds: [] });
  });
});
afterAll(() => service.close());

const nameOf = (index: number) => `Number ${String(index).padStart(4, '0')}`;
const scenario = (index: number): NewScenario => ({
  name: nameOf(index),
  category: 'cough',
  scenarioType: 'full',
  severity: 'medium',
  isActive: true,
  approved: true,
  priority: null,
  content: { script: 'You cough.', demographics: {}, chief_complaint: 'I cough.' },
  rubricCriteria: [],
  tags: index < TAGGED ? ['a & b'] : [],
});

const nextOf = ({ headers }: Answer): string | null =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;

describe.each([
  { path: '/api/v1/scenarios', itemsOf: ({ body }: Answer) => body.scenarios, hasTotal: true },
  { path: '/api/v1/test-suites', itemsOf: ({ body }: Answer) => body.test_suites, hasTotal: true },
  { path: '/api/v1/agents', itemsOf: ({ body }: Answer) => body, hasTotal: false },
])('GET $path of 1,500', ({ path, itemsOf, hasTotal }) => {
  const namesOf = (answer: Answer): string[] => itemsOf(answer).map(({ name }: { name: string }) => name);

  test('without a page answers the first 1,000, how many there are and where the next page is', async () => {
    const first = await api.get(path);
    expect(first.status).toBe(200);
    expect(itemsOf(first)).toHaveLength(1_000);
    expect(first.headers.get('x-total-count')).toBe(String(MANY));
    expect(hasTotal ? first.body.total : MANY).toBe(MANY);
    const next = nextOf(first);
    expect(next).toBe(`${path}?limit=1000&offset=1000`);
    const second = await api.get(next ?? '');
    expect(nextOf(second)).toBeNull();
    const names = [...namesOf(first), ...namesOf(second)];
    expect(names).toEqual(Array.from({ length: MANY }, (_, index) => nameOf(index)));
  });

  test('takes limit and offset, and follows itself by Link to the end', async () => {
    const page = await api.get(`${path}?limit=2&offset=3`);
    expect(namesOf(page)).toEqual([nameOf(3), nameOf(4)]);
    expect(page.headers.get('x-total-count')).toBe(String(MANY));
    let pages = 0;
    for (let at: string | null = `${path}?limit=400`; at !== null; pages += 1) at = nextOf(await api.get(at));
    expect(pages).toBe(4);
  });

  test('a limit that is too large is the largest; a page beyond the end is empty', async () => {
    expect(itemsOf(await api.get(`${path}?limit=100000`))).toHaveLength(1_000);
    const beyond = await api.get(`${path}?offset=5000`);
    expect(itemsOf(beyond)).toEqual([]);
    expect(beyond.headers.get('x-total-count')).toBe(String(MANY));
    expect(nextOf(beyond)).toBeNull();
  });

  test.each(['limit=0', 'limit=-1', 'limit=1.5', 'limit=many', 'offset=-1', 'offset=x'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await api.get(`${path}?${query}`);
      expect(status).toBe(400);
      expect(body.error).toContain(query.split('=')[0]);
    },
  );
});

test('pages of the scenarios with a tag keep the tag', async () => {
  const first = await api.get(`/api/v1/scenarios?tag=${encodeURIComponent('a & b')}`);
  expect(first.body).toMatchObject({ total: TAGGED });
  expect(first.body.scenarios).toHaveLength(1_000);
  const second = await api.get(nextOf(first) ?? '');
  expect(second.body).toMatchObject({ total: TAGGED });
  expect(second.body.scenarios).toHaveLength(TAGGED - 1_000);
});

test('a list that fits names no next page', async () => {
  const { body, headers } = await api.get('/api/v1/scenarios?tag=none');
  expect(body).toEqual({ scenarios: [], total: 0 });
  expect(headers.get('x-total-count')).toBe('0');
  expect(headers.get('link')).toBeNull();
});

test.each([
  { what: 'agents', listed: (said: { length: number }) => said },
  { what: 'scenarios', listed: ({ scenarios }: { scenarios: { length: number } }) => scenarios },
  { what: 'suites', listed: ({ test_suites }: { test_suites: { length: number } }) => test_suites },
])('osce $what list shows all of them', async ({ what, listed }) => {
  const { code, stdout } = await osce([what, 'list', '--json'], { url: service.url });
  expect(code).toBe(0);
  expect(listed(JSON.parse(stdout))).toHaveLength(MANY);
});
