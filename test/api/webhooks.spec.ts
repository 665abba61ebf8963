import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { WebhookTimes } from '../../src/features/webhooks/webhook-sender';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startHttpStub, type HttpStub, type Step, type StubRequest } from '../fakes/http-stub';
import { drip, hang, resetBeforeAnswer, status } from '../fakes/misbehaviour';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { shorter, startTestService, type TestService } from '../setup/service';
import { startServiceProcess } from '../setup/service-process';

const RUN_UNREADABLE = 'The test run could not be read; this is tried again within a minute.';

let service: TestService;
let second: TestService;
let api: ApiClient;
let agent: FakeAgent;
let receiver: HttpStub;
let observer: Client;
let agentId: string;
let scenarioIds: string[];

beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({}, { database: service.database });
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  agentId = await createAgent(api, agent.baseUrl);
  scenarioIds = await createScenarios(api, 1);
  observer = new Client({ connectionString: service.database.url });
  await observer.connect();
});
afterAll(async () => {
  await observer.end();
  await second.close();
  await service.close();
  await agent.close();
});
beforeEach(async () => {
  receiver = await startHttpStub((response) => response.writeHead(204).end());
});
afterEach(async () => {
  for (const { id } of (await api.get('/api/v1/webhooks')).body.webhooks) await api.delete(`/api/v1/webhooks/${id}`);
  await receiver.close();
});

