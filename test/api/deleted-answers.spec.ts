import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Database } from '../../src/platform/database/database';
import { startHttpStub } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios } from '../setup/examination';
import { OFFLINE, storeGradedRun, storeScenarios } from '../setup/graded-run';
import { aReview, conversationsOf } from '../setup/reviewed-runs';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
let agentId: string;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  agentId = await createAgent(api, 'http://127.0.0.1:9/v1');
  await createScenarios(api, 1);
});
afterAll(() => service.close());

const PRIVATE = 'Patient Bernadette, room 12';
const MARKS = [{ criterion: 'Asks when it began', tags: [], decision: 'MET', max_points: 3 }];

const postWith = (key: string, path: string, body: object): Promise<Answer> => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return api.send('POST', path, { headers, body: JSON.stringify(body) });
};
const kept = async (): Promise<string> =>
  JSON.stringify(await database.query('SELECT answer::text FROM idempotency_keys'));
const GONE = {
  status: 409,
  body: { error: 'What this Idempotency-Key made was deleted meanwhile: to make it again, send a new key.' },
};

async function storedRun(): Promise<string> {
  const [scenario = ''] = await storeScenarios(database, ['Chest pain']);
  return storeGradedRun(database, [{ id: scenario, name: 'Chest pain', outcomes: ['passed'] }], {
    criteria: () => MARKS,
    metadata: OFFLINE,
  });
}

test('a deleted run leaves nothing of its reviews in kept answers, and a repeated request is told that it is gone', async () => {
  const run = await storedRun();
  const [conversation] = await conversationsOf(database, run);
  const key = randomUUID();
  const path = `/api/v1/scenario-runs/${conversation}/reviews`;
  const body = aReview(['MET'], { comment: PRIVATE });
  expect((await postWith(key, path, body)).status).toBe(201);
  expect(await kept()).toContain(PRIVATE);
  await api.delete(`/api/v1/tests/${run}`);
  expect(await kept()).not.toContain(PRIVATE);
  expect(await postWith(key, path, body)).toMatchObject(GONE);
});

test('so does a run that was too old, whatever deletes it', async () => {
  const run = await storedRun();
  const [conversation] = await conversationsOf(database, run);
  await postWith(randomUUID(), `/api/v1/scenario-runs/${conversation}/reviews`, aReview(['MET'], { comment: PRIVATE }));
  await database.query('DELETE FROM test_runs WHERE id = $1', [run]);
  expect(await kept()).not.toContain(PRIVATE);
});

test.each([
  ['suite', '/api/v1/test-suites', () => ({ name: PRIVATE, scenario_ids: [] }), 'id', ''],
  [
    'schedule',
    '/api/v1/schedules',
    () => ({ name: PRIVATE, run: { agent_id: agentId }, cron: '0 3 1 1 *', time_zone: 'UTC' }),
    'id',
    '',
  ],
  ['calibration', '/api/v1/calibrations', () => ({ name: PRIVATE, starter_set: true }), 'id', ''],
  [
    'scenario, for good',
    '/api/v1/scenarios',
    () => ({
      name: PRIVATE,
      category: 'emergency',
      content: { script: 'It hurts.', demographics: { age: 40 }, chief_complaint: 'Pain.' },
      rubric_criteria: [{ criterion: 'Asks when it began', points: 1 }],
    }),
    'scenario_id',
    '?purge=true',
  ],
])('a deleted %s leaves nothing either', async (_what, path, bodyOf, idField, query) => {
  const key = randomUUID();
  const made = await postWith(key, path, bodyOf());
  expect(made.status).toBe(201);
  expect((await api.delete(`${path}/${made.body[idField]}${query}`)).status).toBe(204);
  expect(await kept()).not.toContain(PRIVATE);
  expect(await postWith(key, path, bodyOf())).toMatchObject(GONE);
});

test('what webhooks were to be told of a deleted run is deleted and not sent any more', async () => {
  const run = await storedRun();
  const { body: webhook } = await api.post('/api/v1/webhooks', {
    url: 'http://127.0.0.1:9/',
    events: ['test_run.finished'],
  });
  await database.query(
    `INSERT INTO webhook_deliveries (webhook_id, type, test_run_id, payload, next_attempt_at)
     VALUES ($1, 'test_run.finished', $2, $3, now() + interval '1 hour')`,
    [webhook.id, run, JSON.stringify({ data: { name: PRIVATE } })],
  );
  await api.delete(`/api/v1/tests/${run}`);
  await eventually(async () => {
    expect((await api.get(`/api/v1/webhooks/${webhook.id}`)).body.deliveries).toEqual([]);
  });
});

test('a delivery that is under way when its run is deleted is not tried again, on this process or another', async () => {
  const held: ServerResponse[] = [];
  const receiver = await startHttpStub((response) => void held.push(response));
  const other = await startTestService({}, { database: service.database });
  try {
    const run = await storedRun();
    const { body: webhook } = await api.post('/api/v1/webhooks', {
      url: `${receiver.origin}/told`,
      events: ['test_run.finished'],
    });
    await database.query(
      `INSERT INTO webhook_deliveries (webhook_id, type, test_run_id, payload) VALUES ($1, 'test_run.finished', $2, $3)`,
      [webhook.id, run, JSON.stringify({ data: { name: PRIVATE } })],
    );
    await eventually(() => expect(held.length).toBe(1));
    await new ApiClient(other.url).delete(`/api/v1/tests/${run}`);
    held[0]?.writeHead(500).end();
    await eventually(async () => {
      expect(await database.query('SELECT payload FROM webhook_deliveries WHERE test_run_id = $1', [run])).toEqual([]);
    });
    const { body } = await api.get(`/api/v1/webhooks/${webhook.id}`);
    expect(body).toMatchObject({ is_active: true, deliveries: [] });
    expect(held).toHaveLength(1);
  } finally {
    for (const response of held) response.end();
    await other.close();
    await receiver.close();
  }
});
