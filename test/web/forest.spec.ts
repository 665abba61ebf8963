import { directionOf, reachOf } from '../../web/src/compare/forest';
import { violatedSentence } from '../../web/src/compare/both-violate';
import { changeWords } from '../../web/src/compare/change-words';
import { groupViolations } from '../../web/src/compare/violations';
import { rangeText, signedText } from '../../web/src/parts/numbers';

describe('the scale of a forest plot', () => {
  it.each([
    [[], 10],
    [[{ low: -4.2, high: 3 }], 10],
    [
      [
        { low: -4, high: 3 },
        { low: -10.5, high: 0 },
      ],
      25,
    ],
    [[{ low: -29, high: 51 }], 75],
    [[{ low: -100, high: 100 }], 100],
  ])('of %j holds every interval in %d points to either side', (rows, reach) => {
    expect(reachOf(rows)).toBe(reach);
  });
});

describe('a difference', () => {
  it.each([
    [{ low: 0.1, high: 20 }, 'better'],
    [{ low: -20, high: -0.1 }, 'worse'],
    [{ low: -20, high: 0 }, 'no_evidence'],
    [{ low: 0, high: 0 }, 'no_evidence'],
  ])('%j is taken for %s', (interval, direction) => {
    expect(directionOf(interval)).toBe(direction);
  });

  it.each([
    [-15.83, '−15.8'],
    [4.2, '+4.2'],
    [0.04, '0'],
    [-0.04, '0'],
  ])('of %d points is written %s', (points, text) => {
    expect(signedText(points)).toBe(text);
  });

  it('and an interval are written without more digits than they carry', () => {
    expect(signedText(-29.166, 0)).toBe('−29');
    expect(rangeText({ low: 26.89, high: 61.39 })).toBe('27–61\u00a0%');
  });
});

describe('new must-pass violations', () => {
  it('are told once a criterion, with their trials, what happened most often first', () => {
    const violation = (scenario_id: string, criterion: string, trial: number) => ({
      scenario_run_id: `${scenario_id}${criterion}${trial}`,
      scenario_id,
      scenario_name: scenario_id,
      criterion,
      trial,
      kind: 'missed' as const,
    });
    const told = groupViolations([violation('a', 'x', 1), violation('b', 'x', 1), violation('b', 'x', 2)]);
    expect(told.map(({ scenario_id, runs }) => [scenario_id, runs.map(({ trial }) => trial)])).toEqual([
      ['b', [1, 2]],
      ['a', [1]],
    ]);
    const graver = groupViolations(
      [violation('a', 'x', 1), violation('b', 'x', 1), violation('b', 'x', 2)],
      (id) => ({ a: 'critical', b: 'low' })[id] ?? null,
    );
    expect(graver.map(({ scenario_id, severity, kind }) => [scenario_id, severity, kind])).toEqual([
      ['a', 'critical', 'missed'],
      ['b', 'low', 'missed'],
    ]);
  });
});

describe('a scenario that changed', () => {
  const fared = (before: number, after: number, score = 0, violations = 0) => ({
    before,
    after,
    score_before: 50,
    score_after: 50 + score,
    violations_before: 2,
    violations_after: 2 + violations,
  });

  it.each([
    [fared(0, 0, 0, -1), 'better', 'fewer violations, still failed'],
    [fared(0, 0, 10), 'better', 'higher score, still failed'],
    [fared(0, 0, 10, -1), 'better', 'higher score and fewer violations, still failed'],
    [fared(0, 0, 10, 1), 'better', 'higher score and more violations, still failed'],
    [fared(1, 1, 10), 'better', 'higher score'],
    [fared(0, 0, -10), 'worse', 'lower score only'],
    [fared(0.5, 0.5, 0, 1), 'worse', 'more violations only'],
  ] as const)('that passes as often %j as before has no colour, and is %s: %s', (of, change, text) => {
    expect(changeWords(of, change)).toEqual({ text, isOfPasses: false });
  });

  it.each([
    [fared(1, 0), 'worse', 'no longer passes'],
    [fared(1, 0.5), 'worse', 'passes less often'],
    [fared(0, 1), 'better', 'passes now'],
    [fared(0.5, 1), 'better', 'passes more often'],
  ] as const)('%j is %s: %s', (of, change, text) => {
    expect(changeWords(of, change)).toEqual({ text, isOfPasses: true });
  });
});

describe('must-pass criteria that two runs violate', () => {
  const run = (must_pass_violated_count: number | null) => ({
    must_pass_violated_count,
    passed_count: 20,
    failed_count: 100,
  });

  it.each([
    [81, 81, 'Both runs violate must-pass criteria: in 81 of 120 conversations before and 81 of 120 after.'],
    [0, 3, 'The run after violates must-pass criteria: in 3 of 120 conversations; the run before in none of 120.'],
    [null, 3, 'The run after violates must-pass criteria: in 3 of 120 conversations.'],
    [81, 0, null],
    [81, null, null],
  ])('%j before and %j after: %s', (before, after, sentence) => {
    expect(violatedSentence(run(before), run(after))).toBe(sentence);
  });
});
