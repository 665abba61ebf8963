import { assertTwins, areTwins, pairsOfTwins, type FoundOfTwins } from '../../../src/features/statistics/twin-pairs';
import type { RunSide } from '../../../src/features/statistics/run-pairs.store';
import type { FamilyMember, PairedOutcome } from '../../../src/features/statistics/twin-pairs.store';
import type { QuestionTest } from '../../../contract/comparison';
import { spokenRun } from '../../setup/spoken-run';
import { fallenQuestion } from '../../setup/fallen-question';

type Runs = Parameters<typeof areTwins>[0];
type Run = Runs['before'];

const run = (id: string, changes: Partial<Run> = {}): Run => ({
  id,
  test_run_id: `run-${id}`,
  twin_of: null,
  agent_id: 'agent',
  trials: 2,
  spoken: null,
  ...changes,
});

const TWINS: Runs = { before: run('a'), after: run('b', { twin_of: 'a', spoken: spokenRun({ line: 'phone' }) }) };

const side = (...scenarios: readonly (readonly [id: string, hash: string])[]): RunSide => ({
  tallies: {
    scenarios: scenarios.map(([scenario_id, content_hash], position) => ({
      scenario_id,
      scenario_name: scenario_id,
      category: null,
      position,
      content_hash,
      total: 1,
      graded: 1,
      passed: 1,
      score: 100,
      violations: 0,
    })),
    examiners: [],
  },
  prints: [],
  patients: [],
});

describe('twins', () => {
  test('are a run and one started as its twin, or two twins of a third', () => {
    expect(areTwins(TWINS)).toBe(true);
    expect(areTwins({ before: TWINS.after, after: run('c', { twin_of: 'a' }) })).toBe(true);
    expect(areTwins({ before: run('a'), after: run('b') })).toBe(false);
    expect(() => assertTwins(TWINS, { before: side(), after: side() })).not.toThrow();
  });

  const SAME = { before: side(['x', '1'], ['y', '1']), after: side(['y', '1'], ['x', '1']) };
  test.each<[string, Partial<Run>, RunSide]>([
    ['they examined different agents', { agent_id: 'other', trials: 3 }, side()],
    ['they have different scenarios, or other versions of them', { trials: 3 }, side(['x', '1'], ['y', '2'])],
    ['they have different scenarios, or other versions of them', {}, side(['x', '1'])],
    ['they have different numbers of trials', { trials: 3 }, SAME.after],
    ['they were started apart, so their seeds differ', {}, SAME.after],
  ])('are no others, since %s', (reason, changes, after) => {
    const runs = { before: run('a'), after: run('b', changes) };
    expect(() => assertTwins(runs, { ...SAME, after })).toThrow(
      `as: run-a and run-b are no twins: ${reason}. Start a twin with twin_of`,
    );
  });
});

const outcome = (
  before: PairedOutcome['before'],
  after: PairedOutcome['after'],
  count: number,
  before_error: PairedOutcome['before_error'] = null,
): PairedOutcome => ({ before, before_error, after, after_error: null, count });

const OUTCOMES = [
  outcome('passed', 'passed', 10),
  outcome('passed', 'failed', 4),
  outcome('failed', 'passed', 2),
  outcome('failed', 'failed', 3),
  outcome('passed', 'canceled', 1),
  outcome('error', 'passed', 2, 'provider_timeout'),
  outcome('error', 'canceled', 3, 'provider_timeout'),
];

const member = (id: string, spoken: FamilyMember['spoken']): FamilyMember => ({
  id,
  test_run_id: `run-${id}`,
  status: 'completed',
  spoken,
  created_at: '2026-11-29T00:00:00.000Z',
});
const AGAINST = member('a', null);
const PHONE = member('b', spokenRun({ line: 'phone' }));
const NOISY = member('c', spokenRun({ line: 'phone', noise: 'hum:20' }));

const found = (tests: readonly QuestionTest[], changes: Partial<FoundOfTwins> = {}): FoundOfTwins => ({
  tests,
  criteria: [],
  verdict: 'worse',
  confidencePercent: 95,
  ...changes,
});

const said = (tests: readonly QuestionTest[], changes: Partial<FoundOfTwins> = {}, runs = TWINS, lines = [PHONE]) =>
  pairsOfTwins(runs, { outcomes: OUTCOMES, against: AGAINST, lines }, found(tests, changes)).sentence;

describe('the pairs of two twins', () => {
  const compared = () => pairsOfTwins(TWINS, { outcomes: OUTCOMES, against: AGAINST, lines: [PHONE] }, found([]));

  test('are counted by their two verdicts, and those without two beside them', () => {
    expect(compared().pairs).toEqual({
      total: 25,
      compared: 19,
      both_passed: 10,
      only_before_passed: 4,
      only_after_passed: 2,
      neither_passed: 3,
    });
  });

  test('that have not two verdicts are counted by each end that has none, the most frequent first', () => {
    expect(compared().not_compared).toEqual([
      { run: 'before', status: 'error', error_code: 'provider_timeout', count: 5 },
      { run: 'after', status: 'canceled', error_code: null, count: 4 },
    ]);
  });

  test('name the lines, and what the p-values are adjusted for', () => {
    expect(compared().against).toEqual({ id: 'a', test_run_id: 'run-a', way: 'in text' });
    expect(compared().lines).toEqual([{ id: 'b', test_run_id: 'run-b', way: 'spoken over phone' }]);
    expect(compared().adjustment).toBe(
      'The p-values are adjusted for what is asked of spoken over phone against in text: no other line of the family has ended.',
    );
    const two = pairsOfTwins(TWINS, { outcomes: [], against: AGAINST, lines: [PHONE, NOISY] }, found([]));
    expect(two.adjustment).toBe(
      'The p-values are adjusted by Holm’s method for all 2 lines together, each against in text: ' +
        'spoken over phone (run-b); spoken over phone with hum:20 (run-c).',
    );
  });
});

