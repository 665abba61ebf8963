import { randomUUID } from 'node:crypto';
import { AgreementService, type AskedAgreement } from '../../../src/features/reviews/agreement.service';
import {
  ReviewQueueService,
  sampleSize,
  seedOf,
  type AskedQueue,
} from '../../../src/features/reviews/review-queue.service';
import { ReviewedConversationsStore } from '../../../src/features/reviews/reviewed-conversations.store';
import { ReviewsStore, type GivenReview, type ReviewRole } from '../../../src/features/reviews/reviews.store';
import { OFFLINE, storeGradedRun, storeScenarios, type GradedScenario } from '../../setup/graded-run';
import { conversationsOf, type Decided } from '../../setup/reviewed-runs';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let queue: ReviewQueueService;
let agreement: AgreementService;
let reviews: ReviewsStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  const conversations = new ReviewedConversationsStore(runs.database);
  queue = new ReviewQueueService(runs.reads, conversations);
  agreement = new AgreementService(runs.reads, conversations);
  reviews = new ReviewsStore(runs.database);
});
afterAll(() => runs.close());

/** What the judge found in a conversation of two criteria, one of which must be passed. */
interface Found {
  readonly missed?: boolean;
  readonly disputed?: boolean;
  readonly error?: boolean;
}

interface StoredRun {
  readonly id: string;
  /** In the run's order. */
  readonly scenarioRuns: readonly string[];
}

async function storedRun(found: readonly Found[], status = 'completed', judge: object = {}): Promise<StoredRun> {
  const names = found.map((_, place) => `Scenario ${place + 1} of ${randomUUID()}`);
  const ids = await storeScenarios(runs.database, names);
  const marks = ({ name }: GradedScenario) => {
    const { missed = false, disputed = false } = found[names.indexOf(name)] ?? {};
    return [
      { criterion: 'Sends for an ambulance', tags: ['must_pass'], decision: missed ? 'NOT MET' : 'MET', max_points: 5 },
      { criterion: 'Asks when it began', tags: ['history'], decision: 'MET', max_points: 3, disputed },
    ];
  };
  const outcomeOf = ({ missed, error }: Found): string => {
    if (error === true) return 'provider_error';
    return missed === true ? 'failed' : 'passed';
  };
  const id = await storeGradedRun(
    runs.database,
    found.map((one, place) => ({ id: ids[place] ?? '', name: names[place] ?? '', outcomes: [outcomeOf(one)] })),
    { criteria: marks, status, metadata: { ...OFFLINE, judge: { ...OFFLINE.judge, ...judge } } },
  );
  return { id, scenarioRuns: await conversationsOf(runs.database, id) };
}

interface Given {
  readonly reviewer?: string;
  readonly key?: string | null;
  readonly role?: ReviewRole;
  readonly decisions?: readonly Decided[];
  readonly hasSeenMarks?: boolean;
  readonly disagreements?: number;
}

async function review(scenarioRunId: string | undefined, given: Given = {}): Promise<void> {
  const { reviewer = 'Dr. Osei', key = null, role = 'reviewer', hasSeenMarks = false, disagreements = 0 } = given;
  const decisions = given.decisions ?? ['MET', 'MET'];
  const passed = decisions[0] === 'MET';
  const added: GivenReview = {
    reviewer,
    key_name: key,
    role,
    hasSeenMarks,
    global_rating: null,
    comment: '',
    criteria: decisions.map((decision) => ({ decision, rationale: '', evidence: [] })),
    passed,
    score_percent: passed ? 100 : 0,
  };
  const together = { effective_passed: passed, effective_score_percent: added.score_percent, disagreements };
  const stored = await reviews.add(
    scenarioRunId ?? '',
    added,
    () => together,
    () => Promise.resolve(),
  );
  expect(stored).toMatchObject({ reviewer, blind: !hasSeenMarks });
}

