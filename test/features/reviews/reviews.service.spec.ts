import { randomUUID } from 'node:crypto';
import type { CreateReviewRequest } from '../../../contract/review-decisions';
import type { ReviewView } from '../../../contract/reviews';
import { ANYONE, type Caller } from '../../../src/platform/access/caller';
import { ShownMarks } from '../../../src/features/shown-marks/shown-marks';
import { ShownMarksStore } from '../../../src/features/shown-marks/shown-marks.store';
import { ReviewsService } from '../../../src/features/reviews/reviews.service';
import { ReviewsStore } from '../../../src/features/reviews/reviews.store';
import { TextJobFailed } from '../../../src/examiners/threads/text-thread';
import { TextThreads } from '../../../src/examiners/threads/text-threads';
import { LineFull } from '../../../src/examiners/threads/thread-lines';
import { OFFLINE, storeGradedRun, storeScenarios } from '../../setup/graded-run';
import { conversationsOf, storeTurns, type Decided } from '../../setup/reviewed-runs';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openTextThreads } from '../../setup/text-threads';

let runs: StoredRuns;
let reviews: ReviewsService;
let marksShown: ShownMarksStore;
const threads = openTextThreads();
beforeAll(async () => {
  runs = await openStoredRuns();
  marksShown = new ShownMarksStore(runs.database);
  const store = new ReviewsStore(runs.database);
  reviews = new ReviewsService(store, runs.scenarioRunReads, threads, marksShown, new ShownMarks(marksShown));
});
afterAll(() => runs.close());

const keyOf = (name: string): Caller => ({ id: `key ${name}`, name, role: 'runner' });
const ALICE = keyOf('alice');
const BOB = keyOf('bob');
const CAROL = keyOf('carol');

const MARKS = [
  { criterion: 'Sends for an ambulance', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 },
  { criterion: 'Asks when it began', tags: ['history'], decision: 'MET', max_points: 3 },
];

type Decision = CreateReviewRequest['criteria'][number];

interface Conversation {
  readonly id: string;
  readonly run: string;
}

async function conversation(
  outcome = 'failed',
  marks: readonly ((typeof MARKS)[number] & { readonly check?: string })[] = MARKS,
  content: object = {},
): Promise<Conversation> {
  const name = `Chest pain ${randomUUID()}`;
  const [scenario = ''] = await storeScenarios(runs.database, [name]);
  const run = await storeGradedRun(runs.database, [{ id: scenario, name, outcomes: [outcome], content }], {
    criteria: () => marks,
    metadata: OFFLINE,
  });
  await storeTurns(runs.database, run, [['My chest hurts.', 'Since when does it hurt?']]);
  const [id = ''] = await conversationsOf(runs.database, run);
  return { id, run };
}

const PASSES: readonly Decided[] = ['MET', 'MET'];
const FAILS: readonly Decided[] = ['NOT MET', 'MET'];

/** A review as it is read from a request. */
const requestOf = (decisions: readonly Decided[], fields: Partial<CreateReviewRequest> = {}): CreateReviewRequest => ({
  role: 'reviewer',
  comment: '',
  criteria: decisions.map((decision, index) => ({ index, decision, rationale: '', evidence: [] })),
  ...fields,
});

const add = (
  { id }: Conversation,
  caller: Caller,
  decisions: readonly Decided[] = PASSES,
  fields: Partial<CreateReviewRequest> = {},
): Promise<ReviewView> => reviews.add(id, requestOf(decisions, fields), caller, () => Promise.resolve());

