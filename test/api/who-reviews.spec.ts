import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { ApiClient, type Answer } from '../setup/api-client';
import { ApiDescription } from '../setup/api-description';
import { eventually } from '../setup/eventually';
import { untilFinal } from '../setup/examination';
import { OFFLINE, storeGradedRun, storeScenarios } from '../setup/graded-run';
import { aReview, conversationsOf, review, storeTurns, type Decided } from '../setup/reviewed-runs';
import { startTestService, type TestService } from '../setup/service';

const ADMIN = 'key-of-the-admin-0123456789-01';
const NAMES = ['alice', 'bob', 'carol', 'dave'] as const;
type Name = (typeof NAMES)[number];
const keyOf = (name: Name): string => `key-of-${name}-0123456789-0123456789`;

let service: TestService;
let second: TestService;
let database: Database;
const clients = new Map<string, ApiClient>();

beforeAll(async () => {
  const variables = {
    SERVICE_API_KEY: ADMIN,
    SERVICE_RUNNER_KEY: NAMES.map((name) => `${name}:${keyOf(name)}`).join(','),
  };
  service = await startTestService(variables);
  second = await startTestService(variables, { database: service.database });
  database = service.app.get(Database);
  for (const name of NAMES) clients.set(name, new ApiClient(service.url, { 'x-api-key': keyOf(name) }));
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const as = (name: Name): ApiClient => {
  const client = clients.get(name);
  if (client === undefined) throw new Error(`There is no key of ${name}.`);
  return client;
};

const MARKS = [
  { criterion: 'Sends for an ambulance', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 },
  { criterion: 'Asks when it began', tags: [], decision: 'MET', max_points: 3 },
];
const RUBRIC = MARKS.map(({ criterion, tags, max_points: points }) => ({ criterion, tags, points }));
const PASSES: Decided[] = ['MET', 'MET'];
const FAILS: Decided[] = ['NOT MET', 'MET'];

interface Stored {
  readonly run: string;
  readonly scenario: string;
  readonly conversation: string;
}

/** A run of one conversation that the judge failed; nobody was shown anything of it. */
async function storedRun(of: Database = database): Promise<Stored> {
  const [scenario = ''] = await storeScenarios(of, ['Chest pain']);
  const run = await storeGradedRun(of, [{ id: scenario, name: 'Chest pain', outcomes: ['failed'], rubric: RUBRIC }], {
    criteria: () => MARKS,
    metadata: { ...OFFLINE, tester: { ...OFFLINE.tester, prompt_version: 'abc' } },
  });
  await storeTurns(of, run, [['My chest hurts.', 'Please call an ambulance now.']]);
  // Its history groups verdicts by these.
  await of.query(`UPDATE test_runs SET agent_config_hash = 'abc' WHERE id = $1`, [run]);
  await of.query(
    `UPDATE scenario_runs SET scenario_revision = 1, scenario_content_hash = 'def' WHERE test_run_id = $1`,
    [run],
  );
  return { run, scenario, conversation: await conversationOf(run, of) };
}

async function conversationOf(run: string, of: Database = database): Promise<string> {
  const [conversation = ''] = await conversationsOf(of, run);
  return conversation;
}

const path = (conversation: string): string => `/api/v1/scenario-runs/${conversation}/reviews`;
const send = (name: Name, conversation: string, decided: Decided[], fields: object = {}): Promise<Answer> =>
  as(name).post(path(conversation), aReview(decided, fields));
const effectiveOf = async (conversation: string) =>
  (await as('dave').get(`/api/v1/scenario-runs/${conversation}`)).body.effective;

describe('a review', () => {
  test('names the key that wrote it, beside the name that its writer gave', async () => {
    const { conversation } = await storedRun();
    const { body } = await send('alice', conversation, PASSES, { reviewer: 'Dr. Osei' });
    expect(body).toMatchObject({ reviewer: 'Dr. Osei', key_name: 'alice' });
    expect((await as('bob').get(path(conversation))).body.reviews).toMatchObject([{ key_name: 'alice' }]);
  });

  test('from another key does not replace one of the same name', async () => {
    const { conversation } = await storedRun();
    await send('alice', conversation, PASSES, { reviewer: 'Dr. Osei' });
    await send('bob', conversation, FAILS, { reviewer: 'dr. osei' });
    // Two reviewers who differ: doubt earns no points.
    expect(await effectiveOf(conversation)).toMatchObject({ passed: false, score_percent: 37.5 });
    expect((await as('carol').get(path(conversation))).body).toMatchObject({ total: 2, disagreements: 1 });
    await send('bob', conversation, PASSES, { reviewer: 'Dr. Osei' });
    expect((await as('carol').get(path(conversation))).body).toMatchObject({ total: 3, disagreements: 0 });
  });

  test('from one key under another name is refused: a key is one reviewer, and has one voice', async () => {
    const { conversation } = await storedRun();
    await send('alice', conversation, FAILS, { reviewer: 'Dr. Osei' });
    const refused = await send('alice', conversation, PASSES, { reviewer: 'Dr. Weiss' });
    expect(refused).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^reviewer: .*"alice".*"Dr\. Osei"/) },
    });
    expect((await send('alice', conversation, PASSES, { reviewer: ' dr.  OSEI ' })).status).toBe(201);
  });

  test('settles what two others decided, by a key that wrote neither', async () => {
    const { conversation } = await storedRun();
    const adjudicate = (name: Name, reviewer: string) =>
      send(name, conversation, PASSES, { reviewer, role: 'adjudicator' });
    await send('alice', conversation, FAILS, { reviewer: 'Dr. Osei' });
    await send('bob', conversation, PASSES, { reviewer: 'Dr. Weiss' });
    expect(await adjudicate('bob', 'Dr. Third')).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^role: .*"bob"/) },
    });
    expect((await adjudicate('carol', 'Dr. Third')).status).toBe(201);
    expect(await effectiveOf(conversation)).toMatchObject({ passed: true });
  });

  test('of two under one name is counted as of two people in the agreement', async () => {
    const { run, conversation } = await storedRun();
    await send('alice', conversation, PASSES, { reviewer: 'Dr. Osei' });
    await send('bob', conversation, FAILS, { reviewer: 'Dr. Osei' });
    expect((await as('dave').get(`/api/v1/agreement?test_run_id=${run}`)).body).toMatchObject({
      raters: 2,
      between_reviewers: { pairs: 2 },
    });
  });
});