async function addWebhook(fields: object = {}): Promise<Answer['body']> {
  const { status, body } = await api.post('/api/v1/webhooks', { url: `${receiver.origin}/hook?from=osce`, ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

const startRun = async (fields: object = {}): Promise<string> =>
  (await api.post('/start-run', { agent_id: agentId, scenario_ids: scenarioIds, max_turns: 5, ...fields })).body.id;
const deliveriesOf = async (id: string): Promise<Answer['body'][]> =>
  (await api.get(`/api/v1/webhooks/${id}`)).body.deliveries;
/** What waits for its time need not wait for it here. */
const hurry = () => observer.query(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE claim IS NULL`);
const bodyOf = ({ body }: StubRequest): Answer['body'] => body;
/** Whether whoever has the secret takes the newest message, by the verifier that Standard Webhooks publish. */
function verifiedBy(secret: string): boolean {
  const request = receiver.requests.at(-1);
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const signature = Object.fromEntries(names.map((name) => [name, String(request?.headers[name])]));
  try {
    new Webhook(secret).verify(JSON.stringify(request?.body), signature);
    return true;
  } catch {
    return false;
  }
}
const idOf = ({ headers }: StubRequest) => headers['webhook-id'];

async function tested(webhookId: string): Promise<Answer['body']> {
  const { body } = await api.post(`/api/v1/webhooks/${webhookId}/test`);
  let delivery: Answer['body'];
  await eventually(async () => {
    delivery = (await deliveriesOf(webhookId)).find(({ id }) => id === body.id);
    expect(delivery.last_attempt_at).not.toBeNull();
    expect(delivery.last_error ?? delivery.delivered_at).not.toBeNull();
  });
  return delivery;
}

describe('a webhook', () => {
  it('shows its secret when it is created, and never again', async () => {
    const { id, secret, ...rest } = await addWebhook({ description: 'CI' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rest).toMatchObject({
      url: `${receiver.origin}/hook?from=osce`,
      description: 'CI',
      events: [
        'test_run.finished',
        'comparison.worse',
        'schedule.gate_failed',
        'schedule.gate_undecided',
        'schedule.start_failed',
      ],
      is_active: true,
      disabled_reason: null,
    });
    const said = [
      await api.get('/api/v1/webhooks'),
      await api.get(`/api/v1/webhooks/${id}`),
      await api.patch(`/api/v1/webhooks/${id}`, { description: 'Else' }),
    ];
    expect(JSON.stringify(said.map(({ body }) => body))).not.toContain(secret);
    expect(said[2]?.body).toMatchObject({ secret: 'whsec_••••••••', description: 'Else' });
  });

  it('is answered anew to who has read it before, once something became of a delivery; a change goes by the webhook alone', async () => {
    const { id } = await addWebhook();
    const path = `/api/v1/webhooks/${id}`;
    const etag = String((await api.get(path)).headers.get('etag'));
    const known = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await api.get(path, known)).status).toBe(304);
    await tested(id);
    const again = await api.get(path, known);
    expect(again).toMatchObject({ status: 200, body: { deliveries: [{ status: 'delivered' }] } });
    const changing = (fields: object) =>
      api.send('PATCH', path, {
        body: JSON.stringify(fields),
        headers: { 'content-type': 'application/json', 'if-match': etag },
      });
    expect((await changing({ description: 'Else' })).status).toBe(200);
    expect((await changing({ description: 'Not as read' })).status).toBe(412);
  });

  it.each([
    ['not an address', 'url: must be an address such as https://ci.example.org/hook'],
    ['ftp://127.0.0.1/', 'url: must begin with http or https'],
    ['http://me:pw@127.0.0.1/', 'url: must hold no user name and password: receivers know us by the signature'],
    ['http://169.254.169.254/latest', expect.stringMatching(/^url: The address 169\.254\.169\.254:80 leads to/)],
  ])('at %s is refused', async (url, error) => {
    expect(await api.post('/api/v1/webhooks', { url })).toMatchObject({ status: 400, body: { error } });
    const { id } = await addWebhook();
    expect(await api.patch(`/api/v1/webhooks/${id}`, { url })).toMatchObject({ status: 400, body: { error } });
  });

  it('gets another secret, and for a day signs with the one before it too', async () => {
    const { id, secret: first } = await addWebhook();
    const { status: code, body, headers } = await api.post(`/api/v1/webhooks/${id}/rotate-secret`);
    expect({ code, store: headers.get('cache-control') }).toEqual({ code: 200, store: 'no-store' });
    expect(body.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(body.secret).not.toBe(first);
    const hours = (Date.parse(body.previous_secret_expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThanOrEqual(24.1);
    expect(JSON.stringify((await api.get(`/api/v1/webhooks/${id}`)).body)).not.toContain(body.secret);
    await tested(id);
    expect(verifiedBy(first)).toBe(true);
    expect(verifiedBy(body.secret)).toBe(true);
    expect(verifiedBy(`whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false);

    const { body: again } = await api.post(`/api/v1/webhooks/${id}/rotate-secret`);
    await tested(id);
    expect([first, body.secret, again.secret].map(verifiedBy)).toEqual([false, true, true]);

    await observer.query(`UPDATE webhooks SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1`, [
      id,
    ]);
    await tested(id);
    expect([first, body.secret, again.secret].map(verifiedBy)).toEqual([false, false, true]);
    expect((await api.get(`/api/v1/webhooks/${id}`)).body.previous_secret_expires_at).toBeNull();
  });

  it('may not lead to the service itself', async () => {
    const { status, body } = await api.post('/api/v1/webhooks', { url: `${service.url}/cancel-run` });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: expect.stringContaining('this service') } });
  });

  it('is one of fifty at most', async () => {
    for (let count = 0; count < 50; count += 1) await addWebhook({ is_active: false });
    expect(await api.post('/api/v1/webhooks', { url: receiver.origin })).toMatchObject({
      status: 409,
      body: { error: 'There are 50 webhooks already, as many as may be: delete one first.' },
    });
  });
});

