import { randomUUID } from 'node:crypto';
import type { Region } from '../../src/domain/region';
import { Database } from '../../src/platform/database/database';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { OFFLINE, storeGradedRun, storeScenarios } from '../setup/graded-run';
import { aReview, conversationsOf, review, storeTurns, type Decided } from '../setup/reviewed-runs';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
});
afterAll(() => service.close());

const AGENT_SAID = 'Since when does it hurt?\nPlease **call** an ambulance now.';
const MARKS = [
  { criterion: 'Sends for an ambulance', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 },
  { criterion: 'Asks when it began', tags: [], decision: 'MET', max_points: 3 },
  { criterion: 'Tells the patient to drive', tags: [], decision: 'NOT MET', max_points: -4 },
];

/** A run of as many scenarios that the judge failed; answers its id and the ids of its scenario runs. */
async function storedRun(
  scenarios = 1,
  outcome = 'failed',
  content: object = {},
  region: Region | null = null,
): Promise<{ id: string; scenarioRuns: string[] }> {
  const names = Array.from({ length: scenarios }, (_, place) => `Chest pain ${place + 1}`);
  const ids = await storeScenarios(database, names);
  const id = await storeGradedRun(
    database,
    names.map((name, place) => ({ id: ids[place] ?? '', name, outcomes: [outcome], content })),
    { criteria: () => MARKS, metadata: OFFLINE, region },
  );
  await storeTurns(database, id, [
    ['My chest hurts.', AGENT_SAID],
    ['Since an hour.', 'An ambulance is the right thing.'],
  ]);
  return { id, scenarioRuns: await conversationsOf(database, id) };
}

async function oneConversation(outcome?: string, content?: object): Promise<string> {
  const { scenarioRuns } = await storedRun(1, outcome, content);
  return scenarioRuns[0] ?? '';
}

const PASSES: Decided[] = ['MET', 'MET', 'NOT MET'];
const FAILS: Decided[] = ['NOT MET', 'MET', 'NOT MET'];
const send = (id: string, body: object): Promise<Answer> => api.post(`/api/v1/scenario-runs/${id}/reviews`, body);
const effectiveOf = async (id: string) => (await api.get(`/api/v1/scenario-runs/${id}`)).body.effective;

describe('a review', () => {
  test('is stored as it was given, and listed oldest first', async () => {
    const id = await oneConversation();
    const given = {
      reviewer: ' Dr. Osei ',
      role: 'reviewer',
      blind: true,
      global_rating: 4,
      comment: 'Calm and clear.',
      criteria: [
        { index: 2, decision: 'NOT MET', rationale: '', evidence: [] },
        {
          index: 0,
          decision: 'MET',
          rationale: 'At once.',
          evidence: [{ turn: 1, quote: 'Please **call** an ambulance now.' }],
        },
        {
          index: 1,
          decision: 'PARTIALLY MET',
          rationale: '',
          evidence: [{ turn: 1, quote: 'when does it hurt?\nPlease' }],
        },
      ],
    };
    const { status, body } = await send(id, given);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      scenario_run_id: id,
      number: 1,
      reviewer: 'Dr. Osei',
      blind: true,
      global_rating: 4,
      comment: 'Calm and clear.',
      // 5 of 5 and half of 3, of 8.
      score_percent: 81.3,
      passed: true,
      criteria: [
        { index: 0, criterion: 'Sends for an ambulance', decision: 'MET', rationale: 'At once.' },
        { index: 1, decision: 'PARTIALLY MET' },
        { index: 2, decision: 'NOT MET', evidence: [] },
      ],
    });
    await review(api, id, FAILS, { reviewer: 'Dr. Weiss' });
    const { body: list } = await api.get(`/api/v1/scenario-runs/${id}/reviews`);
    expect(list).toMatchObject({ total: 2, disagreements: 2 });
    expect(list.reviews[0]).toEqual(body);
    expect(list.reviews.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
  });

  test('changes nothing of what the judge has marked, nor of the run, its events and its export but for what holds', async () => {
    const { id, scenarioRuns } = await storedRun(2);
    const [first = ''] = scenarioRuns;
    const rows = () =>
      database.query(
        `SELECT md5(string_agg(s::text, '' ORDER BY s.id)) AS scenario_runs,
                (SELECT md5(t::text) FROM test_runs t WHERE t.id = $1) AS test_run
         FROM scenario_runs s WHERE s.test_run_id = $1`,
        [id],
      );
    const read = async () => {
      const { body } = await api.get(`/api/v1/scenario-runs/${first}`);
      const { effective: _, ...judged } = body;
      return { judged, run: (await api.get(`/api/v1/tests/${id}`)).body, rows: await rows() };
    };
    const before = await read();
    const csv = (await api.get(`/api/v1/tests/${id}/export-csv`)).body;
    await review(api, first, PASSES);
    expect(await read()).toEqual(before);
    expect((await api.get(`/api/v1/tests/${id}/export-csv`)).body).toBe(csv);
    expect(await effectiveOf(first)).toEqual({ passed: true, score_percent: 100, by: 'review' });
    const { body: statistics } = await api.get(`/api/v1/tests/${id}/statistics`);
    expect(statistics).toMatchObject({
      pass_rate: 0,
      graded_pass_rate: { value: 0 },
      reviewed: { scenario_runs: 1, changed: 1 },
      reviewed_pass_rate: { value: 50, method: 'wilson' },
    });
  });

  test('a run without reviews has no reviewed pass rate', async () => {
    const { id } = await storedRun();
    expect((await api.get(`/api/v1/tests/${id}/statistics`)).body).toMatchObject({
      reviewed: { scenario_runs: 0, changed: 0 },
      reviewed_pass_rate: null,
    });
  });

  test('with the same Idempotency-Key is stored once', async () => {
    const id = await oneConversation();
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const body = JSON.stringify(aReview(PASSES));
    const path = `/api/v1/scenario-runs/${id}/reviews`;
    const answers = [await api.send('POST', path, { headers, body }), await api.send('POST', path, { headers, body })];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await api.get(path)).body.total).toBe(1);
  });

  test('of twenty that arrive at once each gets its own number', async () => {
    const id = await oneConversation();
    const reviewers = Array.from({ length: 20 }, (_, place) => `Reviewer ${place}`);
    const stored = await Promise.all(reviewers.map((reviewer) => review(api, id, PASSES, { reviewer })));
    const numbers = stored.map(({ number }) => Number(number)).sort((one, other) => one - other);
    expect(numbers).toEqual(reviewers.map((_, place) => place + 1));
  });

  test('is gone with its run', async () => {
    const { id, scenarioRuns } = await storedRun();
    await review(api, scenarioRuns[0] ?? '', PASSES);
    await api.delete(`/api/v1/tests/${id}`);
    expect((await api.get(`/api/v1/scenario-runs/${scenarioRuns[0]}/reviews`)).status).toBe(404);
    await eventually(async () =>
      expect(await database.query('SELECT 1 FROM reviews WHERE scenario_run_id = $1', [scenarioRuns[0]])).toEqual([]),
    );
  });
});