/** Everything that shows how a conversation was marked, or how others decided. */
const SHOWS: readonly (readonly [string, (stored: Stored) => string])[] = [
  ['its scenario run', ({ conversation }) => `/api/v1/scenario-runs/${conversation}`],
  ['the list of scenario runs', ({ run }) => `/api/v1/scenario-runs?test_run_id=${run}`],
  ['the statistics', ({ run }) => `/api/v1/tests/${run}/statistics`],
  ['the report', ({ run }) => `/api/v1/tests/${run}/report`],
  ['the report as JSON', ({ run }) => `/api/v1/tests/${run}/report?format=json`],
  ['the export as JSON', ({ run }) => `/api/v1/tests/${run}/export?format=json`],
  ['the export as CSV', ({ run }) => `/api/v1/tests/${run}/export-csv`],
  ['the export for CI', ({ run }) => `/api/v1/tests/${run}/export?format=junit`],
  ['the history of its scenario', ({ scenario }) => `/api/v1/scenarios/${scenario}/history`],
  ['the queue with its reasons', ({ run }) => `/api/v1/tests/${run}/review-queue`],
  ['the grid of its run', ({ run }) => `/api/v1/grid?test_run_id=${run}`],
  ['the state of its actor', ({ conversation }) => `/api/v1/inspect/actors/${conversation}`],
  ['the steps of its run', ({ run }) => `/api/v1/inspect/actors/${run}`],
];

/** What a reviewer reads before deciding. */
const SHOWS_NOTHING: readonly (readonly [string, (stored: Stored) => string])[] = [
  ['the sheet', ({ conversation }) => `/api/v1/scenario-runs/${conversation}/review-sheet`],
  ['the queue without its reasons', ({ run }) => `/api/v1/tests/${run}/review-queue?blind=true`],
  ['the run, whose numbers are of no conversation', ({ run }) => `/api/v1/tests/${run}`],
  ['the list of runs', () => '/api/v1/tests'],
  ['the agreement, while there are no reviews', ({ run }) => `/api/v1/agreement?test_run_id=${run}`],
  ['the list of reviews, while there are none', ({ conversation }) => path(conversation)],
];

