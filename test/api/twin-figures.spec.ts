import { Random } from '../../bench/simulation/random';
import { Database } from '../../src/platform/database/database';
import type { SpokenView } from '../../contract/spoken';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startSpeechServer } from '../fakes/speech-server';
import type { FakeAgent } from '../fakes/fake-agent';
import type { HttpStub } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { spokenRun } from '../setup/spoken-run';

let speech: HttpStub;
let agent: FakeAgent;
let service: TestService;
let api: ApiClient;
let database: Database;
let text: string;
let phone: string;

const RUBRIC = [
  { criterion: 'Sends the patient to the emergency department.', points: 5, tags: ['must_pass'] },
  { criterion: 'Asks how long it has hurt.', points: 5 },
];

beforeAll(async () => {
  speech = await startSpeechServer();
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  service = await startTestService({ SPEECH_URL: `${speech.origin}/v1`, SPEECH_MODEL: 'speech-1' });
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  const critical = await createScenarios(api, 6, { severity: 'critical', rubric_criteria: RUBRIC });
  const low = await createScenarios(api, 2, { severity: 'low', rubric_criteria: RUBRIC });
  const { body } = await api.post('/start-run', {
    agent_id: await createAgent(api, agent.baseUrl),
    scenario_ids: [...critical, ...low],
    trials: 2,
    max_turns: 5,
  });
  phone = await toldAsSpoken(body.id, { line: 'phone' });
  text = (await api.post('/start-run', { twin_of: phone })).body.id;
  await untilFinal(api, text);
  await mark(text, () => 'MM');
  await mark(phone, inTrial(1, 'NM'));
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await speech.close();
});

/** Tells of a run in text that it was spoken, when it has ended: the next twin of it is in text again, which needs no room. */
async function toldAsSpoken(id: string, way: Partial<SpokenView>): Promise<string> {
  await untilFinal(api, id);
  await database.query(`UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = $1`, [
    id,
    JSON.stringify(spokenRun(way)),
  ]);
  return id;
}

const inTrial = (which: number, letters: string) => (trial: number) => (trial === which ? letters : 'MM');

/** Writes the marks of a run: for each conversation the letters of its two criteria, the first of which must be passed. */
async function mark(id: string, lettersOf: (trial: number, position: number) => string): Promise<void> {
  const rows = await database.query<{ position: number; trial: number }>(
    'SELECT position, trial FROM scenario_runs WHERE test_run_id = $1 ORDER BY position',
    [id],
  );
  for (const { position, trial } of rows) {
    const letters = lettersOf(trial, position);
    const passed = letters.startsWith('M');
    const violations = passed ? [] : [{ criterion: RUBRIC[0]?.criterion, kind: 'missed' }];
    await database.query(
      `UPDATE scenario_runs SET status = $3, passed = $4, error_code = NULL, score_percent = $5, decisions = $6, findings = $7
       WHERE test_run_id = $1 AND position = $2`,
      [
        id,
        position,
        passed ? 'passed' : 'failed',
        passed,
        [...letters].filter((letter) => letter === 'M').length * 50,
        letters,
        JSON.stringify({ violations, disputed: 0, flags: [], patient_faults: [] }),
      ],
    );
  }
}

const withoutVerdict = (id: string, position: number) =>
  database.query(
    `UPDATE scenario_runs SET status = 'error', error_code = 'speech_failed', passed = NULL, score_percent = NULL, decisions = NULL,
            findings = NULL WHERE test_run_id = $1 AND position = $2`,
    [id, position],
  );

