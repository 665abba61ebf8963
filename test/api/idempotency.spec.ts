import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { ApiClient, type Answer } from '../setup/api-client';
import { ApiDescription } from '../setup/api-description';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { passLease, reconcile } from '../setup/passing-time';
import { startTestService, type TestService } from '../setup/service';
import { aReview } from '../setup/reviewed-runs';
import { startServiceProcess } from '../setup/service-process';

/** POSTs that store nothing: sent twice, they do nothing twice. */
const MAKES_NOTHING = [
  // Its secret is kept nowhere: nothing could be answered again.
  'POST /api/v1/keys',
  'POST /api/v1/sign-out',
  'POST /cancel-run',
  'POST /api/v1/agents/read-curl',
  'POST /api/v1/agents/try',
  'POST /api/v1/agents/{id}/try',
  'POST /api/v1/calibrations/{id}/cancel',
  'POST /api/v1/run-sets/{id}/cancel',
  'POST /api/v1/scenarios/generate-preview',
  'POST /api/v1/scenarios/lint',
  'POST /api/v1/scenarios/try',
  'POST /api/v1/webhook-deliveries/{id}/redeliver',
];
const PROTOCOL =
  'Chest pain: The agent must tell the patient to call emergency services. It should ask when the pain began.';

let service: TestService;
let second: TestService;
let api: ApiClient;
let agent: FakeAgent;
let observer: Client;
let agentId: string;
let scenarioIds: string[];
let webhookId: string;
let scheduleId: string;
let scenarioRunId: string;
let runId: string;
let canceledRunId: string;

beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({}, { database: service.database });
  api = new ApiClient(service.url);
  observer = new Client({ connectionString: service.database.url });
  await observer.connect();
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  agentId = await createAgent(api, agent.baseUrl);
  scenarioIds = await createScenarios(api, 2);
  webhookId = (await api.post('/api/v1/webhooks', { url: agent.baseUrl, events: ['comparison.worse'] })).body.id;
  scheduleId = (await api.post('/api/v1/schedules', aSchedule('Nightly'))).body.id;
  const { body: run } = await api.post('/start-run', aRun());
  await untilFinal(api, run.id);
  runId = run.id;
  scenarioRunId = (await scenarioRunsOf(api, runId))[0].id;
  canceledRunId = (await api.post('/start-run', aRun())).body.id;
  await api.post('/cancel-run', { id: canceledRunId });
});
afterAll(async () => {
  await observer.end();
  await second.close();
  await service.close();
  await agent.close();
});

/** An address with the id of what it takes. */
function placeOf(path: string): string {
  if (path.includes('schedules')) return path.replace('{id}', scheduleId);
  if (path.includes('webhooks')) return path.replace('{id}', webhookId);
  if (path.includes('scenario-runs')) return path.replace('{id}', scenarioRunId);
  return path.replace('{id}', path.endsWith('/retry') ? canceledRunId : runId);
}

const aTranscript = () => ({
  name: 'Twice',
  agent_name: 'Somebody else’s agent',
  items: [
    {
      rubric_criteria: [{ criterion: 'Asks when it began', points: 1 }],
      transcript: [
        { role: 'patient', content: 'It hurts.' },
        { role: 'agent', content: 'When did it begin?' },
      ],
    },
  ],
});

function postWith(key: string, path: string, body: object, client: ApiClient = api): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return client.send('POST', path, { headers, body: JSON.stringify(body) });
}

const aSchedule = (name: string) => ({ name, run: aRun(), cron: '0 3 1 1 *', time_zone: 'UTC', overlap: 'allow' });

const isReplay = ({ headers }: Answer): boolean => headers.get('idempotency-replayed') === 'true';
const aRun = () => ({ agent_id: agentId, scenario_ids: scenarioIds, max_turns: 5 });
const aSet = () => ({
  agents: ['1', '2'].map((agent_version) => ({ agent_id: agentId, agent_version })),
  scenario_ids: scenarioIds,
  max_turns: 5,
});
const runsCalled = async (name: string): Promise<number> =>
  (await api.get('/api/v1/tests?limit=100')).body.runs.filter((run: { name: string }) => run.name === name).length;