/** Read by anybody who looks at the service, and about no conversation’s marks. Who adds an endpoint decides on which side it stands. */
const NO_MARKS = [
  '/api/v1/tests',
  '/api/v1/tests/{id}',
  '/api/v1/run-sets/{id}',
  '/api/v1/scenario-runs/{id}/screenshot',
  '/api/v1/scenario-runs/{id}/recording.wav',
  '/api/v1/scenario-runs/{id}/peaks',
  '/api/v1/scenario-runs/{id}/speech',
  '/api/v1/scenario-runs/{id}/review-sheet',
  '/api/v1/inspect/machines',
  '/api/v1/inspect/actors',
  '/api/v1/audit',
  '/api/v1/agents',
  '/api/v1/agents/{id}',
  '/api/v1/agents/{id}/history',
  '/api/v1/scenarios',
  '/api/v1/scenarios/{id}',
  '/api/v1/scenarios/{id}/revisions',
  '/api/v1/test-suites',
  '/api/v1/test-suites/{id}',
  '/api/v1/calibrations',
  '/api/v1/calibrations/{id}',
  '/api/v1/schedules',
  '/api/v1/schedules/{id}',
  '/api/v1/schedules/{id}/starts',
  '/api/v1/schedule-preview',
  '/api/v1/webhooks',
  '/api/v1/keys',
  '/api/v1/sign-in',
  '/api/v1/webhooks/{id}',
  '/api/v1/me',
  '/health',
  '/health/ready',
  '/health/live',
  '/metrics',
];
/** With marks, and tried below. */
const MARKS_SHOWN = [
  '/api/v1/tests/{id}/export',
  '/api/v1/tests/{id}/export-csv',
  '/api/v1/tests/{id}/statistics',
  '/api/v1/tests/{id}/speech',
  '/api/v1/tests/{id}/comparison',
  '/api/v1/run-sets/{id}/comparisons',
  '/api/v1/tests/{id}/report',
  '/api/v1/tests/{id}/review-queue',
  '/api/v1/scenario-runs',
  '/api/v1/scenario-runs/{id}',
  '/api/v1/scenario-runs/{id}/reviews',
  '/api/v1/scenarios/{id}/history',
  '/api/v1/agreement',
  '/api/v1/grid',
  '/api/v1/inspect/actors/{id}',
  '/api/v1/inspect/actors/{id}/events',
  '/events',
];

test('of everything that can be read it is known whether it shows marks', async () => {
  const { operations } = await ApiDescription.of(service.url, ADMIN);
  const read = operations.filter(({ method }) => method === 'GET').map(({ path: at }) => at);
  expect(read.filter((at) => !NO_MARKS.includes(at)).sort()).toEqual([...MARKS_SHOWN].sort());
});