describe('the sentence about two twins', () => {
  test('says how far each answer moved, of how many pairs, and by chance or not', () => {
    const tests = [
      fallenQuestion('passed'),
      fallenQuestion('score', { before: 60, after: 66, difference: 6, low: 2, high: 9 }),
    ];
    expect(said(tests)).toBe(
      'What voice costs: spoken over phone against in text, ' +
        'the pass rate is 10 points lower (70 against 80 %; 95 % interval −15 to −5, adjusted p = 0.02); ' +
        'the mean score is 6 points higher (66 against 60 %; 95 % interval 2 to 9, adjusted p = 0.02); ' +
        '19 pairs of conversations in 8 scenarios.',
    );
    expect(said(tests, { verdict: 'no_evidence' })).toMatch(/8 scenarios\. All of that is within chance\.$/);
    expect(said(tests, { verdict: 'cannot_tell' })).toMatch(/cannot tell whether that is chance\.$/);
    expect(said(tests, {}, TWINS, [PHONE, NOISY])).toMatch(/8 scenarios\. Adjusted for 2 lines together\.$/);
  });

  test.each<[string, Partial<QuestionTest>, string]>([
    ['more', { before: 0.5, after: 0.75, difference: -0.25, low: -0.5, high: 0 }, '0.25 more'],
    ['fewer', { before: 0.5, after: 0.25, difference: 0.25, low: 0, high: 0.5 }, '0.25 fewer'],
    ['more, at the least that is shown', { difference: -0.005, low: 0, high: 0 }, '0.01 more'],
    ['as many', { difference: 0.004, low: 0, high: 0 }, 'no more nor fewer'],
    ['as many where it is not known', { difference: null, low: null, high: null }, 'no more nor fewer'],
  ])('calls must-pass violations %s', (_what, changes, words) => {
    expect(said([fallenQuestion('must_pass', changes)])).toContain(
      `, ${words} must-pass violations per conversation (`,
    );
  });

  test('says the same of what moved by less than is shown, and no p-value of what was not asked', () => {
    expect(said([fallenQuestion('passed', { difference: 0.04, adjusted_p_value: null })])).toContain(
      'the pass rate is the same (70 against 80 %; 95 % interval −15 to −5);',
    );
    expect(said([fallenQuestion('score', { difference: -0.05 })])).toContain('the mean score is 0.1 points lower');
  });

  test('leaves out what no scenario answers, and cannot tell without any pair', () => {
    const none = fallenQuestion('must_pass', { scenarios: 0, before: null, after: null });
    expect(said([fallenQuestion('passed'), none])).not.toContain('must-pass');
    expect(said([fallenQuestion('passed'), fallenQuestion('score', { before: null })])).not.toContain('mean score');
    const cannot = 'What voice costs: cannot tell, since no pair of conversations has two verdicts.';
    expect(said([none])).toBe(cannot);
    expect(said([])).toBe(cannot);
    const { sentence } = pairsOfTwins(
      TWINS,
      { outcomes: [outcome('passed', 'canceled', 1)], against: AGAINST, lines: [PHONE] },
      found([fallenQuestion('passed')]),
    );
    expect(sentence).toBe(cannot);
  });

  const heard = (changes: Parameters<typeof spokenRun>[0]) => run('b', { spoken: spokenRun(changes) });
  test.each<[string, Runs, string]>([
    ['voice, of text first', { before: run('a'), after: heard({}) }, 'What voice costs: spoken over wideband against'],
    ['text, of voice first', { before: heard({}), after: run('a') }, 'What text gains: in text against spoken'],
    ['the line', { before: heard({}), after: heard({ line: 'phone' }) }, 'What the line costs: spoken over phone'],
    ['the sound', { before: heard({}), after: heard({ noise: 'hum:20' }) }, 'What the change of sound costs: spoken'],
    ['nothing, of two in text', { before: run('a'), after: run('b') }, 'What the change of sound costs: in text'],
  ])('is about what separates them: %s', (_what, runs, beginning) => {
    expect(said([fallenQuestion('passed')], {}, runs)).toMatch(new RegExp(`^${beginning}`));
  });

  test('tells two that are spoken over the same line apart by voice and rate', () => {
    const other = { engine: 'espeak-ng', version: '1.51', voice: 'de', rate: 1 };
    const runs = { before: heard({}), after: heard({ voice_engine: other, rate: 1.5 }) };
    expect(said([fallenQuestion('passed')], {}, runs)).toContain(
      'spoken over wideband, voice de at 1.5 times its rate against spoken over wideband, voice en-us,',
    );
  });
});