describe('what makes something', () => {
  it('takes an Idempotency-Key, and says so; nothing else does', async () => {
    const { operations } = await ApiDescription.of(service.url);
    const posts = operations.filter(({ method }) => method === 'POST');
    const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
    const keyed = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key'));
    expect([...keyed.map(named), ...MAKES_NOTHING].sort()).toEqual(posts.map(named).sort());
    for (const { operationId, responses } of keyed) {
      expect({ operationId, statuses: Object.keys(responses) }).toMatchObject({
        statuses: expect.arrayContaining(['409', '422']),
      });
    }
  });

  const creations: readonly (readonly [string, () => object])[] = [
    ['/start-run', aRun],
    ['/start-run-set', aSet],
    ['/api/v1/agents', () => ({ name: 'Twice', provider: 'openai', config: { api_key: 'sk-twice-and-once' } })],
    [
      '/api/v1/scenarios',
      () => ({
        name: 'Twice',
        category: 'emergency',
        content: { script: 'It hurts.', demographics: { age: 40 }, chief_complaint: 'Pain.' },
        rubric_criteria: [{ criterion: 'Asks when it began', points: 1 }],
      }),
    ],
    ['/api/v1/scenarios/generate', () => ({ text: PROTOCOL })],
    ['/api/v1/scenarios/generate-batch', () => ({ text: PROTOCOL })],
    ['/api/v1/test-suites', () => ({ name: 'Twice', scenario_ids: scenarioIds })],
    ['/api/v1/calibrations', () => ({ name: 'Twice', starter_set: true })],
    ['/api/v1/scenario-runs/{id}/reviews', () => aReview(['MET'])],
    ['/api/v1/scenario-runs/{id}/fork', () => ({ at_turn: 2, patient_message: 'It is much worse now.' })],
    ['/api/v1/tests/{id}/retry', () => ({})],
    ['/api/v1/tests/{id}/regrade', () => ({ rubric: 'as_run' })],
    ['/api/v1/transcripts', aTranscript],
    ['/api/v1/schedules', () => aSchedule('Twice')],
    ['/api/v1/schedules/{id}/run', () => ({})],
    ['/api/v1/webhooks', () => ({ url: 'http://127.0.0.1:9/', is_active: false })],
    ['/api/v1/webhooks/{id}/rotate-secret', () => ({})],
    ['/api/v1/webhooks/{id}/test', () => ({})],
  ];

  it('is tested here, each of them', async () => {
    const { operations } = await ApiDescription.of(service.url);
    const paths = operations
      .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(({ path }) => path);
    expect(creations.map(([path]) => path).sort()).toEqual(paths.sort());
  });

  it.each(creations)('is made once at %s, and answered the same', async (path, body) => {
    const key = randomUUID();
    const place = placeOf(path);
    const first = await postWith(key, place, body());
    expect(first.status).toBeLessThan(300);
    expect(isReplay(first)).toBe(false);
    const again = await postWith(key, place, body(), new ApiClient(second.url));
    expect(again).toMatchObject({ status: first.status, body: first.body });
    expect(isReplay(again)).toBe(true);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect((await postWith(randomUUID(), place, body())).body).not.toEqual(first.body);
  });
});

describe('a key', () => {
  it('starts one run, however many requests carry it at once to however many processes', async () => {
    const key = randomUUID();
    const body = { ...aRun(), name: 'Pressed ten times' };
    const clients = [api, new ApiClient(second.url)];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => postWith(key, '/start-run', body, clients[at % 2])),
    );
    const made = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect(made.length + refused.length).toBe(10);
    expect(made.filter((answer) => !isReplay(answer))).toHaveLength(1);
    for (const { headers, body: answer } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(answer).toEqual({
        error: 'A request with this Idempotency-Key is under way: send it again in a second to get its answer.',
      });
    }
    expect(await runsCalled('Pressed ten times')).toBe(1);
    expect((await postWith(key, '/start-run', body)).body).toEqual(made[0]?.body);
  });

  it.each([
    ['body', '/start-run', () => ({ ...aRun(), max_turns: 7 })],
    ['endpoint', '/api/v1/test-suites', () => ({ name: 'Other', scenario_ids: [] })],
  ])('is refused with another %s', async (_, path, body) => {
    const key = randomUUID();
    await postWith(key, '/start-run', aRun());
    expect(await postWith(key, path, body())).toMatchObject({
      status: 422,
      body: {
        error:
          'This Idempotency-Key was sent with another request in the last 24 hours: a new request needs a new key.',
      },
    });
  });

  it('is the same for the same request written otherwise, and with or without quotation marks', async () => {
    const key = randomUUID();
    const first = await postWith(key, '/start-run', aRun());
    const { agent_id, ...rest } = aRun();
    const again = await postWith(`"${key}"`, '/start-run', { ...rest, agent_id, unknown: 1, tags: null });
    expect(again.body).toEqual(first.body);
    expect(isReplay(again)).toBe(true);
  });

  it.each(['', 'two words', 'a"b', '"', 'x'.repeat(256), 'sch\u00f6n'])('that is none is refused: %j', async (key) => {
    expect(await postWith(key, '/start-run', aRun())).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^Idempotency-Key: must be one key of 1 to 255 visible ASCII characters/) },
    });
  });

  it('is not used up by a refusal: once its reason is gone, the same request succeeds', async () => {
    const sleeping = await createAgent(api, agent.baseUrl);
    await api.patch(`/api/v1/agents/${sleeping}`, { is_active: false });
    const key = randomUUID();
    const body = { ...aRun(), agent_id: sleeping };
    expect((await postWith(key, '/start-run', body)).status).toBe(400);
    await api.patch(`/api/v1/agents/${sleeping}`, { is_active: true });
    const started = await postWith(key, '/start-run', body);
    expect(started.status).toBe(200);
    expect(isReplay(started)).toBe(false);
  });

  it('may be used anew after a day', async () => {
    const key = randomUUID();
    const first = await postWith(key, '/api/v1/test-suites', { name: 'Daily', scenario_ids: [] });
    await observer.query(`UPDATE idempotency_keys SET created_at = now() - interval '24 hours'`);
    const second = await postWith(key, '/api/v1/test-suites', { name: 'Another', scenario_ids: [] });
    expect(second).toMatchObject({ status: 201, body: { name: 'Another' } });
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('belongs to the service key that it came with', async () => {
    const keys = ['key-of-the-night-shift-1', 'key-of-the-day-shift-no-1'];
    const guarded = await startTestService({ SERVICE_API_KEY: keys.join(',') });
    try {
      const ids: string[] = [];
      for (const key of keys) {
        const client = new ApiClient(guarded.url, { 'x-api-key': key });
        const { status, body } = await postWith('same', '/api/v1/test-suites', { name: 'x', scenario_ids: [] }, client);
        expect(status).toBe(201);
        ids.push(body.id);
      }
      expect(new Set(ids).size).toBe(2);
    } finally {
      await guarded.close();
    }
  });
});

