import { byGroup } from '../../../src/domain/statistics/clusters';
import { boundOfUnvaried } from '../../../src/domain/statistics/paired-bootstrap';
import { type PairedShares, trialsNeeded } from '../../../src/domain/statistics/power';

type Counts = readonly [graded: number, passed: number];

const paired = (counts: readonly (readonly [Counts, Counts])[], times = 1): PairedShares[] =>
  Array.from({ length: times }, () => counts)
    .flat()
    .map(([before, after]) => ({
      before: { graded: before[0], passed: before[1] },
      after: { graded: after[0], passed: after[1] },
    }));

const REPEATED = paired(
  [
    [
      [5, 4],
      [5, 2],
    ],
    [
      [5, 5],
      [5, 4],
    ],
    [
      [5, 3],
      [5, 3],
    ],
    [
      [5, 2],
      [5, 1],
    ],
    [
      [4, 3],
      [6, 2],
    ],
    [
      [5, 4],
      [5, 4],
    ],
  ],
  3,
);
const SINGLE = [
  ...paired(
    [
      [
        [1, 1],
        [1, 0],
      ],
    ],
    6,
  ),
  ...paired(
    [
      [
        [1, 1],
        [1, 1],
      ],
    ],
    10,
  ),
  ...paired(
    [
      [
        [1, 0],
        [1, 1],
      ],
    ],
    2,
  ),
];

describe('Trials that would show the difference seen', () => {
  // Computed in Python from the normal approximation: 4.80, 7.14 and 3.69 trials, of which a run has whole ones.
  it('are as many as the spread within scenarios asks for', () => {
    expect(trialsNeeded(REPEATED, 50)).toBe(5);
    expect(trialsNeeded(REPEATED, 50, 0.01)).toBe(8);
    expect(trialsNeeded(SINGLE, 50)).toBe(4);
  });

  it('are those of single trials, where one of the runs has no more of each', () => {
    const twice = ({ graded, passed }: PairedShares['before']) => ({ graded: 2 * graded, passed: 2 * passed });
    expect(
      trialsNeeded(
        SINGLE.map(({ before, after }) => ({ before: twice(before), after })),
        50,
      ),
    ).toBe(4);
    expect(
      trialsNeeded(
        SINGLE.map(({ before, after }) => ({ before, after: twice(after) })),
        50,
      ),
    ).toBe(4);
  });

  it('are not said where more than the most would be needed, or where more scenarios are', () => {
    expect(trialsNeeded(REPEATED, 5)).toBe(5);
    expect(trialsNeeded(REPEATED, 4)).toBeNull();
    // What differs between these scenarios, no number of trials levels out.
    expect(
      trialsNeeded(
        paired([
          [
            [5, 4],
            [5, 0],
          ],
          [
            [5, 1],
            [5, 5],
          ],
          [
            [5, 5],
            [5, 3],
          ],
        ]),
        1_000,
      ),
    ).toBeNull();
  });

  it('are not said without a difference, or of a single scenario', () => {
    expect(
      trialsNeeded(
        paired([
          [
            [5, 4],
            [5, 2],
          ],
          [
            [5, 2],
            [5, 4],
          ],
        ]),
        50,
      ),
    ).toBeNull();
    expect(
      trialsNeeded(
        paired([
          [
            [5, 4],
            [5, 2],
          ],
        ]),
        50,
      ),
    ).toBeNull();
  });

  it('are one at least', () => {
    const all = paired(
      [
        [
          [5, 5],
          [5, 0],
        ],
      ],
      20,
    );
    expect(trialsNeeded(all, 50)).toBe(1);
  });
});

test('scenarios that all differ alike leave the share of others that the binomial bound allows', () => {
  // 1 − 0.05^(1/10) = 0.2589: the "rule of three", exactly.
  const { low, high } = boundOfUnvaried(0, 10, 0.95);
  expect(high).toBeCloseTo(0.258866, 6);
  expect(low).toBeCloseTo(-0.258866, 6);
  const shifted = boundOfUnvaried(-0.5, 10, 0.95, 2);
  expect(shifted.low).toBeCloseTo(-0.5 * 0.741134 - 2 * 0.258866, 5);
  expect(shifted.high).toBeCloseTo(-0.5 * 0.741134 + 2 * 0.258866, 5);
});

test('groups are in the order of their names, each with all its members', () => {
  const groups = byGroup(
    [
      { name: 'triage', graded: 2, passed: 1 },
      { name: 'emergency', graded: 1, passed: 1 },
      { name: 'triage', graded: 3, passed: 3 },
      { name: 'safety', graded: 0, passed: 0 },
    ],
    0.95,
  );
  expect(groups.map(({ name, graded, passed }) => [name, graded, passed])).toEqual([
    ['emergency', 1, 1],
    ['safety', 0, 0],
    ['triage', 5, 4],
  ]);
  expect(groups.map(({ rate }) => rate?.value ?? null)).toEqual([1, null, 0.8]);
});