describe('test_run.finished', () => {
  it('is told once of each run, by whichever process, signed as Standard Webhooks say', async () => {
    const webhook = await addWebhook({ events: ['test_run.finished'] });
    const run = await untilFinal(api, await startRun({ name: 'Nightly' }));
    await receiver.until(() => receiver.requests.length > 0);
    const [told] = receiver.requests;
    if (told === undefined) throw new Error('Nothing was told.');
    expect(told).toMatchObject({ method: 'POST', path: '/hook?from=osce' });
    expect(told.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^agent-osce\//),
    });
    const headers = Object.fromEntries(Object.entries(told.headers).map(([name, value]) => [name, String(value)]));
    expect(new Webhook(webhook.secret).verify(JSON.stringify(told.body), headers)).toEqual(told.body);
    expect(() => new Webhook('whsec_' + 'A'.repeat(43) + '=').verify(JSON.stringify(told.body), headers)).toThrow();
    expect(told.body).toEqual({
      type: 'test_run.finished',
      timestamp: run.completed_at,
      data: {
        test_run: {
          id: run.id,
          test_run_id: run.test_run_id,
          name: 'Nightly',
          status: 'completed',
          agent_id: agentId,
          agent_name: 'Agent under test',
          agent_version: null,
          pass_rate: 100,
          graded_pass_rate: run.graded_pass_rate,
          counts: { passed: 1, failed: 0, error: 0, canceled: 0, total: 1 },
          started_at: run.started_at,
          completed_at: run.completed_at,
        },
        links: { test_run: `/api/v1/tests/${run.id}`, page: `/runs/${run.id}`, not_passed: [] },
      },
    });
    await eventually(async () => {
      expect(await deliveriesOf(webhook.id)).toEqual([
        expect.objectContaining({
          id: idOf(told),
          type: 'test_run.finished',
          test_run_id: run.id,
          status: 'delivered',
          attempts: 1,
          last_status_code: 204,
          last_error: null,
        }),
      ]);
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('is told of failed and canceled runs too; of nothing there is no rate', async () => {
    await addWebhook();
    const failing = await startRun({ agent_id: await createAgent(api, 'http://127.0.0.1:9') });
    const canceled = await startRun({ scheduled_at: '2099-01-01T00:00:00Z' });
    await api.post('/cancel-run', { test_run_id: canceled });
    await untilFinal(api, failing);
    await receiver.until(() => receiver.requests.length === 2);
    const runs = receiver.requests.map((request) => bodyOf(request).data.test_run);
    expect(runs.find(({ id }) => id === failing)).toMatchObject({
      status: 'failed',
      pass_rate: null,
      graded_pass_rate: null,
      counts: { error: 1 },
    });
    expect(runs.find(({ id }) => id === canceled)).toMatchObject({ status: 'canceled', counts: { canceled: 1 } });
  });

  it('is not told to who did not ask, or is switched off', async () => {
    const others = [await addWebhook({ events: ['comparison.worse'] }), await addWebhook({ is_active: false })];
    const asked = await addWebhook();
    await untilFinal(api, await startRun());
    await eventually(async () => expect(await deliveriesOf(asked.id)).toHaveLength(1));
    for (const { id } of others) expect(await deliveriesOf(id)).toEqual([]);
  });

  it('is not told of a run that was deleted meanwhile', async () => {
    const { id } = await addWebhook();
    await observer.query(
      `INSERT INTO webhook_deliveries (webhook_id, type, test_run_id) VALUES ($1, 'test_run.finished', gen_random_uuid())`,
      [id],
    );
    await eventually(async () => {
      expect(await deliveriesOf(id)).toEqual([
        expect.objectContaining({ status: 'failed', last_error: 'The test run was deleted before this was sent.' }),
      ]);
    });
    expect(receiver.requests).toEqual([]);
  });
});

function wait(times: Partial<WebhookTimes>): void {
  for (const { app } of [service, second]) shorter(WebhookTimes, times)(app);
}

/** A delivery fails as expected, and is then sent again, with the same id and body, to a receiver that has its usual time. */
async function meets(step: Step, expected: object): Promise<void> {
  const { id } = await addWebhook();
  receiver.next(step);
  const failed = await tested(id);
  expect(failed).toMatchObject({ status: 'pending', attempts: 1, ...expected });
  wait(new WebhookTimes());
  const waits = new Date(failed.next_attempt_at).getTime() - new Date(failed.last_attempt_at).getTime();
  expect(waits).toBeGreaterThan(4_000);
  await hurry();
  await eventually(async () => expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 2 }]));
  const [first, again] = receiver.requests;
  expect(again?.body).toEqual(first?.body);
  expect(receiver.requests.map(idOf)).toEqual([failed.id, failed.id]);
}