describe('what is not there to review', () => {
  test.each([
    ['pending', 'This scenario run is under way: it can be reviewed once the judge has marked it.'],
    ['running', 'This scenario run is under way: it can be reviewed once the judge has marked it.'],
    ['grading', 'This scenario run is under way: it can be reviewed once the judge has marked it.'],
    ['canceled', 'This scenario run was not graded: there are no marks to review.'],
    ['error', 'This scenario run was not graded: there are no marks to review.'],
  ])('is said of a scenario run that is %s', async (status, sentence) => {
    const one = await conversation('canceled');
    await runs.database.query(
      `UPDATE scenario_runs SET status = $2, error_code = CASE WHEN $2 = 'error' THEN 'provider_error' END WHERE id = $1`,
      [one.id, status],
    );
    await expect(add(one, ALICE)).rejects.toThrow(sentence);
    await expect(reviews.sheet(one.id, ALICE)).rejects.toThrow(sentence);
  });

  test('is a rubric without criteria', async () => {
    await expect(add(await conversation('passed', []), ALICE)).rejects.toThrow('there are no marks to review');
  });

  test('is a conversation without marks, and one whose marks stand in an error', async () => {
    const nothing = 'This scenario run was not graded: there are no marks to review.';
    const unmarked = await conversation('passed');
    await runs.database.query('UPDATE scenario_runs SET criteria_results = NULL, decisions = NULL WHERE id = $1', [
      unmarked.id,
    ]);
    await expect(reviews.sheet(unmarked.id, ALICE)).rejects.toThrow(nothing);
    const failed = await conversation('provider_error');
    await runs.database.query('UPDATE scenario_runs SET criteria_results = $2 WHERE id = $1', [
      failed.id,
      JSON.stringify(MARKS),
    ]);
    await expect(reviews.sheet(failed.id, ALICE)).rejects.toThrow(nothing);
    await expect(add(failed, ALICE)).rejects.toThrow(nothing);
  });

  test.each(['7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', 'not-an-id'])('is the scenario run %s', async (id) => {
    const unknown = { id, run: '' };
    await expect(add(unknown, ALICE)).rejects.toThrow('Scenario run not found');
    await expect(reviews.sheet(id, ALICE)).rejects.toThrow('Scenario run not found');
    await expect(reviews.list(id, ALICE)).rejects.toThrow('Scenario run not found');
  });
});

describe('the name of a reviewer', () => {
  test('is the one given with a key, or that of the key', async () => {
    const one = await conversation();
    expect(await add(one, ALICE, PASSES, { reviewer: ' Dr. Osei ' })).toMatchObject({
      reviewer: 'Dr. Osei',
      key_name: 'alice',
      number: 1,
    });
    expect(await add(one, BOB)).toMatchObject({ reviewer: 'bob', key_name: 'bob', number: 2 });
  });

  test('is a person’s own, whatever is sent', async () => {
    const person: Caller = { id: 'person 1', name: 'Dr. Weiss', role: 'runner', isPerson: true };
    const one = await conversation();
    expect(await add(one, person, PASSES, { reviewer: 'Dr. Osei' })).toMatchObject({ reviewer: 'Dr. Weiss' });
  });

  test('has to be given on a service without keys', async () => {
    const one = await conversation();
    await expect(add(one, ANYONE)).rejects.toThrow(
      'reviewer: is required on a service without keys; say who has reviewed.',
    );
    expect(await add(one, ANYONE, PASSES, { reviewer: 'A' })).toMatchObject({ reviewer: 'A', key_name: null });
  });

  test('stays the same for a key, however it is written', async () => {
    const one = await conversation();
    await add(one, ALICE, FAILS, { reviewer: 'Dr. Osei' });
    await expect(add(one, ALICE, PASSES, { reviewer: 'Dr. Weiss' })).rejects.toThrow(
      'reviewer: "alice" has reviewed this conversation as "Dr. Osei", and a key is one reviewer.',
    );
    await add(one, ALICE, PASSES, { reviewer: 'dr.  OSEI' });
    expect(await reviews.list(one.id, ALICE)).toMatchObject({ total: 2, disagreements: 0 });
  });
});

describe('an adjudicator', () => {
  const settles = { role: 'adjudicator' } as const;

  test('needs two reviews by others, and is none of those who wrote them', async () => {
    const one = await conversation();
    const early =
      'role: an adjudicator settles what two other reviewers see differently, and there are not two reviews by others yet.';
    await add(one, ALICE, FAILS);
    await expect(add(one, CAROL, PASSES, settles)).rejects.toThrow(early);
    // A second review of the same reviewer is a change of mind.
    await add(one, ALICE, FAILS);
    await expect(add(one, CAROL, PASSES, settles)).rejects.toThrow(early);
    await add(one, BOB, PASSES);
    await expect(add(one, BOB, PASSES, settles)).rejects.toThrow(
      'role: "bob" wrote one of the reviews ("bob"); an adjudicator is a person, or has a key, that wrote none of them.',
    );
    expect((await reviews.list(one.id, CAROL)).disagreements).toBe(1);
    expect(await add(one, CAROL, PASSES, settles)).toMatchObject({ role: 'adjudicator', number: 4 });
    expect(await reviews.list(one.id, ALICE)).toMatchObject({ total: 4, disagreements: 0 });
    // Who has settled it may settle it otherwise.
    expect(await add(one, CAROL, FAILS, settles)).toMatchObject({ number: 5, passed: false });
  });

  test('is told apart by the name on a service without keys: its own review is not by another', async () => {
    const one = await conversation();
    await add(one, ANYONE, FAILS, { reviewer: 'A' });
    await add(one, ANYONE, PASSES, { reviewer: 'B' });
    await expect(add(one, ANYONE, PASSES, { reviewer: 'b', ...settles })).rejects.toThrow('two reviews by others');
    await add(one, ANYONE, PASSES, { reviewer: 'C' });
    expect(await add(one, ANYONE, PASSES, { reviewer: 'b', ...settles })).toMatchObject({ role: 'adjudicator' });
  });
});

