import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { OFFLINE, storeGradedRun, storeScenarios } from '../setup/graded-run';
import { aReview } from '../setup/reviewed-runs';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());

/** What is answered to a request that finds a row which is being deleted, and is gone a moment later. */
async function answeredWhileDeleted(table: string, id: string, request: () => Promise<Answer>): Promise<Answer> {
  const deleting = new Client({ connectionString: service.database.adminUrl });
  await deleting.connect();
  try {
    await deleting.query('BEGIN');
    await deleting.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
    const answer = request();
    await eventually(async () => {
      const { rows } = await deleting.query(
        'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
      );
      expect(rows).not.toEqual([]);
    });
    await deleting.query('COMMIT');
    return await answer;
  } finally {
    await deleting.end();
  }
}

async function createdWebhook(): Promise<string> {
  const { body } = await api.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
  return String(body.id);
}

describe('what is deleted while it is asked for is not found', () => {
  test('a webhook that is to be tried', async () => {
    const id = await createdWebhook();
    const answer = await answeredWhileDeleted('webhooks', id, () => api.post(`/api/v1/webhooks/${id}/test`, {}));
    expect(answer).toMatchObject({ status: 404, body: { error: 'Webhook not found' } });
  });

  test('a delivery that is to be sent again', async () => {
    const id = await createdWebhook();
    const { body } = await api.post(`/api/v1/webhooks/${id}/test`, {});
    const again = (): Promise<Answer> => api.post(`/api/v1/webhook-deliveries/${body.id}/redeliver`, {});
    const answer = await answeredWhileDeleted('webhooks', id, again);
    expect(answer).toMatchObject({ status: 404, body: { error: 'Delivery not found' } });
  });

  test('a scenario run that is to be reviewed', async () => {
    const database = service.app.get(Database);
    const [scenario = ''] = await storeScenarios(database, ['Chest pain']);
    const marks = [{ criterion: 'Sends for an ambulance', tags: [], decision: 'MET', max_points: 5 }];
    const run = await storeGradedRun(database, [{ id: scenario, name: 'Chest pain', outcomes: ['passed'] }], {
      criteria: () => marks,
      metadata: OFFLINE,
    });
    const { body } = await api.get(`/api/v1/scenario-runs?test_run_id=${run}`);
    const [{ id }] = body.results;
    const answer = await answeredWhileDeleted('scenario_runs', id, () =>
      api.post(`/api/v1/scenario-runs/${id}/reviews`, aReview(['MET'])),
    );
    expect(answer).toMatchObject({ status: 404, body: { error: 'Scenario run not found' } });
  });
});