const compared = async (before: string, after: string): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/tests/${after}/comparison?before=${before}&min_coverage=0&as=twins`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

type Numbers = Record<string, unknown>;
const figuresOf = ({ tests, difference, by_category, groups, criteria, better, worse, twins }: Answer['body']) => ({
  tests: tests.map(({ on, before, after, low, high, p_value }: Numbers) => ({ on, before, after, low, high, p_value })),
  difference,
  by_category,
  groups,
  criteria,
  better,
  worse,
  kinds: twins.criteria,
});

test('kinds of criteria of two twins: what must be passed against the rest, and by severity, over the pairs', async () => {
  const { twins, tests, verdict } = await compared(text, phone);
  // Eight scenarios that all lost half of their must-pass criterion: 2 of 2⁸ patterns are as extreme. Three kinds can show a change.
  expect(twins.criteria).toEqual([
    expect.objectContaining({ by: 'must_pass', group: 'must_pass', criteria: 8, scenarios: 8, before: 1, after: 0.5 }),
    expect.objectContaining({ by: 'must_pass', group: 'others', criteria: 8, scenarios: 8, before: 1, after: 1 }),
    expect.objectContaining({ by: 'severity', group: 'critical', criteria: 12, scenarios: 6, before: 1, after: 0.75 }),
    expect.objectContaining({ by: 'severity', group: 'low', criteria: 4, scenarios: 2, before: 1, after: 0.75 }),
  ]);
  expect(twins.criteria).toMatchObject([
    { difference: -50, p_value: 2 / 2 ** 8, adjusted_p_value: 3 * (2 / 2 ** 8), method: 'exact_bound' },
    { difference: 0, p_value: 1, adjusted_p_value: 1 },
    { difference: -25, p_value: 2 / 2 ** 6, adjusted_p_value: 2 * (2 / 2 ** 6) },
    { difference: -25, p_value: 2 / 2 ** 2, adjusted_p_value: null },
  ]);
  for (const { low, difference, high } of twins.criteria) {
    expect(low).toBeLessThanOrEqual(difference);
    expect(high).toBeGreaterThanOrEqual(difference);
  }
  expect(tests).toMatchObject(
    ['passed', 'score', 'must_pass'].map((on) => ({ on, p_value: 2 / 2 ** 8, adjusted_p_value: 3 * (2 / 2 ** 8) })),
  );
  expect(verdict).toBe('worse');
  expect(twins.lines).toEqual([{ id: phone, test_run_id: expect.any(String), way: 'spoken over phone' }]);
  expect(twins.against).toMatchObject({ id: text, way: 'in text' });
  expect(twins.adjustment).toMatch(/no other line of the family has ended\.$/);
});

test('a pair of which either has no verdict counts in no figure, whatever the other came to', async () => {
  await withoutVerdict(phone, 9);
  await withoutVerdict(text, 10);
  const whole = figuresOf(await compared(text, phone));
  expect(whole.tests).toMatchObject([
    // Scenarios 1 and 2 have their first trial alone, which failed by phone; the six others passed once in two.
    { on: 'passed', before: 100, after: 37.5 },
    { on: 'score', before: 100, after: 68.75 },
    { on: 'must_pass', before: 0, after: 0.625 },
  ]);
  expect(whole.kinds).toMatchObject([
    { group: 'must_pass', after: 0.375 },
    { after: 1 },
    { after: 2 / 3 },
    { after: 0.75 },
  ]);
  await mark(text, (_, position) => (position === 9 ? 'NN' : 'MM'));
  await withoutVerdict(text, 10);
  await mark(phone, (trial, position) => (trial === 1 ? 'NM' : position === 10 ? 'NN' : 'MM'));
  await withoutVerdict(phone, 9);
  const other = await compared(text, phone);
  expect(figuresOf(other)).toEqual(whole);
  expect(other.twins.pairs).toMatchObject({ total: 16, compared: 14, only_before_passed: 8, both_passed: 6 });
  await mark(text, () => 'MM');
  await mark(phone, inTrial(1, 'NM'));
});

test('without errors, and with one line, a comparison of twins is the comparison of any two runs', async () => {
  const random = new Random(20_261_128);
  const marks = ['MM', 'MN', 'NM', 'NN'];
  for (let drawn = 0; drawn < 5; drawn += 1) {
    for (const id of [text, phone]) await mark(id, () => marks[random.integer(0, marks.length - 1)] ?? 'MM');
    const { twins, ...asTwins } = await compared(text, phone);
    await database.query('UPDATE test_runs SET twin_of = NULL WHERE id = $1', [text]);
    const { body } = await api.get(`/api/v1/tests/${phone}/comparison?before=${text}&min_coverage=0`);
    await database.query('UPDATE test_runs SET twin_of = $2 WHERE id = $1', [text, phone]);
    expect(body).toEqual({ ...asTwins, twins: null });
    expect(twins.pairs).toMatchObject({ total: 16, compared: 16 });
  }
  await mark(text, () => 'MM');
  await mark(phone, inTrial(1, 'NM'));
});

const reportOf = async (id: string): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/tests/${id}/report?format=json`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.report;
};
const pageOf = async (id: string) => (await fetch(`${service.url}/api/v1/tests/${id}/report`)).text();

test('the report of either run says on its first pages what voice costs, and names the other run', async () => {
  const { twins, tests, verdict } = await compared(text, phone);
  for (const [id, other] of [
    [text, phone],
    [phone, text],
  ] as const) {
    expect((await reportOf(id)).twins).toEqual([
      expect.objectContaining({
        before: expect.objectContaining({ id: text }),
        after: expect.objectContaining({ id: phone }),
        ...{ verdict, tests, pairs: twins },
      }),
    ]);
    const page = await pageOf(id);
    const [first = ''] = page.split('Contents');
    const words = first.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('What voice costs');
    expect(words).toContain(other);
    expect(words).toMatch(
      /in text, run_\w+ .* 16 of 16 100\.0 % 100\.0 % spoken over phone, run_\w+ .* 16 of 16 50\.0 % 0\.023 75\.0 % 0\.023/,
    );
    expect(words).toMatch(/must-pass criteria 8 100\.0 % 50\.0 % −50\.00 .* 0\.023/);
    expect(words).toMatch(/criteria of low scenarios 2 100\.0 % 75\.0 % −25\.00 .* not tested/);
    expect(words).toContain(twins.adjustment);
  }
  await database.query('UPDATE test_runs SET twin_of = NULL WHERE id = $1', [text]);
  expect(await reportOf(text)).not.toHaveProperty('twins');
  expect(await pageOf(text)).not.toMatch(/What (voice|the line) costs/);
  await database.query('UPDATE test_runs SET twin_of = $2 WHERE id = $1', [text, phone]);
});