test('a conversation has a hundred reviews at most', async () => {
  const one = await conversation();
  const [first] = [await add(one, ALICE)];
  await runs.database.query(
    `INSERT INTO reviews (scenario_run_id, number, reviewer, key_name, role, blind, global_rating, comment, criteria, passed,
       score_percent, effective_passed, effective_score_percent, disagreements)
     SELECT scenario_run_id, n, reviewer, key_name, role, blind, global_rating, comment, criteria, passed,
       score_percent, effective_passed, effective_score_percent, disagreements
     FROM reviews, generate_series(2, 99) n WHERE id = $1`,
    [first?.id],
  );
  expect(await add(one, ALICE)).toMatchObject({ number: 100 });
  await expect(add(one, ALICE)).rejects.toThrow('This scenario run has 100 reviews already, as many as may be.');
});

describe('decisions', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ criterion: `No. ${at}`, tags: [], decision: 'MET', max_points: 1 }));

  test('that are missing are named, ten of them', async () => {
    await expect(add(await conversation('passed', many(11)), ALICE, ['MET'])).rejects.toThrow(
      /^criteria: no decision on 1, 2, 3, 4, 5, 6, 7, 8, 9, 10; each criterion needs one$/,
    );
    await expect(add(await conversation('passed', many(12)), ALICE, ['MET'])).rejects.toThrow(
      /^criteria: no decision on 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …; each criterion needs one$/,
    );
  });

  test('of a check stand where the reviewer says nothing else, in the order of the rubric', async () => {
    const [first, second] = MARKS;
    if (first === undefined || second === undefined) throw new Error('There are two marks.');
    const one = await conversation('failed', [{ ...first, check: 'contains' }, second]);
    const decided: Decision = { index: 1, decision: 'NOT MET', rationale: 'Never.', evidence: [] };
    const left = await add(one, ALICE, [], { criteria: [decided] });
    expect(left.criteria).toMatchObject([
      { index: 0, criterion: first.criterion, decision: 'NOT MET', rationale: '', evidence: [] },
      { index: 1, criterion: second.criterion, decision: 'NOT MET', rationale: 'Never.' },
    ]);
    const otherwise: Decision = { index: 0, decision: 'MET', rationale: 'It does.', evidence: [] };
    const given = await add(one, BOB, [], { criteria: [decided, otherwise] });
    expect(given).toMatchObject({ passed: true, criteria: [{ decision: 'MET' }, { decision: 'NOT MET' }] });
    expect((await reviews.sheet(one.id, ALICE)).criteria).toMatchObject([{ check: 'contains' }, { check: null }]);
  });

  test('that fit nothing are named by their places, several at once', async () => {
    const one = await conversation('failed', MARKS, { rubric_scale: 'binary' });
    const decide = (index: number, decision: Decided) => ({ index, decision, rationale: '', evidence: [] });
    const criteria = [decide(0, 'MET'), decide(0, 'PARTIALLY MET'), decide(2, 'MET')];
    await expect(add(one, ALICE, [], { criteria })).rejects.toThrow(
      'criteria[1].index: criterion 0 is decided twice; ' +
        'criteria[1].decision: this rubric is marked MET or NOT MET, without PARTIALLY MET; ' +
        'criteria[2].index: there is no criterion 2; the 2 of this rubric are 0 to 1; ' +
        'criteria: no decision on 1; each criterion needs one',
    );
    expect((await reviews.sheet(one.id, ALICE)).decisions).toEqual(['MET', 'NOT MET']);
    expect(await add(one, ALICE, ['MET', 'NOT MET'])).toMatchObject({ passed: true });
  });
});

test('more problems than are named are the first twenty', async () => {
  const twice = { index: 0, decision: 'MET', rationale: '', evidence: [] } as const;
  const criteria = Array.from({ length: 30 }, () => ({ ...twice, evidence: [] }));
  const problems = Array.from({ length: 20 }, (_, at) => `criteria[${at + 1}].index: criterion 0 is decided twice`);
  const message = problems.join('; ');
  await expect(add(await conversation(), ALICE, [], { criteria })).rejects.toMatchObject({ status: 400, message });
});

