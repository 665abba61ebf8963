import { Database } from '../../src/platform/database/database';
import { setClock } from '../fakes/schedule-clock';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const clock = setClock('2031-03-29T12:00:00Z');
let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let agentId: string;

beforeAll(async () => {
  service = await startTestService({ MAX_SCHEDULES: '3' }, { scheduleClock: clock.type });
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  agentId = await createAgent(api, agent.baseUrl);
  await createScenarios(api, 1);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});
afterEach(async () => {
  for (const { id } of (await api.get('/api/v1/schedules')).body.schedules) await api.delete(`/api/v1/schedules/${id}`);
});

const nightly = (fields: object = {}) => ({
  name: 'Nightly',
  run: { agent_id: agentId, max_turns: 5 },
  cron: '30 2 * * *',
  time_zone: 'Europe/Berlin',
  ...fields,
});

async function create(fields: object = {}): Promise<Answer['body']> {
  const { status, body } = await api.post('/api/v1/schedules', nightly(fields));
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

describe('a schedule', () => {
  it('is shown as it was made, with its next three starts', async () => {
    const made = await create({
      gate: { fail_under: 85 },
      run: { agent_id: agentId, tags: ['test'], trials: 2, patients: null },
    });
    expect(made).toMatchObject({
      name: 'Nightly',
      run: { agent_id: agentId, tags: ['test'], trials: 2 },
      cron: '30 2 * * *',
      time_zone: 'Europe/Berlin',
      gate: { fail_under: 85, fail_on: null, min_coverage: null },
      overlap: 'skip',
      is_enabled: true,
      next_start: '2031-03-30T01:00:00.000Z',
      next_starts: ['2031-03-30T01:00:00.000Z', '2031-03-31T00:30:00.000Z', '2031-04-01T00:30:00.000Z'],
      last_start: null,
    });
    expect((await api.get(`/api/v1/schedules/${made.id}`)).body).toEqual(made);
    const { next_starts: _, ...listed } = made;
    expect((await api.get('/api/v1/schedules')).body).toEqual({ schedules: [listed], total: 1 });
    expect((await api.get(`/api/v1/schedules/${made.id}/starts`)).body).toEqual({ starts: [], total: 0 });
  });

  it('is paused, and goes on from the moment in which it is resumed', async () => {
    const { id } = await create();
    const path = `/api/v1/schedules/${id}`;
    expect((await api.patch(path, { is_enabled: false })).body).toMatchObject({
      is_enabled: false,
      next_start: null,
      next_starts: [],
    });
    clock.set('2031-06-01T12:00:00Z');
    expect((await api.patch(path, { is_enabled: true })).body).toMatchObject({
      next_start: '2031-06-02T00:30:00.000Z',
    });
    clock.set('2031-03-29T12:00:00Z');
  });

  it('is changed where a change names it, and keeps its next start unless the change moves it', async () => {
    const { id, next_start } = await create();
    const path = `/api/v1/schedules/${id}`;
    expect(
      (await api.patch(path, { name: 'Every night', overlap: 'allow', gate: { fail_on: 'worse' } })).body,
    ).toMatchObject({
      name: 'Every night',
      overlap: 'allow',
      gate: { fail_under: null, fail_on: 'worse', min_coverage: null },
      cron: '30 2 * * *',
      next_start,
    });
    expect((await api.patch(path, { gate: null, time_zone: 'America/New_York' })).body).toMatchObject({
      gate: null,
      next_start: '2031-03-30T06:30:00.000Z',
    });
  });

  it('is changed by one of two who have read the same, and not by its own starts', async () => {
    const { id } = await create();
    const path = `/api/v1/schedules/${id}`;
    const { headers } = await api.get(path);
    const change = (fields: object) =>
      api.send('PATCH', path, {
        headers: { 'content-type': 'application/json', 'if-match': String(headers.get('etag')) },
        body: JSON.stringify(fields),
      });
    await api.post(`${path}/run`);
    expect((await change({ overlap: 'allow' })).status).toBe(200);
    expect((await change({ overlap: 'skip' })).status).toBe(412);
  });

  it('is deleted with its history; its runs stay', async () => {
    const { id } = await create();
    const run = (await api.post(`/api/v1/schedules/${id}/run`)).body;
    expect((await api.delete(`/api/v1/schedules/${id}`)).status).toBe(204);
    for (const answer of [
      await api.get(`/api/v1/schedules/${id}`),
      await api.get(`/api/v1/schedules/${id}/starts`),
      await api.patch(`/api/v1/schedules/${id}`, { is_enabled: false }),
      await api.post(`/api/v1/schedules/${id}/run`),
      await api.delete(`/api/v1/schedules/${id}`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: 'Schedule not found' } });
    }
    expect(await untilFinal(api, run.id)).toMatchObject({ status: 'completed' });
  });
});

