import { Database } from '../../src/platform/database/database';
import { ApiClient, type Answer } from '../setup/api-client';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
let ids: string[];
const nameOf = (place: number): string => `Station ${String(place + 1).padStart(2, '0')}`;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  ids = await storeScenarios(
    database,
    Array.from({ length: 60 }, (_, place) => nameOf(place)),
  );
});
afterAll(() => service.close());

const RUBRIC = [
  { criterion: 'Asks about the pain', points: 3, tags: ['history'] },
  { criterion: 'Asks about allergies', points: 3, tags: ['history', 'safety', 'must_pass'] },
  { criterion: 'Tells the patient to call an ambulance', points: 5, tags: ['escalation', 'must_pass'] },
  { criterion: 'Tells the patient to wait until tomorrow', points: -5, tags: ['must_pass'] },
];

/** How a trial went: what it scored, and which criteria of the rubric were met. */
interface Marked {
  readonly passed?: boolean;
  readonly score: number;
  readonly met: readonly boolean[];
}

/** A run of so many of the stations. */
const run = (
  count: number,
  trials: number,
  markedOf: (place: number, trial: number) => Marked,
  { rubric = RUBRIC, ...options }: GradedRunOptions & { readonly rubric?: typeof RUBRIC } = {},
): Promise<string> => {
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const marked = (id: string, trial: number): Marked => markedOf(placeOf.get(id) ?? 0, trial);
  return storeGradedRun(
    database,
    ids.slice(0, count).map((id, place) => ({
      id,
      name: nameOf(place),
      outcomes: Array.from({ length: trials }, (_, at) => (marked(id, at + 1).passed === true ? 'passed' : 'failed')),
      rubric,
    })),
    {
      score: ({ id }, trial) => marked(id, trial).score,
      criteria: ({ id }, trial) =>
        rubric.map(({ criterion, tags, points }, at) => ({
          criterion,
          tags,
          max_points: points,
          decision: marked(id, trial).met[at] === true ? 'MET' : 'NOT MET',
        })),
      ...options,
    },
  );
};