describe('whether a review is blind', () => {
  test.each(SHOWS)('is known by the service: a key that was shown %s is not', async (_what, pathOf) => {
    const stored = await storedRun();
    expect((await as('alice').get(pathOf(stored))).status).toBe(200);
    const { body } = await send('alice', stored.conversation, PASSES, { blind: true });
    expect(body).toMatchObject({ blind: false, not_blind_because: expect.stringContaining('"alice"') });
    expect((await send('bob', stored.conversation, PASSES)).body).toMatchObject({
      blind: true,
      not_blind_because: null,
    });
  });

  test.each(SHOWS_NOTHING)('is not changed by %s', async (_what, pathOf) => {
    const stored = await storedRun();
    expect((await as('alice').get(pathOf(stored))).status).toBe(200);
    expect((await send('alice', stored.conversation, PASSES)).body).toMatchObject({ blind: true });
  });

  test('is not when the comparison with another run, of which it was the one or the other, was shown', async () => {
    for (const place of [0, 1]) {
      const stored = [await storedRun(), await storedRun()];
      const [before, after] = stored.map(({ run }) => run);
      expect((await as('alice').get(`/api/v1/tests/${after}/comparison?before=${before}`)).status).toBe(200);
      const { body } = await send('alice', stored[place]?.conversation ?? '', PASSES);
      expect(body).toMatchObject({ blind: false });
    }
  });

  test('is not when the comparisons of the set that its run was started in were shown', async () => {
    for (const place of [0, 1]) {
      const stored = [await storedRun(), await storedRun()];
      const set = randomUUID();
      await database.query('INSERT INTO run_sets (id) VALUES ($1)', [set]);
      await database.query('UPDATE test_runs SET run_set_id = $1 WHERE id = ANY($2::uuid[])', [
        set,
        stored.map(({ run }) => run),
      ]);
      expect((await as('alice').get(`/api/v1/run-sets/${set}/comparisons`)).status).toBe(200);
      const { body } = await send('alice', stored[place]?.conversation ?? '', PASSES);
      expect(body).toMatchObject({ blind: false });
    }
  });

  test('is not when the agreement, or what others decided, was shown; an adjudicator has to read the latter', async () => {
    const { run, conversation } = await storedRun();
    await send('alice', conversation, PASSES);
    await send('bob', conversation, FAILS);
    await as('carol').get(path(conversation));
    expect((await send('carol', conversation, PASSES, { role: 'adjudicator' })).body).toMatchObject({ blind: true });
    expect((await send('carol', conversation, PASSES)).body).toMatchObject({
      blind: false,
      not_blind_because: expect.stringContaining('others'),
    });
    await as('dave').get(`/api/v1/agreement?test_run_id=${run}`);
    expect((await send('dave', conversation, PASSES, { role: 'adjudicator' })).body).toMatchObject({ blind: false });
  });

  test('is not when another process showed them', async () => {
    const { conversation } = await storedRun();
    await new ApiClient(second.url, { 'x-api-key': keyOf('alice') }).get(`/api/v1/scenario-runs/${conversation}`);
    expect((await send('alice', conversation, PASSES)).body).toMatchObject({ blind: false });
  });

  test('is not when its run was followed', async () => {
    const { run, conversation } = await storedRun();
    const follow = async (name: Name, at: string) => {
      const stream = await fetch(service.url + at, { headers: { 'x-api-key': keyOf(name) } });
      await stream.body?.cancel();
      expect((await send(name, conversation, PASSES)).body).toMatchObject({ blind: false });
    };
    await follow('alice', `/events?run_id=${run}`);
    await follow('bob', `/api/v1/inspect/actors/${conversation}/events`);
  });

  test('is not when the same conversation was shown as another run has marked it', async () => {
    const { run, conversation } = await storedRun();
    const { body: again } = await as('bob').post(`/api/v1/tests/${run}/regrade`, { rubric: 'as_run' });
    await as('alice').get(`/api/v1/tests/${run}/statistics`);
    await untilFinal(as('bob'), again.id);
    const regraded = await conversationOf(again.id);
    expect((await send('alice', regraded, PASSES)).body).toMatchObject({ blind: false });
    await as('carol').get(`/api/v1/scenario-runs/${regraded}`);
    expect((await send('carol', conversation, PASSES)).body).toMatchObject({ blind: false });
    expect((await send('dave', regraded, PASSES)).body).toMatchObject({ blind: true });
  });

  test('is not when the reviewer says so', async () => {
    const { conversation } = await storedRun();
    expect((await send('alice', conversation, PASSES, { blind: false })).body).toMatchObject({ blind: false });
  });

  test('is told before the review is written, with who one is', async () => {
    const { conversation } = await storedRun();
    const sheet = async (name: Name) =>
      (await as(name).get(`/api/v1/scenario-runs/${conversation}/review-sheet`)).body.you;
    expect(await sheet('alice')).toEqual({ key_name: 'alice', reviewer: null, blind: true, not_blind_because: null });
    await as('alice').get(`/api/v1/scenario-runs/${conversation}`);
    await send('alice', conversation, PASSES, { reviewer: 'Dr. Osei' });
    expect(await sheet('alice')).toEqual({
      key_name: 'alice',
      reviewer: 'Dr. Osei',
      blind: false,
      not_blind_because: expect.stringContaining('judge marked'),
    });
    expect(await sheet('bob')).toMatchObject({ key_name: 'bob', reviewer: null, blind: true });
  });

  test('leaves one row for a key and a run, however often it is shown, and none when the run is gone', async () => {
    const { run, conversation } = await storedRun();
    for (let times = 0; times < 3; times += 1) {
      await as('alice').get(`/api/v1/scenario-runs/${conversation}`);
      await as('alice').get(`/api/v1/tests/${run}/statistics`);
    }
    const rows = () => database.query('SELECT * FROM shown_marks WHERE test_run_id = $1', [run]);
    expect(await rows()).toHaveLength(2);
    await new ApiClient(service.url, { 'x-api-key': ADMIN }).delete(`/api/v1/tests/${run}`);
    await eventually(async () => expect(await rows()).toEqual([]));
  });
});

describe('on a service without keys', () => {
  let open: TestService;
  let api: ApiClient;
  beforeAll(async () => {
    open = await startTestService();
    api = new ApiClient(open.url);
  });
  afterAll(() => open.close());

  test('people are told apart by their names alone, and what was shown was shown to everybody', async () => {
    const { conversation } = await storedRun(open.app.get(Database));
    const first = await review(api, conversation, FAILS, { reviewer: 'A' });
    expect(first).toMatchObject({ key_name: null, blind: true });
    await review(api, conversation, PASSES, { reviewer: 'B' });
    await api.get(`/api/v1/scenario-runs/${conversation}`);
    const { body } = await api.get(`/api/v1/scenario-runs/${conversation}/review-sheet`);
    expect(body.you).toEqual({
      key_name: null,
      reviewer: null,
      blind: false,
      not_blind_because: expect.stringContaining('no keys'),
    });
    expect(await review(api, conversation, PASSES, { reviewer: 'C' })).toMatchObject({ key_name: null, blind: false });
    expect(await review(api, conversation, PASSES, { reviewer: 'D', role: 'adjudicator' })).toMatchObject({
      role: 'adjudicator',
    });
  });
});