describe('the sheet of a review', () => {
  test('holds the conversation and the criteria, and nothing of what the judge decided', async () => {
    const id = await oneConversation();
    await review(api, id, PASSES, { reviewer: 'A', comment: 'Well done.' });
    const { status, body } = await api.get(`/api/v1/scenario-runs/${id}/review-sheet`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      scenario_run_id: id,
      region: null,
      decisions: ['MET', 'PARTIALLY MET', 'NOT MET'],
      criteria: [
        { index: 0, criterion: 'Sends for an ambulance', points: 5, tags: ['must_pass'] },
        { index: 1, criterion: 'Asks when it began', points: 3 },
        { index: 2, points: -4 },
      ],
      reviewers: ['A'],
      disagreements: 0,
    });
    expect(body.transcript).toHaveLength(4);
    const { decisions: _, ...rest } = body;
    expect(JSON.stringify(rest)).not.toMatch(/MET|passed|failed|score|rationale|evidence|Well done/);
  });

  test('says where the patient is, whose emergency number is not everyone’s', async () => {
    const { scenarioRuns } = await storedRun(1, 'failed', {}, 'UK');
    expect((await api.get(`/api/v1/scenario-runs/${scenarioRuns[0]}/review-sheet`)).body.region).toBe('UK');
  });

  test('there is none of what was not graded', async () => {
    const id = await oneConversation('provider_error');
    expect((await api.get(`/api/v1/scenario-runs/${id}/review-sheet`)).status).toBe(409);
    expect((await api.get(`/api/v1/scenario-runs/${randomUUID()}/review-sheet`)).status).toBe(404);
  });
});