describe('an answer that holds a secret', () => {
  it('is not kept: the agent is answered as it is by then', async () => {
    const key = randomUUID();
    const body = { name: 'Keeper', provider: 'openai', config: { api_key: 'sk-kept-nowhere-else' } };
    const first = await postWith(key, '/api/v1/agents', body);
    const { rows } = await observer.query<{ row: string }>('SELECT known::text AS row FROM idempotency_keys known');
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).toContain(first.body.id);
    expect(stored).not.toMatch(/sk-kept|Keeper/);
    expect(stored).not.toContain(key);

    await api.patch(`/api/v1/agents/${first.body.id}`, { name: 'Renamed' });
    const again = await postWith(key, '/api/v1/agents', body);
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id, name: 'Renamed' } });
    const { headers } = await api.get(`/api/v1/agents/${first.body.id}`);
    expect(again.headers.get('etag')).toBe(headers.get('etag'));

    await api.delete(`/api/v1/agents/${first.body.id}`);
    expect(await postWith(key, '/api/v1/agents', body)).toMatchObject({
      status: 409,
      body: { error: 'What this Idempotency-Key made was deleted meanwhile: to make it again, send a new key.' },
    });
  });
});

describe('a process that is killed', () => {
  const killable = () => startServiceProcess({ DATABASE_URL: service.database.url, LOG_LEVEL: 'warn' });
  const LOCK = 4_711;

  it('before it has stored the run, blocks the key until its lease ends, and starts nothing', async () => {
    await observer.query(`
      CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN NEW; END $$;
      CREATE TRIGGER wait_for_test BEFORE INSERT ON test_runs FOR EACH ROW EXECUTE FUNCTION wait_for_test();`);
    const key = randomUUID();
    const body = { ...aRun(), name: 'Killed before' };
    const killed = await killable();
    try {
      await observer.query('SELECT pg_advisory_lock($1)', [LOCK]);
      const lost = postWith(key, '/start-run', body, new ApiClient(killed.url)).catch(() => null);
      await eventually(async () => {
        const { rowCount } = await observer.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`,
        );
        expect(rowCount).toBe(1);
      });
      expect(await postWith(key, '/start-run', body)).toMatchObject({ status: 409 });
      await killed.end('SIGKILL');
      await lost;
    } finally {
      await killed.end('SIGKILL');
      await observer.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    }
    await observer.query('DROP FUNCTION wait_for_test CASCADE');
    expect(await postWith(key, '/start-run', body)).toMatchObject({ status: 409 });
    expect(await runsCalled('Killed before')).toBe(0);
    await observer.query(
      `UPDATE idempotency_keys SET leased_until = leased_until - interval '15 seconds' WHERE answer IS NULL`,
    );
    const started = await postWith(key, '/start-run', body);
    expect(started.status).toBe(200);
    expect(await runsCalled('Killed before')).toBe(1);
    expect(await untilFinal(api, started.body.id, 60_000)).toMatchObject({ status: 'completed' });
  });

  it('between storing the run and answering, starts it once: whoever asks again gets its id', async () => {
    await observer.query(`
      CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON test_runs DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION slow_commit();`);
    const key = randomUUID();
    const body = { ...aRun(), name: 'Killed after' };
    const killed = await killable();
    try {
      const lost = postWith(key, '/start-run', body, new ApiClient(killed.url)).catch(() => null);
      await eventually(async () => {
        const { rowCount } = await observer.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'COMMIT' AND wait_event = 'PgSleep'`,
        );
        expect(rowCount).toBe(1);
      });
      await killed.end('SIGKILL');
      expect(await lost).toBeNull();
    } finally {
      await killed.end('SIGKILL');
    }
    await observer.query('DROP FUNCTION slow_commit CASCADE');
    const again = await postWith(key, '/start-run', body);
    expect(again.status).toBe(200);
    expect(isReplay(again)).toBe(true);
    expect(await runsCalled('Killed after')).toBe(1);
    await passLease(observer, again.body.id);
    await reconcile(service);
    expect(await untilFinal(api, again.body.id, 60_000)).toMatchObject({ status: 'completed', passed_count: 2 });
  });
});