describe('the queue', () => {
  const queueOf = (id: string, asked: Partial<AskedQueue> = {}) =>
    queue.find(id, {
      sample: 0,
      seed: 1,
      whose: 'anybody',
      open: false,
      blind: false,
      limit: 100,
      offset: 0,
      ...asked,
    });

  test('has a missed must-pass criterion before a disputed one, both before what was flagged, and errors nowhere', async () => {
    const { id, scenarioRuns } = await storedRun([
      {},
      { disputed: true },
      { missed: true, disputed: true },
      {},
      { error: true },
    ]);
    const [flagged, disputed, missed, faulty] = scenarioRuns;
    const note = (scenarioRunId: string | undefined, found: object) =>
      runs.database.query('UPDATE scenario_runs SET findings = $2 WHERE id = $1', [
        scenarioRunId,
        JSON.stringify({ violations: [], disputed: 0, flags: [], patient_faults: [], ...found }),
      ]);
    await note(flagged, { flags: ['no_emergency_number'] });
    // What the patient did wrong says nothing about the judge.
    await note(faulty, { patient_faults: ['invented'] });
    const standing = await queueOf(id);
    expect(standing.results.map(({ scenario_run_id, reason }) => [scenario_run_id, reason])).toEqual([
      [missed, 'must_pass_violation'],
      [disputed, 'disputed'],
      [flagged, 'flagged'],
    ]);
    const all = await queueOf(id, { sample: 100 });
    expect(all.results.slice(3)).toMatchObject([{ scenario_run_id: faulty, reason: 'sample' }]);
    expect(all.total).toBe(4);
    const blind = await queueOf(id, { blind: true });
    expect(blind.results.map(({ scenario_run_id, reason }) => [scenario_run_id, reason])).toEqual([
      [missed, null],
      [disputed, null],
      [flagged, null],
    ]);
  });

  test('is read by the page, with the number of all of it', async () => {
    const { id } = await storedRun([{}, {}, {}, {}, {}]);
    const all = await queueOf(id, { sample: 80 });
    expect(all).toMatchObject({ total: 4, seed: 1, sample: 80, progress: { to_review: 4 } });
    const page = await queueOf(id, { sample: 80, limit: 2, offset: 1 });
    expect(page).toEqual({ ...all, results: all.results.slice(1, 3) });
  });

  test('says what is reviewed: by anybody, by a key, by a name however it is written', async () => {
    const { id, scenarioRuns } = await storedRun([{ missed: true }, { disputed: true }, { missed: true }]);
    const [first, second, third] = scenarioRuns;
    await review(first, { reviewer: 'dr. osei', key: 'ward' });
    await review(first, { reviewer: 'Dr. Osei', key: 'ward' });
    await review(first, { reviewer: 'Dr. Weiss', key: 'night', disagreements: 1 });
    await review(second, { reviewer: 'Dr. Weiss', key: 'night' });
    const whatIs = async (whose: AskedQueue['whose']) => {
      const [every, open] = [await queueOf(id, { whose }), await queueOf(id, { whose, open: true })];
      expect(open.progress).toEqual(every.progress);
      const reviewed = every.results
        .filter(({ is_reviewed }) => is_reviewed)
        .map(({ scenario_run_id }) => scenario_run_id);
      return { reviewed, open: open.results.map(({ scenario_run_id }) => scenario_run_id), progress: every.progress };
    };
    const progress = { to_review: 3, disagreements: 1 };
    expect(await whatIs('anybody')).toEqual({
      reviewed: [first, second],
      open: [third],
      progress: { ...progress, reviewed: 2 },
    });
    expect(await whatIs({ keyName: 'ward' })).toEqual({
      reviewed: [first],
      open: [third, second],
      progress: { ...progress, reviewed: 1 },
    });
    expect(await whatIs({ reviewer: 'DR.  WEISS' })).toMatchObject({ reviewed: [first, second], open: [third] });
    expect(await whatIs({ reviewer: 'ward' })).toMatchObject({ reviewed: [] });
    const { results } = await queueOf(id);
    // A reviewer is named once, by the name that was written last.
    expect(results.find(({ scenario_run_id }) => scenario_run_id === first)).toMatchObject({
      reviews: 3,
      reviewers: ['Dr. Osei', 'Dr. Weiss'],
      disagreements: 1,
    });
  });

  test('draws a share, rounded up, by the run’s own number where none is given', async () => {
    expect([sampleSize(0, 10), sampleSize(1, 10), sampleSize(10, 10), sampleSize(41, 10), sampleSize(41, 0)]).toEqual([
      0, 1, 1, 5, 0,
    ]);
    expect(seedOf('0000001f-ffff-4fff-8fff-ffffffffffff')).toBe(31);
    const { id } = await storedRun([{}]);
    expect(await queueOf(id, { seed: null })).toMatchObject({ seed: seedOf(id) });
    await expect(queueOf('run_unknown')).rejects.toThrow('Test run not found');
  });
});

