import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActorTimes } from '../../src/engine/actors/actor-times';
import { TestRunActors } from '../../src/engine/actors/test-run-actors';
import { examine } from '../../src/examiners/judge/examine';
import { Judges } from '../../src/examiners/judge/judge';
import { RULES_VERSION } from '../../src/examiners/judge/offline.judge';
import { TextThreads } from '../../src/examiners/threads/text-threads';
import { loadStarterSet } from '../../src/features/calibrations/starter-set';
import { toTurns } from '../../src/features/calibrations/transcript-turns';
import { clearDeletedRun, deleteOlderThan } from '../../src/features/runs/deleted-runs.store';
import { EventLogStore } from '../../src/features/stream/event-log.store';
import { Database } from '../../src/platform/database/database';
import { readJudgePrompt, startFakeAnthropic, type FakeAnthropic } from '../fakes/anthropic-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { passLease, reconcile, untilDeclined } from '../setup/passing-time';
import { shorter, startTestService, type TestService } from '../setup/service';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';
import { everythingMet } from '../setup/inattentive-judge';

const open: TestService[] = [];
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
  await database.drop();
});

async function start(variables: Record<string, string> = {}): Promise<ApiClient> {
  // A judge that does not answer keeps no service from stopping, and one that is missed at two looks has been missed for long enough.
  const times = [shorter(ActorTimes, { graceMs: 100, missedForMs: 100 })];
  const service = await startTestService(variables, { database, times });
  open.push(service);
  return new ApiClient(service.url);
}

function newest(): TestService {
  const service = open.at(-1);
  if (service === undefined) throw new Error('No service is open.');
  return service;
}

const by = (model: FakeAnthropic, judge = 'claude-opus-4-5') => ({
  ANTHROPIC_API_KEY: 'sk-ant-secret',
  ANTHROPIC_BASE_URL: model.url,
  JUDGE_MODEL: judge,
});

const said = [
  { role: 'patient', content: 'My chest hurts.' },
  { role: 'agent', content: 'Please call 999 now. When did it start?' },
];
const labelled = (criterion: string, ...decisions: string[]) => ({
  criterion,
  points: 5,
  tags: [],
  labels: decisions.map((decision, at) => ({ rater: `Dr ${at + 1}`, decision })),
});
const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `call-${at + 1}`,
    transcript: said,
    criteria: [
      labelled('Tells the patient to call emergency services now', 'MET', 'MET'),
      labelled('Asks about allergies', 'NOT MET', 'MET'),
    ],
  }));

const label = (rater: string) => ({ rater, decision: 'MET' });
/** Seven marks each. */
const longer = (item: object, at: number) => ({
  ...item,
  id: String(at),
  criteria: Array.from({ length: 7 }, (_, place) => labelled(`Act ${place}`, 'MET')),
});

async function untilOver(api: ApiClient, id: string, withinMs = 30_000): Promise<Answer['body']> {
  let body: Answer['body'];
  await eventually(async () => {
    ({ body } = await api.get(`/api/v1/calibrations/${id}`));
    expect(['completed', 'failed', 'canceled']).toContain(body.status);
  }, withinMs);
  return body;
}

