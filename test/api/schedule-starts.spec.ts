import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import type { ScheduleEntity } from '../../src/features/schedules/schedule.entity';
import { ScheduledStarts } from '../../src/features/schedules/scheduled-starts';
import { Scheduler } from '../../src/features/schedules/scheduler';
import { SchedulesStore } from '../../src/features/schedules/schedules.store';
import { isFinalTestRun } from '../../src/domain/statuses';
import { setClock } from '../fakes/schedule-clock';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startHttpStub, type HttpStub } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

const NOON = '2031-03-29T12:00:00Z';

const clock = setClock(NOON);
let services: TestService[];
let api: ApiClient;
let database: Database;
let agent: FakeAgent;
let receiver: HttpStub;
let agentId: string;
let reply = GOOD_REPLY;

beforeAll(async () => {
  const first = await startTestService({ MAX_SCHEDULES: '50' }, { scheduleClock: clock.type });
  const others = [1, 2].map(() => startTestService({}, { database: first.database, scheduleClock: clock.type }));
  services = [first, ...(await Promise.all(others))];
  api = new ApiClient(first.url);
  database = first.app.get(Database);
  agent = await startFakeOpenAi({ reply: () => reply });
  agentId = await createAgent(api, agent.baseUrl);
  await createScenarios(api, 2);
  receiver = await startHttpStub((response) => response.writeHead(204).end());
  await api.post('/api/v1/webhooks', {
    url: receiver.origin,
    events: ['schedule.gate_failed', 'schedule.gate_undecided', 'schedule.start_failed'],
  });
});
afterAll(async () => {
  for (const service of services.toReversed()) await service.close();
  await agent.close();
  await receiver.close();
});
beforeEach(() => {
  clock.set(NOON);
  reply = GOOD_REPLY;
});
afterEach(async () => {
  for (const { id } of (await api.get('/api/v1/schedules')).body.schedules) await api.delete(`/api/v1/schedules/${id}`);
  for (const { id, status } of (await api.get('/api/v1/tests?limit=100')).body.runs) {
    if (!isFinalTestRun(status)) await untilFinal(api, id);
  }
});