describe('with several lines', () => {
  let wideband: string;
  let noisy: string;
  let waiting: string;
  beforeAll(async () => {
    const twin = async () => (await api.post('/start-run', { twin_of: phone })).body.id;
    wideband = await toldAsSpoken(await twin(), { line: 'wideband' });
    noisy = await toldAsSpoken(await twin(), { line: 'phone', noise: 'babble:10' });
    await mark(wideband, () => 'MM');
    await mark(noisy, inTrial(2, 'NM'));
    ({
      body: { id: waiting },
    } = await api.post('/start-run', { twin_of: phone, scheduled_at: '9000-01-01T00:00:00Z' }));
    await database.query(`UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = $1`, [
      waiting,
      JSON.stringify(spokenRun({ line: 'mobile_bad' })),
    ]);
  });

  test('the p-values of all lines against the run in text are adjusted together', async () => {
    const p = 2 / 2 ** 8;
    const { twins, tests, verdict, sentence } = await compared(text, phone);
    expect(twins.lines).toMatchObject([{ id: wideband }, { id: phone }, { id: noisy }]);
    // Nine questions: of two lines three that are as extreme as can be, of the best line three that show nothing.
    expect(tests).toMatchObject(Array.from({ length: 3 }, () => ({ p_value: p, adjusted_p_value: 9 * p })));
    // What eight scenarios show of one line they cannot show of three: 9 × 2 of 2⁸ is no less than 0.05, and 9 × 2 of 2⁹ is.
    expect(verdict).toBe('cannot_tell');
    expect(sentence).toMatch(/8 scenarios cannot show a change at 95 %, however they fare; 9 can\.$/);
    expect(twins.sentence).toMatch(/ Adjusted for 3 lines together\. These runs cannot tell whether that is chance\.$/);
    expect(twins.adjustment).toMatch(
      /^The p-values are adjusted by Holm’s method for all 3 lines together, each against in text: spoken over wideband \(run_.*\); spoken over phone \(run_.*\); spoken over phone with babble:10 \(run_.*\)\.$/,
    );
    // Nine kinds: two at 2 of 2⁸ patterns, two at 2 of 2⁶, five that show nothing.
    expect(twins.criteria.map(({ adjusted_p_value: adjusted }: Numbers) => adjusted)).toEqual([
      9 * p,
      1,
      7 * (2 / 2 ** 6),
      null,
    ]);
    const best = await compared(text, wideband);
    expect(best.tests).toMatchObject(Array.from({ length: 3 }, () => ({ p_value: 1, adjusted_p_value: 1 })));
  });

  test('from either side, and from each line, the family is the same', async () => {
    const [there, back, other] = [
      await compared(text, phone),
      await compared(phone, text),
      await compared(text, noisy),
    ];
    expect(back.twins.lines).toEqual(there.twins.lines);
    expect(other.twins.lines).toEqual(there.twins.lines);
    const adjusted = ({ tests }: Answer['body']) => tests.map(({ adjusted_p_value: p }: Numbers) => p);
    expect(adjusted(back)).toEqual(adjusted(there));
    expect(adjusted(other)).toEqual(adjusted(there));
  });

  test('the report of the run in text has all of them, and that of a line itself alone', async () => {
    const named = async (id: string) =>
      (await reportOf(id)).twins.map(({ before, after }: Answer['body']) => [before.id, after.id]);
    expect(await named(text)).toEqual([wideband, phone, noisy].map((line) => [text, line]));
    expect(await named(noisy)).toEqual([[text, noisy]]);
  });

  test('two spoken runs are adjusted with the worse lines alone', async () => {
    const { twins } = await compared(phone, noisy);
    expect(twins.against).toMatchObject({ id: phone });
    expect(twins.lines).toMatchObject([{ id: noisy }]);
    const { twins: fromBest } = await compared(wideband, noisy);
    expect(fromBest.lines).toMatchObject([{ id: phone }, { id: noisy }]);
  });

  test('a line that is deleted is in no family any more', async () => {
    for (const id of [wideband, noisy]) await api.delete(`/api/v1/tests/${id}`);
    const { tests, twins } = await compared(text, phone);
    expect(twins.lines).toMatchObject([{ id: phone }]);
    expect(tests).toMatchObject(Array.from({ length: 3 }, () => ({ adjusted_p_value: 3 * (2 / 2 ** 8) })));
  });
});