describe('a calibration', () => {
  it('of the offline judge marks a transcript by the emergency number of the region that its agent is in', async () => {
    const api = await start();
    const [item] = items(1);
    const { status, body } = await api.post('/api/v1/calibrations', {
      name: 'Regions',
      items: ['UK', 'US', undefined].map((region) => ({ ...item, id: `in ${region ?? 'no region'}`, region })),
    });
    expect(status).toBe(201);
    const { result } = await untilOver(api, body.id);
    // 999 is no number to call in the United States.
    expect(
      result.disagreements.filter(({ criterion }: { criterion: string }) => /emergency/.test(criterion)),
    ).toMatchObject([{ item_id: 'in US', decisions: ['NOT MET'] }]);
  });

  it('names the regions there are', async () => {
    const api = await start();
    const [item] = items(1);
    const { status, body } = await api.post('/api/v1/calibrations', {
      name: 'Nowhere',
      items: [{ ...item, region: 'MARS' }],
    });
    expect([status, body.error]).toEqual([400, expect.stringMatching(/items\[0\]\.region.*US.*UK.*EU.*AU/)]);
  });

  it('of the offline judge marks the starter set, agrees with itself, and says whose numbers these are', async () => {
    const api = await start();
    const { status, body } = await api.post('/api/v1/calibrations', {
      name: 'Smoke test',
      starter_set: true,
      repeats: 3,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'pending',
      source: 'starter_set',
      repeats: 3,
      transcripts: 40,
      criteria: 120,
      clinical: false,
      judge: { name: 'offline', model: null, prompt_version: RULES_VERSION },
      progress: { total: 120, marked: 0, failed: 0 },
      stale: false,
      changed: [],
      kappa: null,
      ac1: null,
      result: null,
    });
    const over = await untilOver(api, body.id);
    expect(over).toMatchObject({
      status: 'completed',
      progress: { total: 120, marked: 120, failed: 0 },
      result: {
        raters: ['author'],
        agreement: { transcripts: 40, pairs: 360 },
        agreement_clear: { transcripts: 40, pairs: 240 },
        human_agreement: null,
        // The same words always get the same marks: three pairs of repeats of 120 criteria, one of them in the same order.
        consistency: { repeats: { pairs: 120, same: 120, value: 1 }, orders: { pairs: 240, same: 240, value: 1 } },
        controls: { asked: 0, wrong: 0, share: null },
        failed: [],
      },
    });
    expect(over.notes.join(' ')).toMatch(/offline judge.* no clinical meaning.*smoke test/);
    const { agreement } = over.result;
    expect(agreement.confusion.flat().reduce((sum: number, one: number) => sum + one, 0)).toBe(360);
    expect(agreement.raw.low).toBeLessThan(agreement.raw.value);
    expect(agreement.raw.high).toBeGreaterThan(agreement.raw.value);
    const { disagreements, disagreements_total: total } = over.result;
    expect(disagreements).toHaveLength(total);
    expect(disagreements[0]).toMatchObject({ labels: [{ rater: 'author' }], decisions: expect.any(Array) });
    expect((await api.get('/api/v1/calibrations')).body).toMatchObject({
      total: 1,
      calibrations: [
        { id: body.id, status: 'completed', progress: { marked: 120 }, kappa: agreement.kappa, ac1: agreement.ac1 },
      ],
    });
  });

  it('of a model counts control questions, what it cost, and where people differ among themselves', async () => {
    const model = await startFakeAnthropic();
    const api = await start(by(model));
    const { body } = await api.post('/api/v1/calibrations', { name: 'Two raters', items: items(4), repeats: 2 });
    const over = await untilOver(api, body.id);
    expect(over).toMatchObject({
      status: 'completed',
      clinical: true,
      judge: { name: 'anthropic', model: 'claude-opus-4-5', prompt_version: expect.stringMatching(/^[0-9a-f]{12}$/) },
      notes: [],
      result: {
        raters: ['Dr 1', 'Dr 2'],
        // It finds everything MET: right about three labels of four, twice, four times.
        agreement: {
          pairs: 32,
          raw: { value: 0.75 },
          confusion: [
            [24, 0, 0],
            [0, 0, 0],
            [8, 0, 0],
          ],
        },
        agreement_clear: null,
        human_agreement: { pairs: 8, raw: { value: 0.5 } },
        consistency: { repeats: { pairs: 0, value: null }, orders: { pairs: 8, same: 8, value: 1 } },
        controls: { wrong: 0, share: 0 },
        disagreements_total: 4,
      },
    });
    expect(over.result.disagreements[0]).toMatchObject({
      decisions: ['MET', 'MET'],
      evidence: [{ turn: 1, quote: expect.stringMatching(/^(Please call 999 now\.|When did it start\?)/) }],
    });
    expect(over.result.controls.asked).toBeGreaterThanOrEqual(16);
    expect(over.result.usage.calls).toBe(model.calls.judge);
    expect(over.result.usage.cost_usd).toBeGreaterThan(0);
    expect(JSON.stringify(model.raw)).not.toContain('Dr 1');
    await model.close();
  });

  it('keeps what a judge that fails its control questions is worth: no mark, and the share it got wrong', async () => {
    // Whatever it is asked is MET, control questions included.
    const model = await startFakeAnthropic({
      answer: (request) =>
        request.purpose === 'judge' ? { kind: 'json', value: everythingMet(readJudgePrompt(request)) } : undefined,
    });
    const api = await start(by(model));
    const { body } = await api.post('/api/v1/calibrations', { name: 'Yes to all', items: items(2) });
    const over = await untilOver(api, body.id);
    expect(over).toMatchObject({ status: 'failed', progress: { marked: 0, failed: 2 } });
    expect(over.error_message).toMatch(/^Nothing could be marked: /);
    expect(over.result.failed).toMatchObject([{ count: 2 }]);
    await model.close();
  });

  it('that is canceled ends the calls in flight, and marks nothing further', async () => {
    const model = await startFakeAnthropic({
      answer: ({ purpose }) => (purpose === 'judge' ? { kind: 'hang' } : undefined),
    });
    const api = await start(by(model));
    const { body } = await api.post('/api/v1/calibrations', { name: 'Canceled', items: items(8) });
    await eventually(() => expect(model.inFlight).toBe(4));
    expect((await api.post(`/api/v1/calibrations/${body.id}/cancel`, {})).body).toMatchObject({ status: 'canceled' });
    await eventually(() => expect(model.inFlight).toBe(0));
    const { judge } = model.calls;
    expect((await api.post(`/api/v1/calibrations/${body.id}/cancel`, {})).body.status).toBe('canceled');
    // Another one goes through: the places of the canceled one are free, and it takes none of them.
    const other = (await api.post('/api/v1/calibrations', { name: 'Next', items: items(1) })).body;
    await eventually(() => expect(model.inFlight).toBe(1));
    expect(model.calls.judge).toBe(judge + 1);
    expect((await api.delete(`/api/v1/calibrations/${other.id}`)).status).toBe(204);
    await eventually(() => expect(model.inFlight).toBe(0));
    expect((await api.get(`/api/v1/calibrations/${other.id}`)).status).toBe(404);
    await model.close();
  });

  it('is canceled on another process too', async () => {
    const model = await startFakeAnthropic({
      answer: ({ purpose }) => (purpose === 'judge' ? { kind: 'hang' } : undefined),
    });
    const api = await start(by(model));
    const { body } = await api.post('/api/v1/calibrations', { name: 'Canceled elsewhere', items: items(4) });
    await eventually(() => expect(model.inFlight).toBe(4));
    const other = await start(by(model));
    await other.post(`/api/v1/calibrations/${body.id}/cancel`, {});
    await eventually(() => expect(model.inFlight).toBe(0));
    await model.close();
  });

  it('is left to the process that has its judge by one that has not', async () => {
    let isHeld = true;
    const model = await startFakeAnthropic({
      answer: ({ purpose }) => (isHeld && purpose === 'judge' ? { kind: 'hang' } : undefined),
    });
    const lacking = await start();
    const without = newest();
    const api = await start(by(model));
    const { body } = await api.post('/api/v1/calibrations', { name: 'In mixed company', items: items(6) });
    await eventually(() => expect(model.inFlight).toBe(4));
    const isLeft = async () => {
      await reconcile(without);
      expect(without.app.get(TestRunActors).listIds()).toEqual([]);
      const { body: meanwhile } = await lacking.get(`/api/v1/calibrations/${body.id}`);
      expect([meanwhile.status, meanwhile.error_message]).toEqual(['running', null]);
    };
    await isLeft();
    isHeld = false;
    await open.splice(1)[0]?.close();
    // Nobody has it now; a process with its judge may start.
    await isLeft();
    await start(by(model));
    expect(await untilOver(lacking, body.id, 90_000)).toMatchObject({ status: 'completed', error_message: null });
    await model.close();
  });

  it('ends when the judge becomes another before all is marked, and says so', async () => {
    const model = await startFakeAnthropic({
      answer: ({ purpose }) => (purpose === 'judge' ? { kind: 'hang' } : undefined),
    });
    const api = await start(by(model));
    const { body } = await api.post('/api/v1/calibrations', { name: 'Changed', items: items(2) });
    await eventually(() => expect(model.inFlight).toBe(2));
    await open.splice(0)[0]?.close();
    const later = await start();
    // A process with the judge may come again, for the time of a lease.
    await reconcile(newest());
    expect(newest().app.get(TestRunActors).listIds()).toEqual([]);
    await passLease(newest().app.get(Database), body.id);
    expect(await untilOver(later, body.id, 90_000)).toMatchObject({
      status: 'failed',
      stale: true,
      changed: ['model'],
      error_message:
        'It was begun with anthropic/claude-opus-4-5, and before all was marked no process of this service could mark with ' +
        'it any more: the judge became the offline judge. A calibration is about one judge: start it again.',
    });
    await model.close();
  });

  describe('that cannot be made', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService();
    });
    afterAll(() => service.close());

    it.each<[string, object, RegExp]>([
      ['neither items nor the starter set', {}, /items: is required, unless starter_set is true/],
      ['both', { items: items(1), starter_set: true }, /items: is required, unless/],
      ['an id twice', { items: [...items(1), ...items(1)] }, /items\[1\]\.id: is that of items\[0\] too/],
      [
        'no reply to mark',
        { items: [{ ...items(1)[0], transcript: [said[0]] }] },
        /items\[0\]\.transcript: holds no message/,
      ],
      [
        'a rater twice',
        { items: [{ ...items(1)[0], criteria: [{ criterion: 'A', points: 1, labels: [label('X'), label('X')] }] }] },
        /items\[0\]\.criteria\[0\]\.labels: names a rater twice/,
      ],
      [
        'a decision off the scale',
        { items: [{ ...items(1)[0], rubric_scale: 'binary', criteria: [labelled('A', 'PARTIALLY MET')] }] },
        /PARTIALLY MET is not on the binary scale/,
      ],
      [
        'an unknown decision',
        { items: [{ ...items(1)[0], criteria: [labelled('A', 'YES')] }] },
        /labels\[0\]\.decision/,
      ],
      ['six repeats', { starter_set: true, repeats: 6 }, /repeats/],
      ['too many marks', { items: items(1_000).map(longer), repeats: 5 }, /come to 35000 marks/],
      [
        'a model that may not be used',
        { starter_set: true, judge_model: 'openai/other' },
        /judge_model: this service has no/,
      ],
    ])('is refused with %s, and nothing is stored', async (_what, fields, sentence) => {
      const api = new ApiClient(service.url);
      const { status, body } = await api.post('/api/v1/calibrations', { name: 'Wrong', ...fields });
      expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringMatching(sentence) });
      expect((await api.get('/api/v1/calibrations')).body.total).toBe(0);
    });
  });
});