describe('the agreement', () => {
  const askedOf = (asked: Partial<AskedAgreement>) =>
    agreement.find({ judge: null, tag: null, testRun: null, confidence: 95, sample: 10, seed: null, ...asked });
  const viewOf = async (asked: Partial<AskedAgreement>) => (await askedOf(asked)).view;

  test('names the judges, those of most conversations first, and the runs that it is about', async () => {
    const few = await storedRun([{}], 'completed', { name: 'named', model: 'model-1' });
    const many = await storedRun([{}, {}], 'completed', { name: 'named', model: 'model-2' });
    const other = await storedRun([{}], 'completed', { name: 'named' });
    for (const scenarioRun of [...few.scenarioRuns, ...many.scenarioRuns]) await review(scenarioRun);
    await review(other.scenarioRuns[0], { hasSeenMarks: true });
    const { view, testRunIds } = await askedOf({ judge: 'named' });
    expect(view.judges).toMatchObject([
      { name: 'named', model: 'model-2', conversations: 2 },
      { name: 'named', model: 'model-1', conversations: 1 },
    ]);
    expect(view).toMatchObject({ test_run_id: null, confidence: 95, conversations: 3, not_blind: 1, raters: 1 });
    expect([...testRunIds].sort()).toEqual([few.id, many.id].sort());
    expect(await viewOf({ judge: 'model-2' })).toMatchObject({ judge: 'model-2', conversations: 2, not_blind: 0 });
    expect(await viewOf({ tag: 'unknown' })).toMatchObject({ tag: 'unknown', conversations: 0, criteria: 0 });
    expect((await viewOf({ judge: 'unknown' })).with_judge).toMatchObject({
      pairs: 0,
      raw: { value: null, low: null, high: null, reason: expect.any(String) },
    });
    await expect(viewOf({ testRun: 'run_unknown' })).rejects.toThrow('Test run not found');
  });

  test('names the judges by the number of conversations, whichever was reviewed first', async () => {
    const judged = (model: string) => ({ name: 'ordered', model });
    for (const [count, model] of [
      [2, 'two'],
      [3, 'three'],
      [1, 'one'],
    ] as const) {
      const { scenarioRuns } = await storedRun(
        Array.from({ length: count }, () => ({})),
        'completed',
        judged(model),
      );
      for (const scenarioRun of scenarioRuns) await review(scenarioRun);
    }
    const { judges } = await viewOf({ judge: 'ordered' });
    expect(judges.map(({ model, conversations }) => [model, conversations])).toEqual([
      ['three', 3],
      ['two', 2],
      ['one', 1],
    ]);
  });

  test('has intervals that are wider where more confidence is asked for, of every measure', async () => {
    const { id, scenarioRuns } = await storedRun(Array.from({ length: 8 }, (_, at) => ({ missed: at < 4 })));
    for (const [at, scenarioRun] of scenarioRuns.entries()) {
      await review(scenarioRun, { decisions: [at < 3 ? 'NOT MET' : 'MET', at === 7 ? 'NOT MET' : 'MET'] });
    }
    const widths = async (confidence: number) => {
      const { raw, kappa, ac1, macro_f1 } = (await viewOf({ testRun: id, confidence })).with_judge;
      return [raw, kappa, ac1, macro_f1].map(({ value, low, high }) => {
        expect(value).not.toBeNull();
        return (high ?? Number.NaN) - (low ?? Number.NaN);
      });
    };
    const [narrow, wide] = [await widths(50), await widths(95)];
    for (const [at, width] of narrow.entries()) expect(width).toBeLessThan(wide[at] ?? Number.NaN);
  });

  test('leaves out a decision that this version does not know', async () => {
    const { id, scenarioRuns } = await storedRun([{}]);
    await runs.database.query(
      `UPDATE scenario_runs SET criteria_results = jsonb_set(criteria_results::jsonb, '{0,decision}', '"UNSURE"')::json WHERE id = $1`,
      [scenarioRuns[0]],
    );
    await review(scenarioRuns[0]);
    expect((await viewOf({ testRun: id })).with_judge).toMatchObject({ pairs: 1, raw: { value: 100 } });
  });

  test('is over each conversation once, of however many', async () => {
    const { id, scenarioRuns } = await storedRun(Array.from({ length: 201 }, () => ({})));
    await Promise.all(scenarioRuns.map((scenarioRun) => review(scenarioRun)));
    expect(await viewOf({ testRun: id })).toMatchObject({ conversations: 201, criteria: 402 });
  });

  test('takes the last adjudication, and only reviews that were blind, for what people say', async () => {
    const { id, scenarioRuns } = await storedRun([{}]);
    const [one] = scenarioRuns;
    await review(one, { reviewer: 'A', key: 'a', decisions: ['NOT MET', 'MET'] });
    await review(one, { reviewer: 'B', key: 'b', decisions: ['NOT MET', 'NOT MET'] });
    await review(one, { reviewer: 'C', key: 'c', decisions: ['NOT MET', 'NOT MET'], hasSeenMarks: true });
    const before = await viewOf({ testRun: id });
    expect(before).toMatchObject({
      raters: 2,
      not_blind: 0,
      with_judge: { pairs: 4, raw: { value: 25 } },
      between_reviewers: { conversations: 1, pairs: 2, raw: { value: 50 } },
    });
    const adjudicator = { role: 'adjudicator', key: 'd', reviewer: 'D' } as const;
    await review(one, { ...adjudicator, decisions: ['NOT MET', 'NOT MET'] });
    await review(one, { ...adjudicator, decisions: ['MET', 'MET'] });
    await review(one, { ...adjudicator, decisions: ['NOT MET', 'NOT MET'], hasSeenMarks: true });
    expect(await viewOf({ testRun: id })).toMatchObject({
      raters: 3,
      with_judge: { pairs: 2, raw: { value: 100 } },
      between_reviewers: { pairs: 2 },
    });
    expect(await viewOf({ testRun: id, tag: 'history' })).toMatchObject({
      criteria: 1,
      with_judge: { pairs: 1 },
      between_reviewers: { pairs: 1, raw: { value: 0 } },
    });
  });
});