describe('a delivery', () => {
  it.each([
    ['an error', () => status(500, 'No.'), { last_status_code: 500, last_error: 'The receiver answered 500.' }],
    [
      'a redirect',
      () => status(307, '', { location: 'http://169.254.169.254/' }),
      { last_status_code: 307, last_error: expect.stringContaining('a redirect, which is not followed') },
    ],
    [
      'a reset',
      () => resetBeforeAnswer(),
      { last_status_code: null, last_error: expect.stringContaining('ECONNRESET') },
    ],
  ])('that meets %s is sent again, with the same id and body', async (_, step, expected) => {
    await meets(step(), expected);
  });

  it('whose run cannot be read at the moment waits half a minute and says so; that is no attempt', async () => {
    const runId = await startRun();
    await untilFinal(api, runId);
    const { id } = await addWebhook();
    await observer.query('ALTER TABLE test_runs RENAME TO test_runs_out_of_reach');
    try {
      await observer.query(
        `INSERT INTO webhook_deliveries (webhook_id, type, test_run_id) VALUES ($1, 'test_run.finished', $2)`,
        [id, runId],
      );
      await eventually(async () => {
        const [delivery] = await deliveriesOf(id);
        expect(delivery).toMatchObject({ status: 'pending', attempts: 0, last_error: RUN_UNREADABLE });
      });
    } finally {
      await observer.query('ALTER TABLE test_runs_out_of_reach RENAME TO test_runs');
    }
    expect(receiver.requests).toEqual([]);
    await hurry();
    await eventually(async () => expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]));
  });

  describe('to a receiver that takes too long', () => {
    it.each([
      ['to answer', hang()],
      ['to end its answer', drip()],
    ])('%s is sent again, with the same id and body', async (_, step) => {
      wait({ answersWithinMs: 500 });
      await meets(step, { last_status_code: null, last_error: 'The receiver did not answer within 0.5 s.' });
    });
  });

  it('is given up after ten attempts, and sent again when somebody asks', async () => {
    const { id } = await addWebhook();
    receiver.next(...Array.from({ length: 3 }, () => status(503, 'Not now.')));
    await tested(id);
    // As if seven more had followed.
    await observer.query(
      `UPDATE webhook_deliveries SET attempts = 8, next_attempt_at = now() WHERE webhook_id = $1 AND claim IS NULL`,
      [id],
    );
    await eventually(async () => expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 9 }]));
    await eventually(async () => {
      await hurry();
      expect(await deliveriesOf(id)).toMatchObject([{ status: 'failed', attempts: 10, next_attempt_at: null }]);
    });
    expect(receiver.requests).toHaveLength(3);
    const [{ id: deliveryId }] = (await deliveriesOf(id)) as [{ id: string }];
    expect(await api.post(`/api/v1/webhook-deliveries/${deliveryId}/redeliver`)).toMatchObject({ status: 202 });
    await eventually(async () => expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]));
    expect(new Set(receiver.requests.map(idOf)).size).toBe(1);
  });

  it('that meets 410 switches its webhook off, until somebody switches it on', async () => {
    const { id } = await addWebhook();
    receiver.next(status(410, 'Gone.'));
    expect(await tested(id)).toMatchObject({ status: 'failed', attempts: 1, last_status_code: 410 });
    expect((await api.get(`/api/v1/webhooks/${id}`)).body).toMatchObject({
      is_active: false,
      disabled_reason: expect.stringContaining('answered 410'),
    });
    expect((await api.post(`/api/v1/webhooks/${id}/test`)).status).toBe(409);
    expect((await api.patch(`/api/v1/webhooks/${id}`, { is_active: true })).body).toMatchObject({
      is_active: true,
      disabled_reason: null,
    });
  });

  it('is delivered whatever the answer holds: only its beginning is read and shown, without our secret', async () => {
    const { id, secret } = await addWebhook();
    receiver.next((response) => response.writeHead(200).end('x'.repeat(5_000_000)));
    expect(await tested(id)).toMatchObject({ status: 'delivered', last_status_code: 200 });
    receiver.next((response) => response.writeHead(400).end(`${secret} \u0000\u001b[31m ${'y'.repeat(5_000_000)}`));
    const refused = await tested(id);
    expect(refused).toMatchObject({
      last_status_code: 400,
      response_excerpt: expect.stringMatching(/^\[removed\] \ufffd/),
    });
    expect(refused.response_excerpt).toHaveLength(200);
  });

  it('shows nothing of its address in what the receiver says back, as written, decoded or escaped', async () => {
    const path = '/in/Q7x%2Fa9"Zk?to=night%20desk%207';
    const { body } = await api.post('/api/v1/webhooks', { url: receiver.origin + path });
    receiver.next((response, request) => {
      const said = decodeURIComponent(request.path);
      const page = `<pre>Cannot POST ${said.replaceAll('"', '&quot;')}</pre> ${request.path} ${JSON.stringify({ said })}`;
      response.writeHead(404, { 'content-type': 'text/html' }).end(page);
    });
    expect((await tested(body.id)).response_excerpt).toBe(
      '<pre>Cannot POST [removed]</pre> [removed] {"said":"[removed]"}',
    );
  });

  it('does not wait for another webhook that never answers', async () => {
    const dead = await startHttpStub(hang());
    try {
      const stuck = await addWebhook({ url: dead.origin });
      const asked = Array.from({ length: 12 }, () => api.post(`/api/v1/webhooks/${stuck.id}/test`));
      await Promise.all(asked);
      await dead.until(() => dead.requests.length >= 2);
      const { id } = await addWebhook();
      expect(await tested(id)).toMatchObject({ status: 'delivered' });
      expect(dead.inFlight).toBeLessThanOrEqual(4);
    } finally {
      await dead.close();
    }
  });

  it('goes nowhere that TARGETS forbids, also when the address was saved under other rules', async () => {
    const guarded = await startTestService({ TARGETS: 'public' });
    try {
      const strict = new ApiClient(guarded.url);
      const { body } = await strict.post('/api/v1/webhooks', { url: 'https://93.184.216.34/' });
      const client = new Client({ connectionString: guarded.database.url });
      await client.connect();
      await client.query('UPDATE webhooks SET url = $1', [receiver.origin]);
      await client.end();
      await strict.post(`/api/v1/webhooks/${body.id}/test`);
      await eventually(async () => {
        const [delivery] = (await strict.get(`/api/v1/webhooks/${body.id}`)).body.deliveries;
        expect(delivery.last_error).toMatch(/^The address 127\.0\.0\.1:\d+ does not lead to a public address/);
      });
      expect(receiver.requests).toEqual([]);
    } finally {
      await guarded.close();
    }
  });
});