describe('the run of a calibration', () => {
  it('is shown nowhere among test runs, told to no webhook and kept by retention, and goes with its calibration', async () => {
    const api = await start();
    const rows = open.at(-1)?.app.get(Database);
    if (rows === undefined) throw new Error('No service is open.');
    const hook = (await api.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })).body;
    const { id } = (await api.post('/api/v1/calibrations', { name: 'Seen by none', items: items(3), repeats: 2 })).body;
    await untilOver(api, id);
    expect((await api.get('/api/v1/tests')).body).toMatchObject({ runs: [], total: 0 });
    const [{ id: scenarioRunId = '', agent_id: agentId = '', label = '' } = {}] = await rows.query<{
      id: string;
      agent_id: string;
      label: string;
    }>('SELECT s.id, t.agent_id, t.label FROM scenario_runs s JOIN test_runs t ON t.id = s.test_run_id LIMIT 1');
    for (const path of [
      ...[
        '',
        '/export?format=json',
        '/export-csv',
        '/statistics',
        '/report',
        '/review-queue',
        `/comparison?before=${id}`,
      ].flatMap((rest) => [`/api/v1/tests/${id}${rest}`, `/api/v1/tests/${label}${rest}`]),
      ...['', '/reviews', '/review-sheet', '/screenshot'].map(
        (rest) => `/api/v1/scenario-runs/${scenarioRunId}${rest}`,
      ),
      `/api/v1/agents/${agentId}/history`,
      `/api/v1/inspect/actors?run_id=${id}`,
    ]) {
      expect([path, (await api.get(path)).status]).toEqual([path, 404]);
    }
    // A stream waits for a run that does not exist.
    expect((await open.at(-1)?.app.get(EventLogStore).heads([id]))?.size).toBe(0);
    for (const path of [`/api/v1/tests/${id}/retry`, `/api/v1/tests/${id}/regrade`]) {
      expect([path, (await api.post(path, {})).status]).toEqual([path, 404]);
    }
    expect((await api.post('/cancel-run', { test_run_id: id })).status).toBe(404);
    expect((await api.delete(`/api/v1/tests/${id}`)).status).toBe(404);
    expect((await api.get(`/api/v1/webhooks/${hook.id}`)).body.deliveries).toEqual([]);
    await rows.query(
      `UPDATE test_runs SET created_at = created_at - interval '9 days', completed_at = now() - interval '9 days'`,
    );
    expect(await rows.transaction((tx) => deleteOlderThan(tx, 1))).toEqual([]);

    expect((await api.delete(`/api/v1/calibrations/${id}`)).status).toBe(204);
    while ((await rows.transaction(clearDeletedRun)) !== null);
    for (const table of [
      'test_runs',
      'scenario_runs',
      'turns',
      'run_log',
      'run_examiners',
      'calibrations',
      'calibration_items',
    ]) {
      expect([table, await rows.query(`SELECT FROM ${table}`)]).toEqual([table, []]);
    }
  });

  it('marks every transcript as the judge marks it by itself, with the seed that its repeat was given', async () => {
    const api = await start();
    const [rows, judges] = [open.at(-1)?.app.get(Database), open.at(-1)?.app.get(Judges)];
    const threads = open.at(-1)?.app.get(TextThreads);
    const judge = judges?.find(null);
    if (rows === undefined || threads === undefined || !judge) throw new Error('No service is open.');
    const { id } = (await api.post('/api/v1/calibrations', { name: 'Seeds', starter_set: true, repeats: 2 })).body;
    await untilOver(api, id);
    const set = await loadStarterSet();
    const marked = await rows.query<{ position: number; trial: number; seed: number; decisions: string[] }>(
      `SELECT position, trial, (examination->>'seed')::float8 AS seed,
              (SELECT array_agg(c->>'decision') FROM json_array_elements(criteria_results) c) AS decisions
       FROM scenario_runs ORDER BY position`,
    );
    expect(marked.map(({ position, trial }) => [position, trial])).toEqual(
      [1, 2].flatMap((trial) => set.map((_, at) => [(trial - 1) * set.length + at + 1, trial])),
    );
    expect(new Set(marked.map(({ trial, seed }) => `${trial} ${seed}`)).size).toBe(2);
    for (const [at, item] of set.entries()) {
      for (const { seed, decisions } of marked.filter(({ position }) => (position - 1) % set.length === at)) {
        const { verdict } = await examine(
          {
            judge,
            scenario: { name: '', content: { script: '', demographics: {}, chief_complaint: '' } },
            criteria: item.criteria.map(({ criterion, points, tags }) => ({ criterion, points, tags })),
            transcript: toTurns(item.transcript),
            passThreshold: 50,
            threads,
            seed,
          },
          new AbortController().signal,
        );
        expect([item.id, decisions]).toEqual([item.id, verdict.criteria.map(({ decision }) => decision)]);
      }
    }
  });

  it('waits while the spend limit of the day is reached, and goes on when it is raised', async () => {
    const model = await startFakeAnthropic();
    const api = await start({ ...by(model), MAX_SPEND_USD_PER_DAY: '5' });
    const spent = `INSERT INTO model_spend (day, usd) VALUES ((now() AT TIME ZONE 'UTC')::date, 5)`;
    await open.at(-1)?.app.get(Database).query(spent);
    const { body } = await api.post('/api/v1/calibrations', { name: 'Dear', items: items(3) });
    await untilDeclined(newest(), body.id);
    expect((await api.get(`/api/v1/calibrations/${body.id}`)).body).toMatchObject({
      status: 'pending',
      started_at: null,
    });
    expect(model.calls.judge).toBe(0);
    await open.splice(0)[0]?.close();
    const later = await start({ ...by(model), MAX_SPEND_USD_PER_DAY: '500' });
    expect(await untilOver(later, body.id, 90_000)).toMatchObject({ status: 'completed', progress: { marked: 3 } });
    await model.close();
  });

  it('keeps an error of the judge out of agreement: it is no disagreement', async () => {
    const model = await startFakeAnthropic({
      answer: (request) =>
        request.purpose === 'judge' && JSON.stringify(request.body).includes('Unanswerable')
          ? { kind: 'text', text: 'I would rather not say.' }
          : undefined,
    });
    const api = await start(by(model));
    const [first, ...others] = items(3);
    const unanswerable = others.map((item) => ({ ...item, criteria: [labelled('Unanswerable act', 'MET')] }));
    const { body } = await api.post('/api/v1/calibrations', { name: 'Errors', items: [first, ...unanswerable] });
    const over = await untilOver(api, body.id, 60_000);
    expect(over).toMatchObject({
      status: 'completed',
      error_message: null,
      progress: { total: 3, marked: 1, failed: 2 },
      result: { agreement: { pairs: 4 }, failed: [{ count: 2 }] },
    });
    expect(over.result.disagreements.map(({ item_id }: { item_id: string }) => item_id)).toEqual(['call-1']);
    expect(over.notes).toEqual([expect.stringMatching(/^2 of 3 examinations ended in an error/)]);
    await model.close();
  });
});