let made = 0;
async function create(fields: object = {}): Promise<string> {
  made += 1;
  const { status, body } = await api.post('/api/v1/schedules', {
    name: `Schedule ${made}`,
    run: { agent_id: agentId, tags: ['test'], max_turns: 5 },
    cron: '0 * * * *',
    time_zone: 'UTC',
    ...fields,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}

/** Every process looks, all of them at the same time. */
const look = () => Promise.all(services.map(({ app }) => app.get(Scheduler, { strict: false }).look()));
const at = (time: string) => {
  clock.set(time);
  return look();
};
const scheduleOf = async (id: string): Promise<Answer['body']> => (await api.get(`/api/v1/schedules/${id}`)).body;
/** Oldest first. */
const historyOf = async (id: string): Promise<Answer['body'][]> =>
  (await api.get(`/api/v1/schedules/${id}/starts?limit=100`)).body.starts.toReversed();
/** What the webhook was told of a schedule. */
const toldOf = (id: string): Answer['body'][] =>
  receiver.requests.map(({ body }): Answer['body'] => body).filter(({ data }) => data.schedule.id === id);
const runsNamed = async (name: string): Promise<number> =>
  (await api.get('/api/v1/tests?limit=100')).body.runs.filter((run: Answer['body']) => run.name === name).length;

describe('a start that is due', () => {
  it('is made once, whatever the number of processes and of schedules', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) ids.push(await create({ overlap: 'allow' }));
    await at('2031-03-29T13:00:02Z');
    await look();
    for (const id of ids) {
      const history = await historyOf(id);
      expect(history).toHaveLength(1);
      expect(history[0]).toMatchObject({
        due_at: '2031-03-29T13:00:00.000Z',
        outcome: 'started',
        is_manual: false,
        sentence: null,
      });
      expect(await scheduleOf(id)).toMatchObject({ next_start: '2031-03-29T14:00:00.000Z' });
      expect(await runsNamed((await scheduleOf(id)).name)).toBe(1);
      expect(await untilFinal(api, history[0].test_run_id)).toMatchObject({ status: 'completed', passed_count: 2 });
    }
  });

  it('is left alone until then', async () => {
    const id = await create();
    await at('2031-03-29T12:59:59Z');
    expect(await historyOf(id)).toEqual([]);
  });

  it('is on the record of the audit trail, as done by the service', async () => {
    const id = await create();
    await at('2031-03-29T13:00:00Z');
    const [{ test_run_id }] = await historyOf(id);
    const { records } = (await api.get(`/api/v1/audit?resource_id=${test_run_id}`)).body;
    expect(records).toEqual([
      expect.objectContaining({
        who: 'the service',
        role: 'schedule',
        route: '/api/v1/schedules/{id}/run',
        status: 200,
        resource_ids: expect.arrayContaining([id, test_run_id]),
      }),
    ]);
  });

  it('is made up to ten minutes late', async () => {
    const id = await create();
    await at('2031-03-29T13:10:00Z');
    expect(await historyOf(id)).toMatchObject([{ outcome: 'started', due_at: '2031-03-29T13:00:00.000Z' }]);
  });

  it('keeps to the wall clock on days on which clocks change', async () => {
    const [berlin, york] = [
      await create({ cron: '30 2 * * *', time_zone: 'Europe/Berlin', overlap: 'allow' }),
      await create({ cron: '30 1 * * *', time_zone: 'America/New_York', overlap: 'allow' }),
    ];
    await at('2031-03-30T01:00:00Z');
    await at('2031-03-30T01:30:00Z');
    await at('2031-03-31T00:30:00Z');
    expect(await historyOf(berlin)).toMatchObject([
      // 3:00 in summer time: there was no 2:30.
      { due_at: '2031-03-30T01:00:00.000Z', outcome: 'started' },
      { due_at: '2031-03-31T00:30:00.000Z', outcome: 'started' },
    ]);
    await api.delete(`/api/v1/schedules/${berlin}`);
    clock.set('2031-11-01T12:00:00Z');
    await api.patch(`/api/v1/schedules/${york}`, { is_enabled: false });
    await api.patch(`/api/v1/schedules/${york}`, { is_enabled: true });
    await at('2031-11-02T05:30:00Z');
    // 1:30 once more.
    await at('2031-11-02T06:30:00Z');
    await at('2031-11-03T06:30:00Z');
    expect((await historyOf(york)).slice(-2)).toMatchObject([
      { due_at: '2031-11-02T05:30:00.000Z', outcome: 'started' },
      { due_at: '2031-11-03T06:30:00.000Z', outcome: 'started' },
    ]);
  });
});

describe('starts that were missed', () => {
  it('are told in one line and not made up for; the next one comes at its usual time', async () => {
    const id = await create();
    await at('2031-03-29T15:30:00Z');
    expect(await historyOf(id)).toMatchObject([
      {
        outcome: 'missed',
        missed: 3,
        due_at: '2031-03-29T13:00:00.000Z',
        until: '2031-03-29T15:00:00.000Z',
        test_run_id: null,
        sentence:
          'Missed 3 starts between 2031-03-29 13:00 (UTC) and 2031-03-29 15:00 (UTC): the service was not running, or could not start them within 10 minutes (MAX_START_DELAY).',
      },
    ]);
    await at('2031-03-29T16:00:00Z');
    expect(await historyOf(id)).toMatchObject([
      { outcome: 'missed' },
      { outcome: 'started', due_at: '2031-03-29T16:00:00.000Z' },
    ]);
    expect(await runsNamed((await scheduleOf(id)).name)).toBe(1);
  });

  it('are those before one that is late and still made', async () => {
    const id = await create();
    await at('2031-03-29T15:04:00Z');
    expect(await historyOf(id)).toMatchObject([
      { outcome: 'missed', missed: 2, until: '2031-03-29T14:00:00.000Z' },
      { outcome: 'started', due_at: '2031-03-29T15:00:00.000Z' },
    ]);
  });

  it('are counted up to a thousand', async () => {
    const id = await create({ cron: '*/15 * * * *' });
    await at('2032-03-29T12:12:00Z');
    const [line] = await historyOf(id);
    expect(line).toMatchObject({ outcome: 'missed', until: '2032-03-29T12:00:00.000Z' });
    expect(line.sentence).toContain(
      'Missed more than 1,000 starts between 2031-03-29 12:15 (UTC) and 2032-03-29 12:00 (UTC)',
    );
    expect(await scheduleOf(id)).toMatchObject({ next_start: '2032-03-29T12:15:00.000Z' });
  });

  it('are none while a schedule is paused', async () => {
    const id = await create();
    await api.patch(`/api/v1/schedules/${id}`, { is_enabled: false });
    await at('2031-03-30T12:00:00Z');
    await api.patch(`/api/v1/schedules/${id}`, { is_enabled: true });
    await look();
    expect(await historyOf(id)).toEqual([]);
  });
});

