import { Client } from 'pg';
import { Database } from '../../src/persistence/database';
import { RunsService } from '../../src/runs/runs.service';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let operator: Client;
let newRun: (scenarios?: number) => Promise<string>;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  const database = service.app.get(Database);
  const ids = await storeScenarios(
    database,
    Array.from({ length: 120 }, (_, place) => `Scenario ${place + 1}`),
  );
  newRun = (scenarios = 24) =>
    storeGradedRun(
      database,
      ids.slice(0, scenarios).map((id) => ({ id, name: id, outcomes: ['passed'] })),
    );
  operator = new Client({ connectionString: service.database.url });
  await operator.connect();
});
afterAll(async () => {
  await operator.end();
  await service.close();
});

/** Whoever reads has found the run by then, and waits for the scenarios' table. */
const untilItWaits = () =>
  eventually(async () => {
    const { rowCount } = await operator.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pg_blocking_pids(pid) <> '{}'`,
    );
    expect(rowCount).toBeGreaterThan(0);
  });

const GONE = { error: 'Test run not found' };

test.each([
  ['its statistics', (id: string) => `/api/v1/tests/${id}/statistics`],
  ['a page of its scenario runs', (id: string) => `/api/v1/scenario-runs?test_run_id=${id}`],
  ['an export that has not begun', (id: string) => `/api/v1/tests/${id}/export?format=json`],
  ['its report', (id: string) => `/api/v1/tests/${id}/report`],
])('of a run that is deleted while it is read, %s: not found', async (_what, pathOf) => {
  const id = await newRun();
  await operator.query('BEGIN; LOCK TABLE scenarios IN ACCESS EXCLUSIVE MODE');
  const asked = api.get(pathOf(id));
  await untilItWaits();
  await operator.query('DELETE FROM test_runs WHERE id = $1', [id]);
  await operator.query('DELETE FROM scenario_runs WHERE test_run_id = $1 AND position <= 12', [id]);
  await operator.query('COMMIT');
  expect(await asked).toMatchObject({ status: 404, body: GONE });
});

test.each([
  ['before', 'before: test run not found'],
  ['after', 'Test run not found'],
])('of a comparison whose run %s is deleted while it is read: not found', async (which, error) => {
  const runs = { before: await newRun(), after: await newRun() };
  const gone = which === 'before' ? runs.before : runs.after;
  await operator.query('BEGIN; LOCK TABLE scenarios IN ACCESS EXCLUSIVE MODE');
  const asked = api.get(`/api/v1/tests/${runs.after}/comparison?before=${runs.before}`);
  await untilItWaits();
  await operator.query('DELETE FROM test_runs WHERE id = $1', [gone]);
  await operator.query('DELETE FROM scenario_runs WHERE test_run_id = $1', [gone]);
  await operator.query('COMMIT');
  expect(await asked).toMatchObject({ status: 404, body: { error } });
});

test('an export that is under way breaks off, and is no whole file with a hole', async () => {
  const id = await newRun(120);
  const exported = service.app.get(RunsService).eachScenarioRun(id);
  expect((await exported.next()).done).toBe(false);
  await api.delete(`/api/v1/tests/${id}`);
  const rest = (async () => {
    let more = 0;
    for await (const _run of exported) more += 1;
    return more;
  })();
  await expect(rest).rejects.toThrow('Test run not found');
});