const compare = async (before: string, after: string, query = ''): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/tests/${after}/comparison?before=${before}${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

describe('an agent that failed nearly everything before and after', () => {
  let before: string;
  let after: string;
  beforeAll(async () => {
    // One in sixty passes; before, most stations score something, after it next to nothing.
    before = await run(60, 3, (place, trial) => ({
      passed: place === 59,
      score: place < 42 ? 20 + ((place + trial) % 5) * 2 : place === 59 ? 100 : 5,
      met: [place % 2 === 0, place < 42, place === 59, false],
    }));
    after = await run(60, 3, (place, trial) => ({
      score: place < 42 ? ((place + trial) % 3) * 2 : 5,
      met: [place % 2 === 0, place < 4, false, place < 3],
    }));
  });

  test('is worse when its scores fall and its must-pass violations rise', async () => {
    const found = await compare(before, after);
    expect(found).toMatchObject({ verdict: 'worse', grounds: ['score', 'must_pass'] });
    const [passed, score, mustPass] = found.tests;
    expect(found.tests).toHaveLength(3);
    expect(passed).toMatchObject({ on: 'passed', name: 'sign_flip', p_value: 1, adjusted_p_value: 1 });
    expect(found.test).toEqual({ name: passed.name, p_value: passed.p_value });
    expect(found.difference).toMatchObject({ value: passed.difference, low: passed.low, high: passed.high });
    expect(score).toMatchObject({ on: 'score', name: 'sign_flip', scenarios: 60 });
    expect(score.difference).toBeCloseTo(score.after - score.before, 9);
    expect(score.high).toBeLessThan(0);
    // Fewer is better here: the sign is turned, so that below 0 is worse in all three.
    expect(mustPass).toMatchObject({ on: 'must_pass', name: 'sign_flip', scenarios: 60 });
    expect(mustPass.difference).toBeCloseTo(mustPass.before - mustPass.after, 9);
    expect(mustPass.high).toBeLessThan(0);
    for (const one of [score, mustPass]) {
      expect(one.p_value).toBeLessThan(0.001);
      expect(one.adjusted_p_value).toBeGreaterThanOrEqual(one.p_value);
    }
  });

  test('says the harm first, and of what it did not see no more than that', async () => {
    const { sentence } = await compare(before, after);
    expect(sentence).toMatch(
      /^126 new must-pass violations in 42 scenarios\. Worse: the mean score fell by 17 points, from 19\.9 to 2\.9 % \(95 % interval −\d+(\.\d)? to −\d+(\.\d)?; adjusted p = 0\.00015\); must-pass violations rose by 0\.7 per conversation, from 1\.28 to 1\.98 \(95 % interval 0\.\d+ to 0\.\d+; adjusted p = 0\.00015\)\./,
    );
    expect(sentence).toContain('No evidence either way: the pass rate fell by 1.7 points');
    expect(sentence).not.toMatch(/no change|stayed|the same/i);
  });

  test('lists what moved by pass share, then by score, and calls no other scenario the same', async () => {
    const found = await compare(before, after);
    expect(found.worse).toHaveLength(43);
    expect(found.better).toHaveLength(0);
    expect(found.worse[0]).toMatchObject({
      scenario_name: 'Station 60',
      before: 1,
      after: 0,
      score_before: 100,
      score_after: 5,
    });
    for (const one of found.worse.slice(1)) {
      expect(one).toMatchObject({ before: 0, after: 0 });
      expect(one.score_after).toBeLessThan(one.score_before);
    }
  });

  test('the other way round it is better, though nothing is forgotten', async () => {
    const found = await compare(after, before);
    expect(found).toMatchObject({ verdict: 'better', grounds: ['score', 'must_pass'] });
    expect(found.tests[1].low).toBeGreaterThan(0);
    expect(found.tests[2].low).toBeGreaterThan(0);
  });

  test('the kinds of criteria say where, which hundreds of criteria one by one cannot', async () => {
    const found = await compare(before, after);
    const { criteria_summary: summary, groups } = found;
    expect(summary).toMatchObject({ tested: 240, shown: 0, could_show: false });
    expect(summary.sentence).toContain('one by one none of them could be shown to have changed, however it fared');
    expect(summary.sentence).not.toMatch(/none by more than chance/);
    expect(groups.map(({ group }: { group: string | null }) => group)).toEqual([
      'escalation',
      'history',
      'safety',
      null,
    ]);
    const [escalation, history, safety, untagged] = groups;
    expect(history).toMatchObject({ criteria: 120, scenarios: 60 });
    expect(safety).toMatchObject({ criteria: 60, scenarios: 60 });
    expect(safety.before).toBeCloseTo(42 / 60, 9);
    expect(safety.after).toBeCloseTo(4 / 60, 9);
    expect(safety.difference).toBeCloseTo((safety.after - safety.before) * 100, 9);
    expect(safety.high).toBeLessThan(0);
    expect(safety.adjusted_p_value).toBeLessThan(0.001);
    expect(escalation.adjusted_p_value).toBe(1);
    // What must not be done and was done: met less well than before.
    expect(untagged).toMatchObject({ criteria: 60, before: 1 });
    expect(summary.sentence).toContain(
      'Of the criteria by kind, history and safety were met less well by more than chance explains.',
    );
  });

  test('each category says the scores, too', async () => {
    const [category] = (await compare(before, after)).by_category;
    const [, score] = (await compare(before, after)).tests;
    expect(category.score).toEqual({
      before: expect.closeTo(score.before, 9),
      after: expect.closeTo(score.after, 9),
      value: expect.closeTo(score.difference, 9),
      low: score.low,
      high: score.high,
      method: 'paired_bootstrap',
    });
  });
});

describe('what the family of three comes to', () => {
  const even = (place: number): Marked => ({ passed: true, score: 80 + (place % 3), met: [true, true, true, false] });

  test('mixed: scores rose and must-pass violations with them', async () => {
    const found = await compare(
      await run(12, 2, even),
      await run(12, 2, (place) => ({ passed: true, score: 95 + (place % 3), met: [true, false, true, false] })),
    );
    expect(found).toMatchObject({ verdict: 'mixed', grounds: ['score', 'must_pass'] });
    expect(found.sentence).toMatch(
      /^24 new must-pass violations in 12 scenarios\. Mixed: must-pass violations rose .*; the mean score rose by 15 points/,
    );
  });

  test('alike: the same run twice is evidence of nothing', async () => {
    const found = await compare(await run(12, 2, even), await run(12, 2, even));
    expect(found).toMatchObject({ verdict: 'no_evidence', grounds: [], better: [], worse: [] });
    for (const one of found.tests) {
      expect(one).toMatchObject({ p_value: 1, adjusted_p_value: 1, method: 'exact_bound' });
      expect(one.difference).toBeCloseTo(0, 12);
      expect(one.low).toBeLessThan(0);
      expect(one.high).toBeGreaterThan(0);
    }
  });

  test('trials in another order are no change: sums do not depend on it', async () => {
    const scores = [33.3, 66.7, 12.1];
    const scored = (shift: number) => (_place: number, trial: number) => ({
      score: scores[(trial + shift) % 3] ?? 0,
      met: [],
    });
    expect(await compare(await run(12, 3, scored(0)), await run(12, 3, scored(1)))).toMatchObject({
      verdict: 'no_evidence',
      better: [],
      worse: [],
    });
  });

  test('nothing passed in either run: the pass rate could not fall, and the sentence says so', async () => {
    const nothing = (score: number) => (place: number) => ({ score: score + (place % 3), met: [] });
    const found = await compare(await run(12, 1, nothing(20)), await run(12, 1, nothing(21)));
    expect(found).toMatchObject({ verdict: 'better', grounds: ['score'] });
    expect(found.sentence).toContain('the pass rate was 0 % before and could not fall');
  });

  test('adjusted by Holm over the questions that the scenarios can answer', async () => {
    // Of twelve stations three lost points; no rubric has a must-pass criterion, so there are two questions.
    const rubric = RUBRIC.map((one) => ({ ...one, tags: one.tags.filter((tag) => tag !== 'must_pass') }));
    const found = await compare(
      await run(12, 1, even, { rubric }),
      await run(12, 1, (place) => ({ ...even(place), score: place < 9 ? 40 : even(place).score }), { rubric }),
    );
    const [passed, score, mustPass] = found.tests;
    expect(passed).toMatchObject({ name: 'mcnemar_exact', p_value: 1, adjusted_p_value: 1 });
    expect(score).toMatchObject({ p_value: 2 / 2 ** 9, adjusted_p_value: 4 / 2 ** 9 });
    expect(mustPass).toEqual({
      on: 'must_pass',
      name: 'sign_flip',
      scenarios: 0,
      before: null,
      after: null,
      difference: null,
      low: null,
      high: null,
      method: 'paired_bootstrap',
      p_value: null,
      adjusted_p_value: null,
    });
    expect(found).toMatchObject({ verdict: 'worse', grounds: ['score'] });
  });

  test('cannot tell: so few that none of the three could reach the level', async () => {
    const worst = (): Marked => ({ score: 0, met: [false, false, false, true] });
    const found = await compare(await run(6, 1, even), await run(6, 1, worst));
    expect(found).toMatchObject({ verdict: 'cannot_tell', grounds: [] });
    expect(found.sentence).toBe(
      '18 new must-pass violations in 6 scenarios. Cannot tell: 6 scenarios cannot show a change at 95 %, however they fare; 7 can.',
    );
    expect(await compare(await run(7, 1, even), await run(7, 1, worst))).toMatchObject({
      verdict: 'worse',
      grounds: ['passed', 'score', 'must_pass'],
    });
  });

  test('must-pass criteria in too few scenarios are named as what could not be seen', async () => {
    const plain = RUBRIC.map((one) => ({ ...one, tags: one.tags.filter((tag) => tag !== 'must_pass') }));
    const stored = (marked: (place: number) => Marked) =>
      storeGradedRun(
        database,
        ids.slice(0, 12).map((id, place) => ({
          id,
          name: nameOf(place),
          outcomes: ['failed'],
          rubric: place < 3 ? RUBRIC : plain,
        })),
        { score: ({ id }) => marked(ids.indexOf(id)).score },
      );
    const found = await compare(await stored(even), await stored(even));
    expect(found.tests[2]).toMatchObject({ scenarios: 3, p_value: 1, adjusted_p_value: null });
    expect(found.sentence).toContain('Must-pass violations could not be tested: only 3 scenarios have such criteria');
  });
});