describe('while the run before is still going', () => {
  it('a start is skipped and told', async () => {
    const id = await create();
    await at('2031-03-29T13:00:00Z');
    const [first] = await historyOf(id);
    await database.query(`UPDATE test_runs SET status = 'running', completed_at = NULL WHERE id = $1`, [
      first.test_run_id,
    ]);
    await at('2031-03-29T14:00:00Z');
    expect(await historyOf(id)).toMatchObject([
      {},
      {
        outcome: 'skipped',
        test_run_id: null,
        sentence: `Skipped: the run ${first.run.test_run_id} of this schedule was still going. Set overlap to "allow" to start one more all the same.`,
      },
    ]);
    await api.post('/cancel-run', { test_run_id: first.test_run_id });
    await at('2031-03-29T15:00:00Z');
    expect((await historyOf(id)).at(-1)).toMatchObject({ outcome: 'started' });
  });

  it('a start is made where runs may overlap', async () => {
    const id = await create({ overlap: 'allow' });
    await at('2031-03-29T13:00:00Z');
    const [first] = await historyOf(id);
    await database.query(`UPDATE test_runs SET status = 'running', completed_at = NULL WHERE id = $1`, [
      first.test_run_id,
    ]);
    await at('2031-03-29T14:00:00Z');
    expect(await historyOf(id)).toMatchObject([{ outcome: 'started' }, { outcome: 'started' }]);
    await api.post('/cancel-run', { test_run_id: first.test_run_id });
  });
});

test('a start whose agent was deleted fails with a sentence, is told, and leaves the schedule as it is', async () => {
  const other = await createAgent(api, agent.baseUrl);
  const id = await create({ run: { agent_id: other, tags: ['test'] } });
  await api.delete(`/api/v1/agents/${other}`);
  await at('2031-03-29T13:00:00Z');
  const sentence = 'The run could not be started: Agent not found. Change the schedule, or delete it.';
  expect(await historyOf(id)).toMatchObject([{ outcome: 'failed', sentence, test_run_id: null, run: null }]);
  expect(await scheduleOf(id)).toMatchObject({ is_enabled: true, next_start: '2031-03-29T14:00:00.000Z' });
  await eventually(() => expect(toldOf(id)).toHaveLength(1));
  expect(toldOf(id)[0]).toMatchObject({
    type: 'schedule.start_failed',
    data: {
      schedule: { id, name: `Schedule ${made}` },
      due_at: '2031-03-29T13:00:00.000Z',
      sentence,
      links: { schedule_page: `/schedules/${id}` },
    },
  });
  await at('2031-03-29T14:00:00Z');
  expect(await historyOf(id)).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }]);
});

test('a schedule that cannot be read holds up no other, and its start is missed', async () => {
  const broken = await create();
  const other = await create();
  await database.query(`UPDATE schedules SET cron = 'never', next_at = next_at - interval '1 minute' WHERE id = $1`, [
    broken,
  ]);
  clock.set('2031-03-29T13:00:00Z');
  await expect(services[0]?.app.get(Scheduler, { strict: false }).look()).rejects.toThrow('cron: "never" has 1 field');
  expect(await historyOf(other)).toMatchObject([{ outcome: 'started' }]);
  await database.query(
    `UPDATE schedules SET cron = '0 * * * *', next_at = next_at + interval '1 minute' WHERE id = $1`,
    [broken],
  );
  await at('2031-03-29T13:30:00Z');
  expect(await historyOf(broken)).toMatchObject([{ outcome: 'missed', missed: 1 }]);
});

