import { request, type ClientRequest } from 'node:http';
import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { keyVariables, KEYS } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let operator: Client;
let before: string;
let after: string;
beforeAll(async () => {
  service = await startTestService({ ...keyVariables(), DATABASE_POOL_SIZE: '40' });
  const database = service.app.get(Database);
  const [id = ''] = await storeScenarios(database, ['Scenario']);
  before = await storeGradedRun(database, [{ id, name: 'Scenario', outcomes: ['passed'] }]);
  after = await storeGradedRun(database, [{ id, name: 'Scenario', outcomes: ['passed'] }]);
  operator = new Client({ connectionString: service.database.url });
  await operator.connect();
});
afterAll(async () => {
  await operator.end();
  await service.close();
});

const comparison = (): string => `/api/v1/tests/${after}/comparison?before=${before}`;
const reviewQueue = (): string => `/api/v1/tests/${after}/review-queue`;

function ask(path: string): ClientRequest {
  const asked = request(service.url + path, { headers: { 'x-api-key': KEYS.viewer } });
  asked.on('error', () => undefined).end();
  return asked;
}

const statusOf = (asked: ClientRequest): Promise<number | undefined> =>
  new Promise((resolve) => asked.once('response', (answer) => resolve(answer.resume().statusCode)));

/** Sessions that wait for the table that is locked, with such a query. */
async function waiting(query: string): Promise<number> {
  await operator.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await operator.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
    [query],
  );
  return rows.length;
}

test.each<[string, () => string, string]>([
  ['comparisons', comparison, '%t.label AS test_run_id%'],
  ['review queues', reviewQueue, '%last.disagreements, 0)%'],
])(
  'a key that asks for many %s at a time waits in a line of its own, which those leave who have gone',
  async (_, path, query) => {
    await operator.query('BEGIN; LOCK TABLE scenario_runs IN ACCESS EXCLUSIVE MODE');
    const first = [ask(path()), ask(path())];
    const answers = first.map(statusOf);
    await eventually(async () => expect(await waiting(query)).toBeGreaterThanOrEqual(2));
    const busy = await waiting(query);
    const gone = [ask(path()), ask(path()), ask(path())];
    const last = ask(path());
    const lastAnswer = statusOf(last);
    // Whoever else asks is answered, and by then those others have arrived.
    for (let round = 0; round < 20; round += 1) {
      expect((await new ApiClient(service.url, { 'x-api-key': KEYS.viewer }).get('/api/v1/me')).status).toBe(200);
    }
    expect(await waiting(query)).toBe(busy);
    for (const one of gone) one.destroy();
    await operator.query('COMMIT');
    expect(await Promise.all([...answers, lastAnswer])).toEqual([200, 200, 200]);
  },
);
