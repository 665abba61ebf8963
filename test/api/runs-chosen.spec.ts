import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
const AGENTS = { one: randomUUID(), other: randomUUID() };
const SUITE = randomUUID();
const ids = new Map<string, string>();

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  const database = service.app.get(Database);
  const [id = ''] = await storeScenarios(database, ['Stored']);
  const store = async (name: string, columns: Readonly<Record<string, unknown>>, status = 'completed') => {
    const outcome = status === 'completed' ? 'passed' : 'canceled';
    const run = await storeGradedRun(database, [{ id, name: 'Stored', outcomes: [outcome] }], { status });
    const row = JSON.stringify({ name, ...columns });
    const changed = Object.keys({ name, ...columns }).join(', ');
    await database.query(
      `UPDATE test_runs SET (${changed}) = (SELECT ${changed} FROM json_populate_record(NULL::test_runs, $2)) WHERE id = $1`,
      [run, row],
    );
    ids.set(name, run);
  };
  await store('First', {
    agent_id: AGENTS.one,
    agent_version: 'v1',
    tags: ['gate'],
    created_at: '2026-01-10T12:00:00Z',
  });
  await store('Second', {
    agent_id: AGENTS.one,
    agent_version: 'v2',
    tags: ['gate', 'Größe 100%_'],
    note: 'For the BOARD.',
    test_suite_id: SUITE,
    created_at: '2026-01-11T12:00:00Z',
  });
  await store(
    'Third',
    { agent_id: AGENTS.other, agent_name: 'Evening line', created_at: '2026-01-12T12:00:00Z' },
    'canceled',
  );
});
afterAll(() => service.close());

const list = async (query: Readonly<Record<string, string>>) => {
  const { status, body } = await api.get(`/api/v1/tests?${new URLSearchParams(query).toString()}`);
  expect({ query, status }).toEqual({ query, status: 200 });
  expect(body.total).toBe(body.runs.length);
  return body.runs.map(({ name }: { name: string }) => name);
};

test.each<[Readonly<Record<string, string>>, readonly string[]]>([
  [{}, ['Third', 'Second', 'First']],
  [{ agent_id: AGENTS.one }, ['Second', 'First']],
  [{ agent_id: AGENTS.one.toUpperCase() }, ['Second', 'First']],
  [{ agent_id: randomUUID() }, []],
  [{ agent_id: 'no UUID' }, []],
  [{ agent_version: 'v2' }, ['Second']],
  [{ test_suite_id: SUITE }, ['Second']],
  [{ test_suite_id: 'no UUID' }, []],
  [{ tag: 'gate' }, ['Second', 'First']],
  [{ tag: 'Gate' }, []],
  [{ tag: 'gate', status: 'completed', agent_version: 'v1' }, ['First']],
  [{ from: '2026-01-11', to: '2026-01-12' }, ['Second']],
  [{ from: '2026-01-11T12:00:00Z' }, ['Third', 'Second']],
  [{ to: '2026-01-11T12:00:00Z' }, ['First']],
  [{ q: 'second' }, ['Second']],
  [{ q: 'the board' }, ['Second']],
  [{ q: 'EVENING' }, ['Third']],
  [{ q: 'v1' }, ['First']],
  // Nothing in it has a meaning of its own.
  [{ q: '100%_' }, ['Second']],
  [{ q: '%' }, ['Second']],
  [{ q: '_ate' }, []],
  [{ q: "'; DROP TABLE test_runs; --" }, []],
])('%j lists %j', async (query, names) => {
  expect(await list(query)).toEqual(names);
});

test('a run is found by its label, and a page of what was found says how many there are', async () => {
  const label: string = (await api.get(`/api/v1/tests/${ids.get('First') ?? ''}`)).body.test_run_id;
  expect(await list({ q: label.slice(4) })).toEqual(['First']);
  expect((await api.get('/api/v1/tests?tag=gate&limit=1&offset=1')).body).toMatchObject({
    runs: [{ name: 'First' }],
    total: 2,
  });
});

test.each([
  [{ from: 'yesterday' }, /from: expected a day such as/],
  [{ tag: '' }, /tag: must not be empty/],
  [{ q: 'x'.repeat(201) }, /q/],
])('%j is refused in a sentence that names the parameter', async (query, words) => {
  const { status, body } = await api.get(`/api/v1/tests?${new URLSearchParams(query).toString()}`);
  expect({ status, body }).toMatchObject({ status: 400, body: { error: expect.stringMatching(words) } });
});