test('a run that was stored by another version, and that this one cannot read, fails with a sentence', async () => {
  const id = await create();
  await database.query(`UPDATE schedules SET run = '{"agent_id": 7}' WHERE id = $1`, [id]);
  await at('2031-03-29T13:00:00Z');
  expect(await historyOf(id)).toMatchObject([
    { outcome: 'failed', sentence: expect.stringContaining('it was stored by another version of the service') },
  ]);
  // Its answers are described as they should be.
  await database.query('DELETE FROM schedules WHERE id = $1', [id]);
});

describe('a process that dies', () => {
  /** Ends every session that notes a start, before it commits. */
  const DYING = `
    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END $$;
    CREATE TRIGGER die AFTER INSERT ON schedule_starts FOR EACH ROW EXECUTE FUNCTION die();`;

  async function whileDying(work: () => Promise<unknown>): Promise<void> {
    const observer = new Client({ connectionString: services[0]?.database.url });
    await observer.connect();
    try {
      await observer.query(DYING);
      await work();
    } finally {
      await observer.query('DROP FUNCTION IF EXISTS die() CASCADE');
      await observer.end();
    }
  }

  it('between the claim and the start has done neither: another one makes the start, once', async () => {
    const id = await create();
    await whileDying(async () => {
      clock.set('2031-03-29T13:00:00Z');
      const looks = services.map(({ app }) => app.get(Scheduler, { strict: false }).look());
      expect((await Promise.allSettled(looks)).map(({ status }) => status)).toEqual([
        'rejected',
        'rejected',
        'rejected',
      ]);
    });
    expect(await historyOf(id)).toEqual([]);
    expect(await runsNamed((await scheduleOf(id)).name)).toBe(0);
    expect(await scheduleOf(id)).toMatchObject({ next_start: '2031-03-29T13:00:00.000Z' });
    await look();
    await look();
    expect(await historyOf(id)).toMatchObject([{ outcome: 'started' }]);
    expect(await runsNamed((await scheduleOf(id)).name)).toBe(1);
  });
});

describe('a start that was prepared before', () => {
  const read = async () => {
    const [schedule] = (await services[0]?.app.get(SchedulesStore).due(new Date('2031-03-29T13:00:00Z'), 1)) ?? [];
    if (schedule === undefined) throw new Error('Nothing is due.');
    return schedule;
  };
  const make = (schedule: ScheduleEntity) =>
    services[0]?.app.get(ScheduledStarts, { strict: false }).makeDue(schedule, new Date('2031-03-29T13:00:00Z'));

  it('a change that was answered is not made: the change holds', async () => {
    const id = await create();
    const prepared = await read();
    await api.patch(`/api/v1/schedules/${id}`, { run: { agent_id: agentId, tags: ['test'], max_turns: 7 } });
    await make(prepared);
    expect(await historyOf(id)).toEqual([]);
    await at('2031-03-29T13:00:00Z');
    expect(await historyOf(id)).toMatchObject([{ run: { max_turns: 7 } }]);
  });

  it('another process made it is not made again', async () => {
    const id = await create({ overlap: 'allow' });
    const prepared = await read();
    await at('2031-03-29T13:00:00Z');
    await make(prepared);
    expect(await historyOf(id)).toHaveLength(1);
    // Nor when its history is gone.
    await database.query('DELETE FROM schedule_starts');
    await make(prepared);
    expect(await historyOf(id)).toEqual([]);
    expect(await runsNamed((await scheduleOf(id)).name)).toBe(1);
  });

  it('its schedule was paused or deleted is not made', async () => {
    const id = await create();
    const prepared = await read();
    await api.patch(`/api/v1/schedules/${id}`, { is_enabled: false });
    await make(prepared);
    expect(await historyOf(id)).toEqual([]);
    await api.delete(`/api/v1/schedules/${id}`);
    await make(prepared);
    expect(await runsNamed(prepared.name)).toBe(0);
  });
});