test('reviewers stand in the rows and the judge in the columns; faults are criteria that cost points', async () => {
  const { id, scenarioRuns } = await storedRun([{ missed: true }, {}]);
  const fault = [{ criterion: 'Tells the patient to drive', tags: [], decision: 'MET', max_points: -4, check: null }];
  for (const scenarioRun of scenarioRuns) {
    await runs.database.query(
      `UPDATE scenario_runs SET criteria_results = (criteria_results::jsonb || $2::jsonb)::json WHERE id = $1`,
      [scenarioRun, JSON.stringify(fault)],
    );
  }
  await review(scenarioRuns[0], { decisions: ['MET', 'PARTIALLY MET', 'MET'] });
  await review(scenarioRuns[1], { decisions: ['MET', 'MET', 'NOT MET'] });
  const asked = { judge: null, tag: null, testRun: id, confidence: 95, sample: 10, seed: null };
  const { view } = await agreement.find(asked);
  expect(view).toMatchObject({
    conversations: 2,
    criteria: 6,
    with_judge: {
      pairs: 6,
      faults: 2,
      confusion: {
        decisions: ['MET', 'PARTIALLY MET', 'NOT MET'],
        counts: [
          [3, 0, 1],
          [1, 0, 0],
          [1, 0, 0],
        ],
      },
      raw: { value: 50 },
      sensitivity: { value: 100 },
      specificity: { value: 0 },
    },
    between_reviewers: null,
  });
});