describe('kill -9 in the middle of a calibration', () => {
  it('loses no mark: the next start goes on where it was', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-calibration-'));
    let answered = 0;
    let isStuck = true;
    const model = await startFakeAnthropic({
      answer: ({ purpose }) => {
        if (purpose !== 'judge' || !isStuck) return undefined;
        answered += 1;
        return answered > 20 ? { kind: 'hang' } : undefined;
      },
    });
    const variables = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...by(model) };
    let service: ServiceProcess = await startServiceProcess(variables);
    try {
      let api = new ApiClient(service.url);
      const { id } = (await api.post('/api/v1/calibrations', { name: 'Killed', items: items(12) })).body;
      // Twenty calls have an answer, which is enough for some of the marks whatever their order, and the four that are asked next hang.
      await eventually(
        () => expect({ answered, inFlight: model.inFlight }).toEqual({ answered: 24, inFlight: 4 }),
        60_000,
      );
      const before = (await api.get(`/api/v1/calibrations/${id}`)).body;
      expect(before.progress).toEqual({ total: 12, marked: expect.any(Number), failed: 0 });
      expect(before.progress.marked).toBeGreaterThan(0);
      await service.end('SIGKILL');
      const { judge } = model.calls;
      isStuck = false;

      service = await startServiceProcess(variables);
      api = new ApiClient(service.url);
      const over = await untilOver(api, id, 60_000);
      expect(over).toMatchObject({ status: 'completed', progress: { total: 12, marked: 12, failed: 0 } });
      expect(over.result.agreement).toMatchObject({ transcripts: 12, pairs: 48 });
      // What was marked was not marked again.
      const calls = over.result.usage.calls;
      expect(calls).toBeLessThanOrEqual(model.calls.judge);
      expect(model.calls.judge - judge).toBeLessThan(calls);
    } finally {
      await service.end('SIGKILL');
      await model.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
  });
});

