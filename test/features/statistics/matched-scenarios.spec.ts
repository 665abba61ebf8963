import {
  changedScenarios,
  matchedView,
  matchScenarios,
  type MatchedScenario,
  type ScenarioOutcome,
} from '../../../src/features/statistics/matched-scenarios';
import type { NamedTally, RunSide, ScenarioPrint } from '../../../src/features/statistics/run-pairs.store';

const tally = (id: string, changes: Partial<NamedTally> = {}): NamedTally => ({
  scenario_id: id,
  scenario_name: `Scenario ${id}`,
  category: 'emergency',
  position: 1,
  content_hash: 'hash',
  total: 2,
  graded: 2,
  passed: 1,
  score: 50,
  violations: 0,
  ...changes,
});

const side = (scenarios: readonly NamedTally[], prints: readonly ScenarioPrint[] = []): RunSide => ({
  tallies: { scenarios, examiners: [] },
  prints,
  patients: [],
});

describe('the scenarios that two runs are compared by', () => {
  test('are those of both in the order of the run after, and those of one run alone are counted', async () => {
    const matched = await matchScenarios(
      side([tally('gone'), tally('a'), tally('b')]),
      side([tally('b'), tally('a'), tally('new'), tally('newer')]),
    );
    expect(matched.compared.map(({ scenario_id }) => scenario_id)).toEqual(['b', 'a']);
    expect(matchedView(matched)).toEqual({ compared: 2, changed: 0, only_before: 1, only_after: 2, ungraded: 0 });
  });

  test('leave out those with another text or rubric, each by its name and counted once', async () => {
    const print = (scenario_id: string, content: string, rubric: string) => ({ scenario_id, content, rubric });
    const all = ['text', 'rubric', 'both', 'same'].map((id) => tally(id));
    const matched = await matchScenarios(
      side(
        all,
        all.map(({ scenario_id }) => print(scenario_id, 'x', 'y')),
      ),
      side(all, [
        print('text', 'other', 'y'),
        print('rubric', 'x', 'other'),
        print('both', 'other', 'other'),
        print('same', 'x', 'y'),
      ]),
    );
    expect(matched.compared.map(({ scenario_id }) => scenario_id)).toEqual(['same']);
    expect(matched.otherText).toEqual(['Scenario text', 'Scenario both']);
    expect(matched.otherRubric).toEqual(['Scenario rubric', 'Scenario both']);
    expect(matchedView(matched)).toEqual({ compared: 1, changed: 3, only_before: 0, only_after: 0, ungraded: 0 });
  });

  test('leave out those without a verdict in either run', async () => {
    const [none, some] = [tally('a', { graded: 0, passed: 0, score: null }), tally('a')];
    for (const [before, after] of [
      [none, some],
      [some, none],
    ] as const) {
      const matched = await matchScenarios(side([before]), side([after]));
      expect(matchedView(matched)).toMatchObject({ compared: 0, ungraded: 1 });
    }
  });

  test('have the must-pass violations of all their conversations, shared among the graded ones', async () => {
    const matched = await matchScenarios(
      side([tally('a', { graded: 4, violations: 3 }), tally('other', { violations: 9 })]),
      side([tally('a')]),
    );
    expect(matched.compared[0]?.before).toEqual({
      position: 1,
      graded: 4,
      passed: 1,
      score: 50,
      violations: 0.75,
    });
    expect(matched.compared[0]?.after.violations).toBe(0);
  });
});

describe('the scenarios that changed', () => {
  const SAME: ScenarioOutcome = { position: 1, graded: 4, passed: 2, score: 50, violations: 1 };
  const moved = (id: string, before: Partial<ScenarioOutcome>, after: Partial<ScenarioOutcome>): MatchedScenario => ({
    scenario_id: id,
    scenario_name: `Scenario ${id}`,
    category: null,
    before: { ...SAME, ...before },
    after: { ...SAME, ...after },
  });
  const namesIn = (compared: readonly MatchedScenario[]) => {
    const { better, worse } = changedScenarios(compared);
    return [better, worse].map((list) => list.map(({ scenario_id }) => scenario_id));
  };

  test('moved by their pass share, else by their score, else by their must-pass violations', () => {
    expect(
      namesIn([
        moved('share', { passed: 1, score: 90, violations: 0 }, { passed: 2, score: 10, violations: 3 }),
        moved('score', { score: 60, violations: 3 }, { score: 50, violations: 0 }),
        moved('violations', { violations: 1 }, { violations: 0 }),
      ]),
    ).toEqual([['share', 'violations'], ['score']]);
  });

  test('do not include one of which nothing moved by more than rounding, nor by a score that one run has not', () => {
    expect(
      namesIn([
        moved('same', {}, {}),
        moved('rounding', { score: 50 }, { score: 50 + 1e-10 }),
        moved('unscored before', { score: null }, { score: 90 }),
        moved('unscored after', { score: 90 }, { score: null }),
      ]),
    ).toEqual([[], []]);
    expect(namesIn([moved('unscored', { score: null, violations: 2 }, { score: null, violations: 1 })])).toEqual([
      ['unscored'],
      [],
    ]);
  });

  test('come by the size of the change, those whose pass share moved before those whose score did', () => {
    const scored = [moved('ten', { score: 60 }, {}), moved('forty', { score: 90 }, {})];
    const shares = [moved('a quarter', { passed: 3 }, {}), moved('a half', { passed: 4 }, {})];
    expect(namesIn([...scored, ...shares])).toEqual([[], ['a half', 'a quarter', 'forty', 'ten']]);
    const alike = [moved('first', { score: 60 }, {}), moved('second', { score: 60 }, {})];
    expect(namesIn(alike)).toEqual([[], ['first', 'second']]);
    const further = [moved('less', { passed: 3, score: 60 }, {}), moved('more', { passed: 3, score: 90 }, {})];
    expect(namesIn(further)).toEqual([[], ['more', 'less']]);
  });

  test('are shown with share, score and violations of either run', () => {
    const { better } = changedScenarios([
      moved('a', { passed: 1, score: 40, violations: 2 }, { passed: 3, score: 80, violations: 1 }),
    ]);
    expect(better).toEqual([
      {
        scenario_id: 'a',
        scenario_name: 'Scenario a',
        before: 0.25,
        after: 0.75,
        score_before: 40,
        score_after: 80,
        violations_before: 2,
        violations_after: 1,
      },
    ]);
  });
});
