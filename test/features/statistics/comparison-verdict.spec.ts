import type { QuestionTest } from '../../../contract/comparison';
import { conclude, type Evidence } from '../../../src/features/statistics/comparison-verdict';

const question = (on: QuestionTest['on'], changes: Partial<QuestionTest> = {}): QuestionTest => ({
  on,
  name: 'sign_flip',
  scenarios: 20,
  before: 80,
  after: 80,
  difference: 0,
  low: -5,
  high: 5,
  method: 'paired_bootstrap',
  p_value: 0.5,
  adjusted_p_value: 0.5,
  ...changes,
});

const fell = (by: number, p: number): Partial<QuestionTest> => ({
  after: 80 - by,
  difference: -by,
  low: -by - 5,
  high: 5 - by,
  adjusted_p_value: p,
});

const UNCHANGED = [question('passed'), question('score'), question('must_pass', { before: 0.5, after: 0.5 })];

const evidence = (changes: Partial<Evidence> = {}, tests: readonly QuestionTest[] = UNCHANGED): Evidence => ({
  confidencePercent: 95,
  minCoverage: 90,
  coverage: { before: 100, after: 100 },
  haveSameExaminers: true,
  haveSamePatients: true,
  compared: 20,
  trials: 1,
  family: {
    tests: [...tests],
    asked: tests.filter(({ adjusted_p_value: p }) => p !== null).length,
    couldShow: true,
    pairs: 1,
  },
  newViolations: { count: 0, scenarios: 0 },
  trialsNeeded: null,
  ...changes,
});

describe('the conclusion of a comparison', () => {
  test.each<[string, Partial<Evidence>, string]>([
    ['verdicts before', { coverage: { before: 89.9, after: 100 } }, 'in the run before 89.9 % of the conversations'],
    ['verdicts after', { coverage: { before: 90, after: 12 } }, 'in the run after 12 % of the conversations have a'],
    ['scenarios', { compared: 0 }, 'no scenario has a verdict in both runs'],
    ['the same patients', { haveSamePatients: false }, 'the runs had different patients'],
    ['the same examiners', { haveSameExaminers: false }, 'the runs had different examiners'],
  ])('cannot tell without %s', (_what, changes, reason) => {
    const { verdict, grounds, sentence } = conclude(evidence(changes));
    expect([verdict, grounds]).toEqual(['cannot_tell', []]);
    expect(sentence).toMatch(/^Cannot tell: /);
    expect(sentence).toContain(reason);
  });

  it('cannot tell where too few scenarios could show a change, and says how many can', () => {
    const tests = UNCHANGED.map((one) => ({ ...one, scenarios: 3, adjusted_p_value: null }));
    const family = { tests, asked: 0, couldShow: false, pairs: 1 };
    expect(conclude(evidence({ compared: 3, family })).sentence).toBe(
      'Cannot tell: 3 scenarios cannot show a change at 95 %, however they fare; 7 can.',
    );
    // A question that no scenario answers asks for no more of them.
    const single = { ...family, tests: tests.map((one, place) => (place > 0 ? { ...one, scenarios: 0 } : one)) };
    expect(conclude(evidence({ compared: 1, family: single })).sentence).toContain('1 scenario cannot show');
    expect(conclude(evidence({ compared: 1, family: single })).sentence).toContain('; 6 can.');
  });

  it.each<[string, QuestionTest[], string, string[]]>([
    ['worse', [question('passed', fell(20, 0.01)), question('score', fell(10, 0.02))], 'Worse', ['passed', 'score']],
    ['better', [question('passed', fell(-15, 0.01)), question('score')], 'Better', ['passed']],
    ['mixed', [question('passed', fell(-15, 0.01)), question('score', fell(10, 0.02))], 'Mixed', ['passed', 'score']],
    ['no_evidence', [question('passed', fell(20, 0.05)), question('score')], 'No evidence of a change', []],
  ])('is %s by what is significant alone', (verdict, tests, title, grounds) => {
    const found = conclude(evidence({}, tests));
    expect([found.verdict, found.grounds]).toEqual([verdict, grounds]);
    expect(found.sentence).toMatch(new RegExp(`^${title}: `));
  });

  it('says harm first, also before what got better', () => {
    const tests = [question('passed', fell(-15, 0.01)), question('score', fell(10, 0.02))];
    const { sentence } = conclude(evidence({ newViolations: { count: 1, scenarios: 1 } }, tests));
    expect(sentence).toMatch(/^1 new must-pass violation in 1 scenario\. Mixed: the mean score fell by 10 points/);
    expect(sentence).toMatch(/; adjusted p = 0\.02\); the pass rate rose by 15 points.*; adjusted p = 0\.01\)\.$/);
  });

  test.each([
    [1, 'only 1 scenario has such criteria.'],
    [2, 'only 2 scenarios have such criteria.'],
  ])('says what could not be tested with %i', (scenarios, text) => {
    const tests = [question('passed', fell(20, 0.01)), question('must_pass', { scenarios, adjusted_p_value: null })];
    expect(conclude(evidence({}, tests)).sentence).toContain(`Must-pass violations could not be tested: ${text}`);
    const none = [question('passed', fell(20, 0.01)), question('must_pass', { scenarios: 0, adjusted_p_value: null })];
    expect(conclude(evidence({}, none)).sentence).not.toContain('could not be tested');
    expect(conclude(evidence({}, none)).sentence).not.toContain('No evidence either way');
    const unscored = [question('passed', fell(20, 0.01)), question('score', { adjusted_p_value: null })];
    expect(conclude(evidence({}, unscored)).sentence).not.toContain('could not be tested');
  });

  it('says how many trials would show a change that it could not, and nothing of one that nobody would call one', () => {
    const moved = [question('passed', fell(6, 0.3))];
    const said = (changes: Partial<Evidence>, tests = moved) => conclude(evidence(changes, tests)).sentence;
    expect(said({ trialsNeeded: 4 })).toContain(
      'About 4 trials of each would show a change of the pass rate of this size.',
    );
    expect(said({ trialsNeeded: 4, trials: 4 })).not.toContain('would show');
    expect(said({ trialsNeeded: null }, [question('score', fell(6, 0.3))])).not.toContain('would');
    expect(said({ trialsNeeded: null }, [question('passed', fell(0.05, 0.9))])).toContain('more scenarios would');
    expect(said({ trialsNeeded: null })).toContain('more scenarios would.');
    expect(said({ trialsNeeded: null }, [question('passed', fell(0.04, 0.9))])).not.toContain('more scenarios would');
  });

  it('names the size of what was compared', () => {
    expect(conclude(evidence()).sentence).toContain('with 20 scenarios at one trial each all of that is within noise');
    expect(conclude(evidence({ trials: 3, compared: 1 }, [question('passed')])).sentence).toContain(
      'with 1 scenario at 3 trials each that is within noise (p = 0.5)',
    );
  });

  it('says the adjusted p-value of what is shown, and of nothing else', () => {
    const tests = [question('passed', fell(20, 0.01)), question('score')];
    expect(conclude(evidence({}, tests)).sentence).toBe(
      'Worse: the pass rate fell by 20 points, from 80 to 60 % (95 % interval −25 to −15; adjusted p = 0.01). ' +
        'No evidence either way: the mean score was 80 % before and 80 % after (95 % interval −5 to 5).',
    );
  });
});