describe('the corrected pass rate', () => {
  const correctedOf = async (testRun: string | null, asked: Partial<AskedAgreement> = {}) => {
    const all = { judge: null, tag: null, confidence: 95, sample: 50, seed: 1, ...asked };
    return (await agreement.find({ ...all, testRun })).view.corrected_pass_rate;
  };
  const refused = (reason: string) => ({ value: null, reason });

  /** The rest of a run in the order in which it is drawn. */
  const drawnOf = async ({ id }: StoredRun): Promise<readonly string[]> => {
    const asked = { sample: 100, seed: 1, whose: 'anybody', open: false, blind: false, limit: 100, offset: 0 } as const;
    const { results } = await queue.find(id, asked);
    return results.filter(({ reason }) => reason === 'sample').map(({ scenario_run_id }) => scenario_run_id);
  };

  test('is refused, with the reason, where what is asked for is not one run as a whole', async () => {
    const { id } = await storedRun([{}]);
    expect(await correctedOf(null)).toEqual(refused('A pass rate belongs to one run: name it with test_run_id.'));
    expect(await correctedOf(id, { tag: 'history' })).toEqual(
      refused('A verdict rests on all criteria of its rubric: leave tag out.'),
    );
    expect(await correctedOf(id, { judge: 'offline' })).toEqual(
      refused('A pass rate is that of all of the run’s verdicts: leave judge out.'),
    );
  });

  test('is refused of a run that is under way, and of one in which nothing was graded', async () => {
    const live = await storedRun([{}], 'running');
    expect(await correctedOf(live.id)).toEqual(refused('The run is under way.'));
    const failed = await storedRun([{ error: true }], 'failed');
    expect(await correctedOf(failed.id)).toEqual(refused('Nothing was graded.'));
  });

  test('is refused while something that stands out is not reviewed blind', async () => {
    const run = await storedRun([{ missed: true }, { missed: true }, { missed: true }]);
    const [first, second] = run.scenarioRuns;
    await review(first, { decisions: ['NOT MET', 'MET'] });
    await review(second, { decisions: ['NOT MET', 'MET'] });
    await review(second, { reviewer: 'Dr. Weiss', decisions: ['NOT MET', 'MET'], hasSeenMarks: true });
    expect(await correctedOf(run.id)).toEqual(
      refused('2 of the 3 conversations that stand out are not reviewed blind yet: finish the review queue.'),
    );
  });

  test('is refused while the sample is not complete in its order, also where none was asked for', async () => {
    const run = await storedRun([{ missed: true }, {}, {}, {}, {}]);
    await review(run.scenarioRuns[0], { decisions: ['NOT MET', 'MET'] });
    const [first, second, third] = await drawnOf(run);
    const incomplete = (drawn: number, wanted: number) =>
      refused(
        `The random sample is not complete: ${drawn} of its ${wanted} conversations are reviewed blind in its order. Reviews of ` +
          'conversations that somebody chose do not tell how often the judge errs.',
      );
    expect(await correctedOf(run.id, { sample: 0 })).toEqual(incomplete(0, 1));
    // The third one was chosen: the second is still to come before it.
    await review(first);
    await review(third);
    expect(await correctedOf(run.id)).toEqual(incomplete(1, 2));
    expect(await correctedOf(run.id, { sample: 25 })).toMatchObject({ value: expect.any(Number), reviewed: 2 });
    await review(second);
    expect(await correctedOf(run.id)).toMatchObject({
      judged: 80,
      graded: 5,
      // All three that are reviewed in the order of the sample, although two would do.
      reviewed: 4,
      sensitivity: 100,
      specificity: 100,
      reason: null,
    });
  });

  test('weighs each reviewed conversation of the sample for those that it was drawn from', async () => {
    const run = await storedRun([{ missed: true }, {}, {}, {}, {}]);
    await review(run.scenarioRuns[0], { decisions: ['NOT MET', 'MET'] });
    const [first, second] = await drawnOf(run);
    await review(first);
    await review(second, { decisions: ['NOT MET', 'MET'] });
    const corrected = await correctedOf(run.id);
    // Each of the two stands for two: of three that should have failed the judge failed one.
    expect(corrected).toMatchObject({ judged: 80, graded: 5, reviewed: 3, sensitivity: 100 });
    expect(corrected).toHaveProperty('specificity', expect.closeTo(100 / 3, 9));
    // (0.8 + 1/3 − 1) / (1 + 1/3 − 1)
    expect(corrected.value).toBeCloseTo(40, 9);
  });

  test('has an interval that is wider where more confidence is asked for', async () => {
    const run = await storedRun(Array.from({ length: 30 }, (_, place) => ({ missed: place % 2 === 0 })));
    for (const [place, scenarioRun] of run.scenarioRuns.entries()) {
      const isMissed = place % 2 === 0 ? place !== 0 : place === 1;
      await review(scenarioRun, { decisions: [isMissed ? 'NOT MET' : 'MET', 'MET'] });
    }
    const widthAt = async (confidence: number): Promise<number> => {
      const found = await correctedOf(run.id, { confidence });
      if (found.value === null) throw new Error(found.reason);
      expect(found.value).toBeCloseTo(50, 9);
      return found.high - found.low;
    };
    expect(await widthAt(50)).toBeGreaterThan(0);
    expect(await widthAt(50)).toBeLessThan(await widthAt(95));
  });

  test('needs no sample where all of the run stands out', async () => {
    const run = await storedRun([{ missed: true }, { disputed: true }]);
    await review(run.scenarioRuns[0], { decisions: ['NOT MET', 'MET'] });
    await review(run.scenarioRuns[1]);
    expect(await correctedOf(run.id)).toMatchObject({ value: 50, judged: 50, reviewed: 2, graded: 2 });
  });
});