describe('the statistics of a run', () => {
  it('say that the judge was never calibrated, then how it did, and that it is stale once the judge is another', async () => {
    const api = await start();
    const store = open.at(-1)?.app.get(Database);
    if (store === undefined) throw new Error('No service is open.');
    const [scenario = ''] = await storeScenarios(store, ['Chest pain']);
    const id = await storeGradedRun(store, [{ id: scenario, name: 'Chest pain', outcomes: ['passed'] }]);
    const query = (sql: string) => store.query(sql);
    const statistics = async () => (await api.get(`/api/v1/tests/${id}/statistics`)).body;
    expect(await statistics()).toMatchObject({
      calibration: null,
      calibration_note: expect.stringMatching(/has not been calibrated/),
    });
    const { body } = await api.post('/api/v1/calibrations', { name: 'Offline', items: items(3) });
    const over = await untilOver(api, body.id);
    const shown = await statistics();
    expect(shown).toMatchObject({
      calibration: {
        id: body.id,
        name: 'Offline',
        at: over.completed_at,
        stale: false,
        changed: [],
        transcripts: 3,
        controls_wrong: null,
      },
      calibration_note: expect.stringMatching(/no clinical meaning/),
    });
    expect(shown.calibration.raw.value).toBe(over.result.agreement.raw.value);
    const judge = (document: string) =>
      query(`UPDATE test_runs SET calibrated_judge = '${document}' WHERE calibrated_judge IS NOT NULL`);
    await judge('{"name":"offline","model":null,"prompt_version":"an earlier one"}');
    expect(await statistics()).toMatchObject({
      calibration: { stale: true, changed: ['prompt_version'] },
      calibration_note: expect.stringMatching(/is stale: it was made with other prompts/),
    });
    await judge('{"name":"openai","model":"m","prompt_version":null}');
    expect((await statistics()).calibration).toBeNull();
  });
});