test.each([
  ['is still going', false],
  ['has ended', true],
])('a clock that was set back makes no start twice, when its run %s', async (_, hasEnded) => {
  const id = await create();
  await at('2031-03-29T13:00:00Z');
  if (hasEnded) await untilFinal(api, (await historyOf(id))[0].test_run_id);
  clock.set('2031-03-29T12:30:00Z');
  await api.patch(`/api/v1/schedules/${id}`, { cron: '0,30 * * * *' });
  await at('2031-03-29T13:00:00Z');
  const history = await historyOf(id);
  expect(history).toMatchObject([{ outcome: 'started', due_at: '2031-03-29T13:00:00.000Z' }]);
  expect((await api.get(`/api/v1/audit?resource_id=${history[0].test_run_id}`)).body.records).toHaveLength(1);
  expect(await scheduleOf(id)).toMatchObject({ next_start: '2031-03-29T13:30:00.000Z' });
});

describe('the gate of a schedule', () => {
  const decided = async (id: string): Promise<Answer['body']> => {
    let start: Answer['body'];
    await eventually(async () => {
      start = (await historyOf(id)).at(-1);
      expect(start.gate.verdict).not.toBe('pending');
    });
    return start;
  };

  it('passes a run that reaches the bar, and tells nothing', async () => {
    const id = await create({ gate: { fail_under: 50, min_coverage: 90 } });
    await at('2031-03-29T13:00:00Z');
    expect((await decided(id)).gate).toEqual({ verdict: 'passed', sentence: 'The bar of 50 % is reached.' });
    expect(toldOf(id)).toEqual([]);
  });

  it('fails one that does not, and tells so once', async () => {
    reply = 'I cannot help.';
    const id = await create({ gate: { fail_under: 50 } });
    await at('2031-03-29T13:00:00Z');
    const { gate, test_run_id } = await decided(id);
    expect(gate).toEqual({ verdict: 'failed', sentence: 'The pass rate is below the bar of 50 %.' });
    await eventually(() => expect(toldOf(id)).toHaveLength(1));
    expect(toldOf(id)[0]).toMatchObject({
      type: 'schedule.gate_failed',
      data: {
        schedule: { id },
        gate: { fail_under: 50, verdict: 'failed', sentence: gate.sentence },
        test_run: { id: test_run_id, status: 'completed', pass_rate: 0 },
        links: { page: `/runs/${test_run_id}`, schedule_page: `/schedules/${id}` },
      },
    });
  });

  it('says that nothing can be said, as without a baseline', async () => {
    const id = await create({ gate: { fail_on: 'worse' } });
    await at('2031-03-29T13:00:00Z');
    expect((await decided(id)).gate).toMatchObject({
      verdict: 'undecided',
      sentence: expect.stringContaining('The agent has no baseline to compare this run with'),
    });
    await eventually(() => expect(toldOf(id)[0]).toMatchObject({ type: 'schedule.gate_undecided' }));
  });

  it('compares with the baseline of the agent, as osce run --fail-on does', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `Compared ${number}`);
    const ids = await storeScenarios(database, names);
    const marked = (outcome: string) =>
      ids.map((one, place) => ({ id: one, name: names[place] ?? '', outcomes: [outcome] }));
    const baseline = await storeGradedRun(database, marked('passed'), { agentId });
    await api.put(`/api/v1/agents/${agentId}/baseline`, { test_run_id: baseline });
    const worse = await storeGradedRun(database, marked('failed'), { agentId });
    const id = await create({ gate: { fail_on: 'worse' } });
    await database.query(
      `INSERT INTO schedule_starts (schedule_id, due_at, is_manual, outcome, test_run_id, gate, gate_verdict, next_attempt_at)
       VALUES ($1, now(), false, 'started', $2, '{"fail_under":null,"fail_on":"worse","min_coverage":null}', 'pending', now())`,
      [id, worse],
    );
    expect((await decided(id)).gate).toMatchObject({
      verdict: 'failed',
      sentence: expect.stringContaining(`Compared with the baseline run_${baseline}: `),
    });
    await api.delete(`/api/v1/agents/${agentId}/baseline`);
  });
});
