import type { ComparisonVerdict, QuestionTest } from '../../../contract/comparison';
import { concludePair, sentenceOfPairs } from '../../../src/features/run-sets/pair-words';
import type { PairEvidence } from '../../../src/features/statistics/comparison-verdict';

const question = (on: QuestionTest['on'], difference: number, adjusted: number | null): QuestionTest => ({
  on,
  name: 'sign_flip',
  scenarios: 20,
  before: 50,
  after: 50 + difference,
  difference,
  low: difference - 9,
  high: difference + 9,
  method: 'paired_bootstrap',
  p_value: 0.001,
  adjusted_p_value: adjusted,
});

const evidence = (tests: readonly QuestionTest[], changes: Partial<PairEvidence> = {}): PairEvidence => ({
  confidencePercent: 95,
  minCoverage: 95,
  coverage: { before: 100, after: 100 },
  haveSameExaminers: true,
  haveSamePatients: true,
  compared: 20,
  family: { tests, asked: 9, couldShow: true, pairs: 3 },
  ...changes,
});

const said = (tests: readonly QuestionTest[], changes: Partial<PairEvidence> = {}) =>
  concludePair(evidence(tests, changes), { before: 'A', after: 'B' });

describe('two runs of a set in words', () => {
  test('the one that does better is named first, with the interval in the direction of the words', () => {
    expect(said([question('passed', 12, 0.03), question('score', 0, 1), question('must_pass', 0, null)])).toEqual({
      verdict: 'better',
      grounds: ['passed'],
      sentence: 'B passes 12 points more often than A (95 % interval 3 to 21, adjusted p = 0.03).',
    });
    expect(said([question('passed', -12, 0.03)])).toMatchObject({
      verdict: 'worse',
      sentence: 'A passes 12 points more often than B (95 % interval 3 to 21, adjusted p = 0.03).',
    });
  });

  test('what moved without evidence is said too, and nothing is called the same that was only not seen', () => {
    const tests = [question('passed', 12, 0.03), question('must_pass', -0.4, 0.2)];
    expect(said(tests).sentence).toBe(
      'B passes 12 points more often than A (95 % interval 3 to 21, adjusted p = 0.03). ' +
        'No evidence either way: A violates 0.4 fewer must-pass criteria per conversation than B (95 % interval −8.6 to 9.4, adjusted p = 0.2).',
    );
    expect(said([question('passed', 0, 1), question('score', 1, 0.6)])).toEqual({
      verdict: 'no_evidence',
      grounds: [],
      sentence:
        'No evidence that A and B differ: both pass 50 % of the time (95 % interval −9 to 9, adjusted p = 1); ' +
        'B scores 1 point higher than A (95 % interval −8 to 10, adjusted p = 0.6).',
    });
  });

  test('both ways is mixed', () => {
    const tests = [question('score', 12, 0.03), question('must_pass', -2, 0.01)];
    expect(said(tests)).toMatchObject({
      verdict: 'mixed',
      grounds: ['score', 'must_pass'],
      sentence: expect.stringMatching(/^Mixed: B scores 12 points higher than A \(.+\); A violates 2 fewer must-pass/),
    });
  });

  test('too few scenarios for so many pairs: how many it takes', () => {
    const tests = [question('passed', 12, 0.2), question('score', 12, 0.2), question('must_pass', 0, 1)];
    expect(said(tests, { compared: 7, family: { tests, asked: 9, couldShow: false, pairs: 3 } })).toEqual({
      verdict: 'cannot_tell',
      grounds: [],
      sentence: 'Cannot tell A and B apart: 7 scenarios cannot show a change at 95 %, however they fare; 9 can.',
    });
  });
});

test.each<[ComparisonVerdict[], string]>([
  [[], 'One run is left of this set: there is nothing to compare it with.'],
  [['no_evidence'], 'No evidence that the two runs differ.'],
  [['cannot_tell'], 'Whether the two runs differ cannot be told.'],
  [['worse'], 'The two runs differ by more than chance explains.'],
  [['no_evidence', 'no_evidence', 'no_evidence'], 'No evidence that the runs of any of 3 pairs differ.'],
  [
    ['no_evidence', 'cannot_tell', 'no_evidence'],
    'No evidence that the runs of any of 3 pairs differ. Of 1 pair it cannot be told.',
  ],
  [['better', 'mixed', 'no_evidence'], '2 pairs of 3 differ by more than chance explains.'],
  [['cannot_tell', 'cannot_tell', 'cannot_tell'], 'Of none of the 3 pairs can it be told whether its runs differ.'],
])('of pairs that are %j it is said: %s', (verdicts, sentence) => {
  expect(sentenceOfPairs(verdicts)).toBe(sentence);
});