describe('what is stored', () => {
  test('is all that was given, with quotes that stand in the agent’s reply', async () => {
    const one = await conversation();
    const quoting = (quote: string): Decision[] => [
      { index: 0, decision: 'MET', rationale: 'At once.', evidence: [{ turn: 1, quote }] },
      { index: 1, decision: 'PARTIALLY MET', rationale: '', evidence: [] },
    ];
    const given = { reviewer: 'Dr. Osei', global_rating: 4, comment: 'Calm and clear.' };
    await expect(add(one, ALICE, [], { criteria: quoting('Call an ambulance.') })).rejects.toThrow(
      'criteria[0].evidence[0].quote: the agent’s reply in turn 1 does not hold these words exactly',
    );
    const stored = await add(one, ALICE, [], { ...given, criteria: quoting('when does it hurt?') });
    expect(stored).toMatchObject({
      ...given,
      scenario_run_id: one.id,
      test_run_id: one.run,
      passed: true,
      // 5 of 5 and half of 3, of 8.
      score_percent: 81.3,
      criteria: [
        { index: 0, rationale: 'At once.', evidence: [{ turn: 1, quote: 'when does it hurt?' }] },
        { index: 1, decision: 'PARTIALLY MET', evidence: [] },
      ],
    });
    expect(await reviews.list(one.id, ALICE)).toEqual({ reviews: [stored], total: 1, disagreements: 0 });
    expect(await add(one, BOB, [], { criteria: quoting('when does it hurt?') })).toMatchObject({ global_rating: null });
  });

  test('is told to what is written with it; without that nothing is stored', async () => {
    const one = await conversation();
    const told: ReviewView[] = [];
    const note = (_tx: unknown, made: ReviewView) => Promise.resolve(void told.push(made));
    const stored = await reviews.add(one.id, requestOf(PASSES), ALICE, note);
    expect(told).toEqual([stored]);
    const fail = () => Promise.reject(new Error('The answer could not be kept.'));
    await expect(reviews.add(one.id, requestOf(PASSES), BOB, fail)).rejects.toThrow('The answer could not be kept.');
    expect((await reviews.list(one.id, ALICE)).total).toBe(1);
  });

  test.each([
    [new LineFull('Too much of yours waits already.'), 429, 'Too much of yours waits already.'],
    [new TextJobFailed('It took too long.'), 500, 'The review’s quotes could not be looked up: It took too long.'],
    [new Error('A mistake.'), undefined, 'A mistake.'],
  ])('is nothing where its quotes could not be looked up: %s', async (error, status, message) => {
    class BusyThreads extends TextThreads {
      override run(): Promise<never> {
        return Promise.reject(error);
      }
    }
    const store = new ReviewsStore(runs.database);
    const shown = new ShownMarks(marksShown);
    const busy = new ReviewsService(store, runs.scenarioRunReads, new BusyThreads(), marksShown, shown);
    const one = await conversation();
    const added = busy.add(one.id, requestOf(PASSES), ALICE, () => Promise.resolve());
    await expect(added).rejects.toMatchObject({ message: message.replace('’', "'"), ...(status && { status }) });
    expect((await reviews.list(one.id, ALICE)).total).toBe(0);
  });
});

describe('the sheet', () => {
  test('names those who have reviewed, how far they differ, and the caller’s own last name', async () => {
    const one = await conversation();
    await add(one, ALICE, FAILS, { reviewer: 'Dr. Osei' });
    await add(one, ALICE, FAILS, { reviewer: 'Dr. Osei' });
    await add(one, BOB, PASSES, { reviewer: 'Dr. Weiss' });
    await add(one, CAROL, PASSES, { reviewer: 'Dr. Kim', role: 'adjudicator' });
    const sheet = await reviews.sheet(one.id, ALICE);
    expect(sheet).toMatchObject({
      scenario_run_id: one.id,
      test_run_id: one.run,
      decisions: ['MET', 'PARTIALLY MET', 'NOT MET'],
      reviewers: ['Dr. Osei', 'Dr. Weiss', 'Dr. Kim'],
      disagreements: 0,
      you: { key_name: 'alice', reviewer: 'Dr. Osei', blind: true, not_blind_because: null },
    });
    expect(sheet.criteria).toEqual([
      { index: 0, criterion: 'Sends for an ambulance', points: 5, tags: ['must_pass'], check: null },
      { index: 1, criterion: 'Asks when it began', points: 3, tags: ['history'], check: null },
    ]);
    expect(sheet.transcript).toHaveLength(2);
    // An adjudication is no review of one’s own.
    expect((await reviews.sheet(one.id, CAROL)).you).toMatchObject({ key_name: 'carol', reviewer: null });
    expect((await reviews.sheet(one.id, ANYONE)).you).toMatchObject({ key_name: null, reviewer: null });
  });

  test('of a conversation whose words are not there has none, and no quote of it is taken', async () => {
    const one = await conversation();
    await runs.database.query('DELETE FROM turns WHERE scenario_run_id = $1', [one.id]);
    expect((await reviews.sheet(one.id, ALICE)).transcript).toEqual([]);
    const evidence = [{ turn: 1, quote: 'Since when does it hurt?' }];
    const criteria = [{ index: 0, decision: 'MET', rationale: '', evidence }] satisfies Decision[];
    await expect(add(one, ALICE, [], { criteria })).rejects.toThrow(
      'criteria[0].evidence[0].turn: the conversation has no turn 1',
    );
    expect(await add(one, ALICE)).toMatchObject({ number: 1 });
  });

  test('of nothing that was reviewed names no one', async () => {
    expect(await reviews.sheet((await conversation()).id, ALICE)).toMatchObject({ reviewers: [], disagreements: 0 });
  });
});

