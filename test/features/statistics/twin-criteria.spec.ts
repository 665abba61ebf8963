import { MUST_PASS_TAG } from '../../../src/domain';
import type { MarkedScenario } from '../../../src/features/statistics/compared-criteria';
import type { Matched, MatchedScenario } from '../../../src/features/statistics/matched-scenarios';
import { markedInPairs, TwinCriteria } from '../../../src/features/statistics/twin-criteria';
import { inPairs } from '../../../src/features/statistics/twin-lines';

const OUTCOME = { position: 1, graded: 2, passed: 1, score: 50, violations: 0 };
const scenario = (id: string, graded = 2): MatchedScenario => ({
  scenario_id: id,
  scenario_name: `Scenario ${id}`,
  category: null,
  before: { ...OUTCOME, graded },
  after: { ...OUTCOME, graded },
});

const marked = (id: string, before: readonly number[], after: readonly number[]): MarkedScenario => ({
  scenario_id: id,
  scenario_name: `Scenario ${id}`,
  rubric: [
    { points: 5, tags: ['safety', MUST_PASS_TAG] },
    { points: 1, tags: ['history'] },
  ],
  before: new Map([['1', before]]),
  after: new Map([['1', after]]),
});

describe('the criteria of two twins', () => {
  test('are those that must be passed, the others, and those of each severity, the gravest first and those of none last', async () => {
    const severities = [
      ['a', 'low'],
      ['b', 'critical'],
      ['c', null],
    ] as const;
    const criteria = new TwinCriteria(severities.map(([id, severity]) => ({ ...scenario(id), severity })));
    criteria.add(marked('a', [1, 1], [0, 1]));
    criteria.add(marked('b', [1, 1], [0, 0]));
    criteria.add(marked('c', [1, 0], [1, 0]));
    criteria.add(marked('unknown', [1, 0], [1, 0]));
    const found = await criteria.found(0.95);
    expect(found.map(({ by, group, scenarios, before, after }) => [by, group, scenarios, before, after])).toEqual([
      ['must_pass', 'must_pass', 4, 1, 0.5],
      ['must_pass', 'others', 4, 0.5, 0.25],
      ['severity', 'critical', 1, 1, 0],
      ['severity', 'low', 1, 1, 0.5],
      ['severity', null, 2, 0.5, 0.5],
    ]);
  });

  test('are compared by the conversations that are marked in both', () => {
    const [before, after] = [
      new Map([
        ['1', [1]],
        ['2', [0]],
      ]),
      new Map([
        ['2', [1]],
        ['3', [0]],
      ]),
    ];
    const [pairs] = markedInPairs([{ ...marked('a', [], []), before, after }]);
    expect(pairs).toMatchObject({ scenario_id: 'a', scenario_name: 'Scenario a' });
    expect([...(pairs?.before ?? [])]).toEqual([['2', [0]]]);
    expect([...(pairs?.after ?? [])]).toEqual([['2', [1]]]);
  });
});

test('the scenarios of two twins are those with a pair, over their pairs alone; the others count as ungraded', () => {
  const matched: Matched = {
    compared: [scenario('a'), scenario('b'), scenario('c')],
    otherText: [],
    otherRubric: [],
    changed: 0,
    onlyBefore: 0,
    onlyAfter: 0,
    ungraded: 4,
  };
  const scenarios = [{ ...scenario('b', 1), severity: null }];
  expect(inPairs(matched, { scenarios })).toEqual({ ...matched, compared: [scenario('b', 1)], ungraded: 6 });
});
