import { randomUUID } from 'node:crypto';
import { USUAL_PATIENT, type PatientProfile } from '../../src/domain/patient';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios } from '../setup/examination';
import { storeGradedRun, storeScenarios, type GradedScenario } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
let ids: string[];
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  ids = await storeScenarios(
    database,
    Array.from({ length: 24 }, (_, place) => `Scenario ${place + 1}`),
  );
});
afterAll(() => service.close());

const nameOf = (place: number) => `Scenario ${place + 1}`;

/** A run of so many of the scenarios. */
const scenarios = (count: number, outcomesOf: (place: number) => readonly string[]): GradedScenario[] =>
  ids.slice(0, count).map((id, place) => ({ id, name: nameOf(place), outcomes: outcomesOf(place) }));

const run = (count: number, outcomesOf: (place: number) => readonly string[], options = {}) =>
  storeGradedRun(database, scenarios(count, outcomesOf), options);

const compare = async (before: string, after: string, query = ''): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/tests/${after}/comparison?before=${before}${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

const ANXIOUS: PatientProfile = { style: 'anxious', language: 'de' };
const one = (passes: boolean) => [passes ? 'passed' : 'failed'];

describe('the verdict of a comparison', () => {
  test('worse: eight of twenty-four turned, none the other way', async () => {
    const before = await run(24, () => one(true));
    const after = await run(24, (place) => one(place >= 8));
    const found = await compare(before, after);
    expect(found).toMatchObject({
      before: { id: before, agent_name: 'Stored agent' },
      after: { id: after },
      confidence: 95,
      scenarios: { compared: 24, changed: 0, only_before: 0, only_after: 0, ungraded: 0 },
      test: { name: 'mcnemar_exact', p_value: 2 / 2 ** 8 },
      verdict: 'worse',
      trials_needed: null,
      better: [],
      doubts: [],
    });
    expect(found.difference.value).toBeCloseTo(-100 / 3, 9);
    expect(found.difference.low).toBeLessThan(found.difference.value);
    expect(found.difference.high).toBeLessThan(0);
    expect(found.worse).toHaveLength(8);
    expect(found.worse[0]).toMatchObject({ scenario_name: 'Scenario 1', before: 1, after: 0 });
    expect(found.sentence).toMatch(
      /^Worse: the pass rate fell by 33.3 points, from 100 to 66.7 % \(95 % interval −\d+(\.\d)? to −\d+(\.\d)?; adjusted p = 0.0078\)\.$/,
    );
    expect(await compare(after, before)).toMatchObject({
      verdict: 'better',
      sentence: expect.stringMatching(/^Better: the pass rate rose/),
    });
    // The same p-value is none at a level of 99.5 %.
    expect(await compare(before, after, '&confidence=99.5')).toMatchObject({ verdict: 'no_evidence' });
  });

  test('no evidence: one more failed, which is within noise', async () => {
    const before = await run(24, (place) => one(place >= 4));
    const after = await run(24, (place) => one(place >= 5));
    const found = await compare(before, after);
    expect(found).toMatchObject({ verdict: 'no_evidence', test: { p_value: 1 } });
    expect(found.sentence).toContain('No evidence of a change: the pass rate fell by 4.2 points, from 83.3 to 79.2 %');
    expect(found.sentence).toContain('with 24 scenarios at one trial each that is within noise (p = 1)');
    expect(found.difference.low).toBeLessThan(0);
    expect(found.difference.high).toBeGreaterThanOrEqual(0);
  });

  test('a run like another shows no difference, and does not pretend to know it to the point', async () => {
    const outcomes = (place: number) => one(place >= 4);
    const found = await compare(await run(24, outcomes), await run(24, outcomes));
    expect(found).toMatchObject({
      verdict: 'no_evidence',
      difference: { value: 0, method: 'exact_bound' },
      test: { p_value: 1 },
      trials_needed: null,
    });
    expect(found.difference.low).toBeLessThan(-10);
    expect(found.difference.high).toBeGreaterThan(10);
    expect(found.sentence).toContain('the pass rate was 83.3 % before and 83.3 % after');
  });

  test('over trials: the scenarios’ shares are tested by sign-flip, and a scenario is one observation', async () => {
    const half = ['passed', 'failed', 'passed', 'failed'];
    const before = await run(12, () => ['passed', 'passed', 'passed', 'passed']);
    const after = await run(12, (place) => (place < 8 ? half : ['passed', 'passed', 'passed', 'passed']));
    const found = await compare(before, after);
    expect(found).toMatchObject({ verdict: 'worse', test: { name: 'sign_flip', p_value: 2 / 2 ** 8 } });
    expect(found.worse[0]).toMatchObject({ before: 1, after: 0.5 });
  });

  test('says how many trials would show a difference that is within noise', async () => {
    const before = await run(24, (place) => one(place >= 3));
    const after = await run(24, (place) => one(place < 3 || place >= 10));
    const found = await compare(before, after);
    // (z₀.₉₇₅ + z₀.₈)² · 0.4058 / (24 · (4 / 24)²) = 4.8
    expect(found).toMatchObject({ verdict: 'no_evidence', trials_needed: 5 });
    expect(found.sentence).toContain('About 5 trials of each would show a change of the pass rate of this size.');
  });

  test('cannot tell: too few scenarios, however they fare', async () => {
    const found = await compare(await run(5, () => one(true)), await run(5, () => one(false)));
    expect(found).toMatchObject({ verdict: 'cannot_tell', test: { p_value: 0.0625 } });
    expect(found.sentence).toBe('Cannot tell: 5 scenarios cannot show a change at 95 %, however they fare; 6 can.');
    expect(await compare(await run(6, () => one(true)), await run(6, () => one(false)))).toMatchObject({
      verdict: 'worse',
    });
  });

  test('cannot tell: too little of a run has a verdict', async () => {
    const whole = await run(24, () => one(true));
    const holed = await run(24, (place) => (place < 2 ? ['provider_timeout'] : one(false)));
    const found = await compare(whole, holed);
    expect(found).toMatchObject({ verdict: 'cannot_tell', scenarios: { compared: 22, ungraded: 2 } });
    expect(found.sentence).toBe(
      'Cannot tell: in the run after 91.7 % of the conversations have a verdict, and 95 % are needed.',
    );
    expect(await compare(whole, holed, '&min_coverage=90')).toMatchObject({ verdict: 'worse' });
    expect(await compare(holed, whole)).toMatchObject({ sentence: expect.stringContaining('in the run before') });
  });

  test('cannot tell: other examiners', async () => {
    const metadata = {
      tester: { name: 'anthropic', model: 'm-1' },
      judge: { name: 'anthropic', model: 'm-2', prompt_version: 'a' },
    };
    const [before, after] = [await run(24, () => one(true)), await run(24, () => one(false), { metadata })];
    const found = await compare(before, after);
    expect(found).toMatchObject({ verdict: 'cannot_tell' });
    expect(found.doubts).toEqual([
      {
        kind: 'examiners',
        sentence: 'Patient and judge: offline and offline before, anthropic m-1 and anthropic m-2 after.',
      },
    ]);
    const judge = { ...metadata.judge, prompt_version: 'b' };
    const sameModels = await run(24, () => one(true), { metadata: { ...metadata, judge } });
    expect(await compare(sameModels, after)).toMatchObject({ verdict: 'worse', doubts: [{ kind: 'prompts' }] });
  });

  test('cannot tell: other patients', async () => {
    const [before, after] = [await run(24, () => one(true)), await run(24, () => one(false), { patients: [ANXIOUS] })];
    expect(await compare(before, after)).toMatchObject({
      verdict: 'cannot_tell',
      sentence: 'Cannot tell: the runs had different patients, which may account for any change.',
      doubts: [{ kind: 'patients', sentence: 'Patients: cooperative patient before, anxious patient, de after.' }],
    });
    const both = await run(24, () => one(false), { patients: [ANXIOUS, USUAL_PATIENT] });
    expect(await compare(before, both)).toMatchObject({ verdict: 'cannot_tell' });
    const again = await run(24, () => one(true), { patients: [USUAL_PATIENT, ANXIOUS] });
    expect(await compare(again, both)).toMatchObject({ verdict: 'worse', doubts: [] });
  });

  test('cannot tell: nothing in common', async () => {
    const others = await storeScenarios(database, ['Elsewhere']);
    const elsewhere = await storeGradedRun(database, [{ id: others[0] ?? '', name: 'Elsewhere', outcomes: one(true) }]);
    const found = await compare(await run(3, () => one(true)), elsewhere);
    expect(found).toMatchObject({
      verdict: 'cannot_tell',
      scenarios: { compared: 0, only_before: 3, only_after: 1 },
      difference: { value: null, low: null, high: null },
      test: { p_value: null },
      criteria: [],
    });
  });
});

describe('what is compared', () => {
  test('scenarios whose text or rubric was changed meanwhile are left out, counted and named', async () => {
    const before = scenarios(12, () => one(true));
    const after = scenarios(12, () => one(false)).map((scenario, place) => ({
      ...scenario,
      ...(place === 0 && { content: { script: 'Another one.' } }),
      ...(place === 1 && { rubric: [{ criterion: 'Anything', points: 1, tags: [] }] }),
    }));
    const found = await compare(await storeGradedRun(database, before), await storeGradedRun(database, after));
    expect(found.scenarios).toEqual({ compared: 10, changed: 2, only_before: 0, only_after: 0, ungraded: 0 });
    expect(found.doubts).toEqual([
      {
        kind: 'scenario_text',
        sentence: 'Left out because their text was changed between the runs: "Scenario 1".',
      },
      { kind: 'rubric', sentence: 'Left out because their rubric was changed between the runs: "Scenario 2".' },
    ]);
  });

  test('an order of fields is no change', async () => {
    const withContent = (content: object) =>
      scenarios(6, () => one(true)).map((scenario) => ({ ...scenario, content }));
    const before = await storeGradedRun(database, withContent({ script: 'a', chief_complaint: 'b' }));
    const after = await storeGradedRun(database, withContent({ chief_complaint: 'b', script: 'a' }));
    expect(await compare(before, after)).toMatchObject({ scenarios: { compared: 6, changed: 0 } });
  });

  test('names other regions, where other numbers reach emergency services', async () => {
    const [here, there] = [
      await run(8, () => one(true), { region: 'US' }),
      await run(8, () => one(true), { region: 'UK' }),
    ];
    expect((await compare(here, there)).doubts).toEqual([{ kind: 'region', sentence: 'Region: US before, UK after.' }]);
    const again = await run(8, () => one(true), { region: 'UK' });
    expect((await compare(there, again)).doubts).toEqual([]);
  });

  test('names every other difference', async () => {
    const before = await run(8, () => one(true));
    const after = await run(7, () => ['passed', 'passed'], { maxTurns: 7, region: 'UK', status: 'canceled' });
    expect((await compare(before, after)).doubts.map(({ sentence }: { sentence: string }) => sentence)).toEqual([
      'The run after is canceled: not all of it was carried out.',
      'Left out because they are in only one of the runs: 1 of the run before, 0 of the run after.',
      'Trials: 1 before, 2 after.',
      'Turns of a conversation: 6 before, 7 after.',
      'Region: not said before, UK after.',
    ]);
  });
});

describe('criteria', () => {
  const rubric = [
    { criterion: 'Calls for help', points: 5, tags: ['must_pass'] },
    { criterion: 'Doubles the dose', points: -5, tags: [] },
    { criterion: 'Explains', points: 1, tags: [] },
  ];
  const marksOf = (decisions: readonly string[]) =>
    rubric.map(({ criterion, points, tags }, place) => ({
      criterion,
      tags,
      decision: decisions[place] ?? 'NOT MET',
      max_points: points,
    }));
  const stored = (outcome: string, decisionsOf: (trial: number) => readonly string[]) =>
    storeGradedRun(
      database,
      scenarios(6, () => Array.from({ length: 6 }, () => outcome)).map((scenario) => ({ ...scenario, rubric })),
      {
        criteria: ({ name }, trial) => marksOf(name === 'Scenario 1' ? decisionsOf(trial) : ['MET', 'NOT MET', 'MET']),
      },
    );

  test('that were met less well are tested over trials, adjusted over all; a new must-pass violation is named whatever p says', async () => {
    const before = await stored('passed', () => ['MET', 'NOT MET', 'MET']);
    const after = await stored('failed', (trial) => ['NOT MET', trial === 1 ? 'MET' : 'NOT MET', 'PARTIALLY MET']);
    const found = await compare(before, after);
    expect(found.criteria).toEqual([
      // McNemar over six trials, all one way; Holm over 18 criteria.
      {
        scenario_id: ids[0],
        scenario_name: 'Scenario 1',
        criterion: 'Calls for help',
        before: 1,
        after: 0,
        p_value: 0.03125,
        adjusted_p_value: 0.5625,
      },
      // Sign-flip, since it was met in part.
      {
        scenario_id: ids[0],
        scenario_name: 'Scenario 1',
        criterion: 'Explains',
        before: 1,
        after: 0.5,
        p_value: 0.03125,
        adjusted_p_value: 0.5625,
      },
      expect.objectContaining({ criterion: 'Doubles the dose', before: 1, p_value: 1, adjusted_p_value: 1 }),
    ]);
    expect(found.new_must_pass_violations).toHaveLength(6);
    expect(found.new_must_pass_violations[0]).toMatchObject({
      scenario_id: ids[0],
      scenario_name: 'Scenario 1',
      trial: 1,
      criterion: 'Calls for help',
      kind: 'missed',
    });
    const again = await stored('failed', () => ['NOT MET', 'NOT MET', 'MET']);
    expect((await compare(after, again)).new_must_pass_violations).toEqual([]);
  });
});

describe('criteria of several patients', () => {
  test('are compared patient by patient: what one lost and the other won is no change', async () => {
    const rubric = [{ criterion: 'Calls for help', points: 5, tags: [] }];
    const stored = (metBy: string) =>
      storeGradedRun(
        database,
        scenarios(6, () => one(true)).map((scenario) => ({ ...scenario, rubric })),
        {
          patients: [USUAL_PATIENT, ANXIOUS],
          criteria: (_scenario, _trial, { style }) => [
            { criterion: 'Calls for help', tags: [], decision: style === metBy ? 'MET' : 'NOT MET', max_points: 5 },
          ],
        },
      );
    const [before, after] = [await stored('cooperative'), await stored('anxious')];
    expect((await compare(before, after)).criteria).toEqual([]);
    const nobody = await stored('nobody');
    expect((await compare(before, nobody)).criteria[0]).toMatchObject({ before: 0.5, after: 0, p_value: 1 });
  });
});

describe('a comparison is refused', () => {
  let known: string;
  beforeAll(async () => {
    known = await run(6, () => one(true));
  });

  test.each([
    ['without a run to measure by', () => `${known}/comparison`, 400, 'before: is required'],
    ['of a run with itself', () => `${known}/comparison?before=${known}`, 400, 'a run cannot be compared with itself'],
    ['of a run with itself by its label', () => `${known}/comparison?before=run_${known}`, 400, 'with itself'],
    [
      'with a run that does not exist',
      () => `${known}/comparison?before=${randomUUID()}`,
      404,
      'before: test run not found',
    ],
    ['of a run that does not exist', () => `${randomUUID()}/comparison?before=${known}`, 404, 'Test run not found'],
    ['at no confidence', () => `${known}/comparison?before=x&confidence=0`, 400, 'confidence: must be at least 50'],
    [
      'at all confidence',
      () => `${known}/comparison?before=x&confidence=100`,
      400,
      'confidence: must be less than 100',
    ],
    ['at a confidence that is no number', () => `${known}/comparison?before=x&confidence=x`, 400, 'confidence'],
    ['with a coverage above all', () => `${known}/comparison?before=x&min_coverage=101`, 400, 'min_coverage'],
  ])('%s', async (_what, path, status, error) => {
    expect(await api.get(`/api/v1/tests/${path()}`)).toMatchObject({
      status,
      body: { error: expect.stringContaining(error) },
    });
  });

  test('while either run is under way', async () => {
    const slow = await startFakeOpenAi({ delayMs: 600_000 });
    const { body } = await api.post('/start-run', {
      agent_id: await createAgent(api, slow.baseUrl, { turn_timeout_ms: 600_000 }),
      scenario_ids: await createScenarios(api, 1),
    });
    expect(await api.get(`/api/v1/tests/${body.id}/comparison?before=${known}`)).toMatchObject({
      status: 409,
      body: { error: `The run after (${body.test_run_id}) is running: compare when it has ended.` },
    });
    expect(await api.get(`/api/v1/tests/${known}/comparison?before=${body.test_run_id}`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('The run before') },
    });
    await api.post('/cancel-run', { id: body.id });
    await slow.close();
  });

  test('by its label a run is found', async () => {
    const label = `run_${await run(6, () => one(true))}`;
    expect(await compare(label, `run_${known}`)).toMatchObject({ before: { test_run_id: label } });
  });
});