describe('several reviews of a conversation', () => {
  test('of one reviewer: the last one counts, however the name is written', async () => {
    const id = await oneConversation();
    await review(api, id, FAILS, { reviewer: 'Dr. Osei' });
    await review(api, id, PASSES, { reviewer: 'dr.  osei ' });
    expect(await effectiveOf(id)).toMatchObject({ passed: true, by: 'review' });
  });

  test.each([
    ['one way', ['Dr. Osei', 'Dr. Weiss']],
    ['the other way', ['Dr. Weiss', 'Dr. Osei']],
  ])('of two who differ earn no points in doubt and excuse no fault, whoever came first: %s', async (_way, order) => {
    const id = await oneConversation();
    const given: Record<string, Decided[]> = {
      'Dr. Osei': ['MET', 'MET', 'MET'],
      'Dr. Weiss': ['MET', 'NOT MET', 'NOT MET'],
    };
    for (const reviewer of order) await review(api, id, given[reviewer] ?? [], { reviewer });
    // 5 of the first, none of the second, −4 of the third, of 8.
    expect(await effectiveOf(id)).toEqual({ passed: false, score_percent: 12.5, by: 'review' });
    expect((await api.get(`/api/v1/scenario-runs/${id}/reviews`)).body.disagreements).toBe(2);
  });

  test('of three: what two of them say', async () => {
    const id = await oneConversation();
    await review(api, id, FAILS, { reviewer: 'A' });
    await review(api, id, PASSES, { reviewer: 'B' });
    await review(api, id, PASSES, { reviewer: 'C' });
    expect(await effectiveOf(id)).toMatchObject({ passed: true });
  });

  test('an adjudication settles them, also for reviews that come after it', async () => {
    const id = await oneConversation();
    await review(api, id, FAILS, { reviewer: 'A' });
    const early = await send(id, aReview(PASSES, { reviewer: 'C', role: 'adjudicator' }));
    expect(early).toMatchObject({ status: 409, body: { error: expect.stringContaining('two') } });
    await review(api, id, PASSES, { reviewer: 'B' });
    expect(await effectiveOf(id)).toMatchObject({ passed: false });
    expect(await send(id, aReview(PASSES, { reviewer: 'B', role: 'adjudicator' }))).toMatchObject({ status: 409 });
    await review(api, id, PASSES, { reviewer: 'C', role: 'adjudicator' });
    expect(await effectiveOf(id)).toEqual({ passed: true, score_percent: 100, by: 'review' });
    await review(api, id, FAILS, { reviewer: 'D' });
    expect(await effectiveOf(id)).toMatchObject({ passed: true });
    expect((await api.get(`/api/v1/scenario-runs/${id}/reviews`)).body.disagreements).toBe(0);
  });
});

describe('what does not fit is refused in words', () => {
  const decided = (index: number, fields: object = {}) => ({ index, decision: 'MET', ...fields });

  test.each([
    [
      'an index that the rubric has not',
      [decided(0), decided(1), decided(3)],
      'criteria[2].index: there is no criterion 3',
    ],
    [
      'a criterion decided twice',
      [decided(0), decided(1), decided(1)],
      'criteria[2].index: criterion 1 is decided twice',
    ],
    ['a criterion left out', [decided(0), decided(2)], 'criteria: no decision on 1'],
    ['a decision of another family', [decided(0, { decision: 'YES' }), decided(1), decided(2)], 'criteria[0].decision'],
    [
      'words that the agent did not say so',
      [decided(0, { evidence: [{ turn: 1, quote: 'Please call an ambulance now.' }] }), decided(1), decided(2)],
      'criteria[0].evidence[0].quote: the agent’s reply in turn 1 does not hold these words exactly',
    ],
    [
      'more quotes that are wrong than are named',
      [
        decided(0, { evidence: Array.from({ length: 10 }, () => ({ turn: 1, quote: 'a' + 'b'.repeat(9_999) })) }),
        decided(1, { evidence: Array.from({ length: 10 }, () => ({ turn: 1, quote: 'zq' })) }),
        decided(2, { evidence: [{ turn: 9, quote: 'd' }] }),
      ],
      'criteria[1].evidence[9].quote: the agent’s reply in turn 1 does not hold these words exactly',
    ],
    [
      'words of the patient',
      [decided(0), decided(1, { evidence: [{ turn: 2, quote: 'Since an hour.' }] }), decided(2)],
      'criteria[1].evidence[0].quote: these are the patient’s words in turn 2',
    ],
    [
      'a turn that there was not',
      [decided(0, { evidence: [{ turn: 9, quote: 'x' }] }), decided(1), decided(2)],
      'criteria[0].evidence[0].turn: the conversation has no turn 9',
    ],
  ])('%s', async (_case, criteria, words) => {
    const id = await oneConversation();
    const { status, body } = await send(id, { reviewer: 'Dr. Osei', criteria });
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringContaining(words) });
    expect((await api.get(`/api/v1/scenario-runs/${id}/reviews`)).body.total).toBe(0);
  });

  test.each([
    ['reviewer', { reviewer: ' ' }],
    ['reviewer', { reviewer: undefined }],
    ['global_rating', { global_rating: 6 }],
    ['role', { role: 'judge' }],
    ['blind', { blind: 'yes' }],
  ])('%s', async (field, fields) => {
    const { status, body } = await send(await oneConversation(), aReview(PASSES, fields));
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringContaining(field) });
  });

  test('PARTIALLY MET, where the rubric is marked MET or NOT MET', async () => {
    const id = await oneConversation('failed', { rubric_scale: 'binary' });
    const { status, body } = await send(id, aReview(['PARTIALLY MET', 'MET', 'NOT MET']));
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: expect.stringContaining('criteria[0].decision'),
    });
  });

  test('a scenario run that was not graded, and one that there is not', async () => {
    const ended = await send(await oneConversation('provider_error'), aReview(PASSES));
    expect(ended).toMatchObject({ status: 409, body: { error: expect.stringContaining('not graded') } });
    for (const id of [randomUUID(), 'not-an-id']) {
      expect((await send(id, aReview(PASSES))).status).toBe(404);
      expect((await api.get(`/api/v1/scenario-runs/${id}/reviews`)).status).toBe(404);
    }
  });
});