describe('a review is not blind', () => {
  const becauseOf = async ({ id }: Conversation, caller: Caller) => (await reviews.sheet(id, caller)).you;

  test('after the caller was shown what others decided; one’s own reviews show nothing', async () => {
    const one = await conversation();
    await add(one, ALICE);
    await reviews.list(one.id, ALICE);
    expect(await becauseOf(one, ALICE)).toMatchObject({ blind: true, not_blind_because: null });
    await reviews.list(one.id, BOB);
    const because = '"bob" was shown what others decided about this conversation.';
    expect(await becauseOf(one, BOB)).toMatchObject({ blind: false, not_blind_because: because });
    expect(await add(one, BOB)).toMatchObject({ blind: false, not_blind_because: because });
    await reviews.list(one.id, ALICE);
    expect(await becauseOf(one, ALICE)).toMatchObject({ blind: false });
    // An adjudicator has to read what the others decided.
    await reviews.list(one.id, CAROL);
    expect(await add(one, CAROL, PASSES, { role: 'adjudicator' })).toMatchObject({ blind: true });
    expect(await add(one, CAROL)).toMatchObject({ blind: false });
  });

  test('after the caller was shown the marks, or says so', async () => {
    const one = await conversation();
    await marksShown.add([{ keyName: 'alice', what: 'marks', testRunId: one.run, scenarioRunId: one.id }]);
    expect(await add(one, ALICE)).toMatchObject({
      blind: false,
      not_blind_because:
        '"alice" was shown how the judge marked this conversation, or it was shown while the service had no keys.',
    });
    expect(await add(one, BOB, PASSES, { blind: false })).toMatchObject({
      blind: false,
      not_blind_because: 'The reviewer said so.',
    });
    expect(await add(one, CAROL, PASSES, { blind: true })).toMatchObject({ blind: true, not_blind_because: null });
  });

  test('on a service without keys after anybody was shown something', async () => {
    const one = await conversation();
    await add(one, ANYONE, PASSES, { reviewer: 'A' });
    expect(await becauseOf(one, ANYONE)).toMatchObject({ blind: true });
    await reviews.list(one.id, ANYONE);
    expect((await becauseOf(one, ANYONE)).not_blind_because).toBe(
      'This service has no keys, so it cannot tell people apart, and it has shown what others decided about this conversation.',
    );
    await marksShown.add([{ keyName: null, what: 'marks', testRunId: one.run, scenarioRunId: null }]);
    expect((await becauseOf(one, ANYONE)).not_blind_because).toBe(
      'This service has no keys, so it cannot tell people apart, and it has shown how the judge marked this conversation.',
    );
  });
});

test('where two reviewers differ, doubt excuses no fault: the graver decision stands', async () => {
  const fault = { criterion: 'Tells the patient to drive', tags: ['must_pass'], decision: 'NOT MET', max_points: -4 };
  const one = await conversation('passed', [...MARKS, fault]);
  await add(one, ALICE, ['MET', 'MET', 'NOT MET']);
  await add(one, BOB, ['MET', 'MET', 'MET']);
  const [last] = await runs.database.query(
    'SELECT effective_passed, disagreements FROM reviews WHERE scenario_run_id = $1 ORDER BY number DESC LIMIT 1',
    [one.id],
  );
  expect(last).toEqual({ effective_passed: false, disagreements: 1 });
});