describe('is refused, with the field and what to send instead', () => {
  test.each([
    [{ cron: '* * * * * *' }, 'cron: "* * * * * *" has 6 fields (seconds are not offered)'],
    [{ cron: '' }, 'cron: must not be empty: write five fields'],
    [{ cron: '0 0 31 2 *' }, 'cron: "0 0 31 2 *" would never start anything'],
    [{ cron: '* * * * *' }, 'at least 15 minutes must lie between two (MIN_SCHEDULE_INTERVAL)'],
    [{ time_zone: 'Europe/Atlantis' }, 'time_zone: "Europe/Atlantis" is no time zone that this service knows'],
    [{ name: ' ' }, 'name: must not be empty'],
    [{ run: {} }, 'run.agent_id: is required'],
    [{ run: { agent_id: 'nobody' } }, 'run: Agent not found'],
    [
      { run: { agent_id: 'AGENT', scheduled_at: '2031-01-01T00:00:00Z' } },
      'run.scheduled_at: must be left out: the cron expression',
    ],
    [{ run: { agent_id: 'AGENT', trials: 99 } }, 'run.trials: must be at most 20'],
    [{ run: { agent_id: 'AGENT', scenario_ids: ['x'] } }, 'run: scenario_ids: no such scenario: x'],
    [{ run: { agent_id: 'AGENT', test_suite_id: 'x' } }, 'run: Test suite not found'],
    [{ run: { agent_id: 'AGENT', tags: ['nowhere'] } }, 'run: No active scenarios available'],
    [{ gate: {} }, 'gate: must have fail_under, fail_on or min_coverage'],
    [{ gate: { fail_under: 101 } }, 'gate.fail_under: must be at most 100'],
    [{ gate: { fail_on: 'anything' } }, 'gate.fail_on: expected one of worse, violation'],
    [{ overlap: 'queue' }, 'overlap: expected one of skip, allow'],
  ])('%j', async (fields, sentence) => {
    const sent: object = JSON.parse(JSON.stringify(nightly(fields)).replace('AGENT', agentId));
    const { status, body } = await api.post('/api/v1/schedules', sent);
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringContaining(sentence) });
  });

  test('a change too', async () => {
    const { id } = await create();
    for (const [fields, sentence] of [
      [{ cron: '*/5 * * * *' }, 'MIN_SCHEDULE_INTERVAL'],
      [{ time_zone: 'x' }, 'time_zone: "x" is no time zone'],
      [{ run: { agent_id: 'nobody' } }, 'run: Agent not found'],
    ] as const) {
      const { status, body } = await api.patch(`/api/v1/schedules/${id}`, fields);
      expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringContaining(sentence) });
    }
  });

  test('a name that another schedule has', async () => {
    await create();
    const other = await create({ name: 'Hourly' });
    const error = 'name: there is a schedule named "Nightly" already: choose another name, or change that schedule.';
    expect(await api.post('/api/v1/schedules', nightly())).toMatchObject({ status: 409, body: { error } });
    expect(await api.patch(`/api/v1/schedules/${other.id}`, { name: 'Nightly' })).toMatchObject({
      status: 409,
      body: { error },
    });
  });

  test('more of them than may be, also when they come together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, number) => api.post('/api/v1/schedules', nightly({ name: `Nightly ${number}` }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      error: 'There are 3 schedules, as many as MAX_SCHEDULES allows: delete one of them, or raise it.',
    });
  });
});