describe('comparison.worse', () => {
  it('is told once of a run that is worse than its agent’s baseline, and of no other', async () => {
    const database = service.app.get(Database);
    const names = Array.from({ length: 12 }, (_, at) => `Compared ${at}`);
    const ids = await storeScenarios(database, names);
    const measured = await createAgent(api, agent.baseUrl);
    const store = (outcome: string, status: string) =>
      storeGradedRun(
        database,
        ids.map((id, at) => ({ id, name: `Compared ${at}`, outcomes: [outcome, outcome] })),
        { agentId: measured, status },
      );
    const baseline = await store('passed', 'completed');
    await api.put(`/api/v1/agents/${measured}/baseline`, { test_run_id: baseline });
    const { id } = await addWebhook({ events: ['comparison.worse'] });
    const worse = await store('failed', 'running');
    const same = await store('passed', 'running');
    await observer.query(`UPDATE test_runs SET status = 'completed' WHERE id = ANY ($1)`, [[worse, same]]);
    await receiver.until(() => receiver.requests.length > 0);
    await eventually(async () => {
      expect((await observer.query('SELECT FROM webhook_comparisons')).rowCount).toBe(0);
      expect(await deliveriesOf(id)).toMatchObject([
        { type: 'comparison.worse', test_run_id: worse, status: 'delivered' },
      ]);
    });
    expect(receiver.requests).toHaveLength(1);
    const { data } = bodyOf(receiver.requests[0] as StubRequest);
    const { body: comparison } = await api.get(`/api/v1/tests/${worse}/comparison?before=${baseline}`);
    expect(comparison.verdict).toBe('worse');
    expect(data).toMatchObject({
      test_run: { id: worse, pass_rate: 0 },
      baseline: { id: baseline },
      comparison: {
        verdict: 'worse',
        grounds: ['passed'],
        tests: comparison.tests,
        sentence: comparison.sentence,
        difference: comparison.difference,
        scenarios_compared: 12,
        new_must_pass_violations: 0,
      },
      links: {
        comparison: `/api/v1/tests/${worse}/comparison?before=${baseline}`,
        not_passed: { length: 20 },
      },
    });
  });
});

