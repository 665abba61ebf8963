import { directionOf, reachOf } from '../../web/src/compare/forest';
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
  });
});