test('an expression is tried without a schedule', async () => {
  const preview = (cron: string, zone: string) =>
    api.get(`/api/v1/schedule-preview?${new URLSearchParams({ cron, time_zone: zone }).toString()}`);
  expect((await preview('30 2 * * *', 'America/New_York')).body).toEqual({
    next_starts: ['2031-03-30T06:30:00.000Z', '2031-03-31T06:30:00.000Z', '2031-04-01T06:30:00.000Z'],
  });
  expect(await preview('30 2 * *', 'UTC')).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('has 4 fields') },
  });
});

describe('run now', () => {
  it('starts the run, named after its schedule, and leaves the next start as it is', async () => {
    const { id, next_start } = await create({ is_enabled: true });
    const { status, body } = await api.post(`/api/v1/schedules/${id}/run`);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'running', total_scenarios: 1 } });
    expect(await untilFinal(api, body.id)).toMatchObject({ status: 'completed', name: 'Nightly', max_turns: 5 });
    const { starts, total } = (await api.get(`/api/v1/schedules/${id}/starts`)).body;
    expect(total).toBe(1);
    expect(starts[0]).toMatchObject({
      outcome: 'started',
      is_manual: true,
      sentence: null,
      gate: null,
      test_run_id: body.id,
      run: { id: body.id, test_run_id: body.test_run_id, status: 'completed', passed_count: 1 },
    });
    expect((await api.get(`/api/v1/schedules/${id}`)).body).toMatchObject({
      next_start,
      last_start: { outcome: 'started', test_run_id: body.id },
    });
    await api.delete(`/api/v1/tests/${body.id}`);
    expect((await api.get(`/api/v1/schedules/${id}/starts`)).body.starts[0]).toMatchObject({
      test_run_id: body.id,
      run: null,
    });
  });

  it('starts also while it is paused, and once for a request that is repeated', async () => {
    const { id } = await create({ is_enabled: false });
    const send = () => api.send('POST', `/api/v1/schedules/${id}/run`, { headers: { 'idempotency-key': `run-${id}` } });
    const first = await send();
    await untilFinal(api, first.body.id);
    const again = await send();
    expect(again.body).toEqual(first.body);
    expect((await api.get(`/api/v1/schedules/${id}/starts`)).body.total).toBe(1);
  });

  it('is refused while its run before is still going, unless runs may overlap', async () => {
    const { id } = await create();
    const { body: first } = await api.post('/start-run', {
      agent_id: agentId,
      max_turns: 5,
      scheduled_at: '2099-01-01T00:00:00Z',
    });
    // As if the schedule had started it.
    await storeStart(id, first.id);
    expect(await api.post(`/api/v1/schedules/${id}/run`)).toMatchObject({
      status: 409,
      body: {
        error: `The run ${first.test_run_id} of this schedule is still going: wait until it has ended, cancel it, or set overlap to "allow".`,
      },
    });
    await api.patch(`/api/v1/schedules/${id}`, { overlap: 'allow' });
    const { body } = await api.post(`/api/v1/schedules/${id}/run`);
    await untilFinal(api, body.id);
    await api.post('/cancel-run', { test_run_id: first.id });
  });

  it('says what start-run would say', async () => {
    const { id } = await create();
    await api.patch(`/api/v1/agents/${agentId}`, { is_active: false });
    expect(await api.post(`/api/v1/schedules/${id}/run`)).toMatchObject({
      status: 400,
      body: { error: 'Agent "Agent under test" is inactive' },
    });
    await api.patch(`/api/v1/agents/${agentId}`, { is_active: true });
    expect((await api.get(`/api/v1/schedules/${id}/starts`)).body.total).toBe(0);
  });
});

async function storeStart(scheduleId: string, runId: string): Promise<void> {
  await service.app
    .get(Database)
    .query(
      `INSERT INTO schedule_starts (schedule_id, due_at, is_manual, outcome, test_run_id) VALUES ($1, now(), false, 'started', $2)`,
      [scheduleId, runId],
    );
}