describe('a process that is killed', () => {
  it('between the end of a run and its delivery, loses nothing and doubles no message', async () => {
    // Nobody else works on its database until it is killed.
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    const alone = await startServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
    let later: TestService | undefined;
    try {
      await client.connect();
      const first = new ApiClient(alone.url);
      const url = `${receiver.origin}/hook`;
      const { id } = (await first.post('/api/v1/webhooks', { url, events: ['test_run.finished'] })).body;
      receiver.next(hang());
      const run = (
        await first.post('/start-run', {
          agent_id: await createAgent(first, agent.baseUrl),
          scenario_ids: await createScenarios(first, 1),
          max_turns: 5,
        })
      ).body.id;
      await untilFinal(first, run, 60_000);
      await receiver.until(() => receiver.requests.length === 1, 30_000);
      await alone.end('SIGKILL');
      later = await startTestService({}, { database });
      const second = new ApiClient(later.url);
      const deliveries = async () => (await second.get(`/api/v1/webhooks/${id}`)).body.deliveries;
      // Its lease holds: what is due meanwhile is sent, and this is not.
      const { body: test } = await second.post(`/api/v1/webhooks/${id}/test`);
      await eventually(async () => {
        expect(await deliveries()).toContainEqual(expect.objectContaining({ id: test.id, status: 'delivered' }));
      });
      expect(await deliveries()).toContainEqual(
        expect.objectContaining({ test_run_id: run, status: 'pending', attempts: 1 }),
      );
      await client.query(
        `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '30 seconds' WHERE claim IS NOT NULL`,
      );
      await eventually(async () => {
        expect(await deliveries()).toContainEqual(
          expect.objectContaining({ test_run_id: run, status: 'delivered', attempts: 2 }),
        );
      });
      const told = receiver.requests.filter((request) => idOf(request) !== test.id);
      expect(told).toHaveLength(2);
      expect(new Set(told.map(idOf)).size).toBe(1);
      expect(new Set(told.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    } finally {
      await alone.end('SIGKILL');
      await later?.close();
      await client.end();
      await database.drop();
    }
  });
});

it('the receiver among the examples takes what is ours, once, and refuses what is not', async () => {
  const webhook = await addWebhook({ events: ['test_run.finished'] });
  const child = spawn(process.execPath, [join(__dirname, '..', '..', 'examples', 'webhooks', 'receiver.mjs')], {
    env: { PATH: process.env['PATH'], PORT: '0', WEBHOOK_SECRET: webhook.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await eventually(() => expect(printed).toContain('\n'));
    const { url } = JSON.parse(printed) as { url: string };
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    await api.patch(`/api/v1/webhooks/${webhook.id}`, { url });
    await untilFinal(api, await startRun());
    await eventually(async () => expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'delivered' }]));
    const [{ id }] = (await deliveriesOf(webhook.id)) as [{ id: string }];
    await api.post(`/api/v1/webhook-deliveries/${id}/redeliver`);
    await eventually(async () => expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'delivered' }]));
    expect(printed.split('\n').filter((line) => line.includes('test_run.finished'))).toHaveLength(1);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
