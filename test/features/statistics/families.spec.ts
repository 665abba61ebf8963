import { MUST_PASS_TAG } from '../../../src/domain';
import type { MatchedScenario, ScenarioOutcome } from '../../../src/features/statistics/matched-scenarios';
import { askThree, familiesOf, scoredOf, type Answered } from '../../../src/features/statistics/three-questions';

const outcome = (changes: Partial<ScenarioOutcome> = {}): ScenarioOutcome => ({
  position: 1,
  graded: 2,
  passed: 1,
  score: 50,
  violations: 0,
  ...changes,
});

const scenario = (
  place: number,
  before: Partial<ScenarioOutcome> = {},
  after: Partial<ScenarioOutcome> = {},
): MatchedScenario => ({
  scenario_id: `id ${place}`,
  scenario_name: `Scenario ${place}`,
  category: null,
  before: outcome(before),
  after: outcome(after),
});

const scenarios = (count: number, before: Partial<ScenarioOutcome>, after: Partial<ScenarioOutcome>) =>
  Array.from({ length: count }, (_, place) => scenario(place, before, after));

const NO_RUBRICS = new Map<string, never[]>();

describe('the three questions of two runs', () => {
  test('are answered by no scenario with nothing, rather than with 0', async () => {
    for (const answer of await askThree([], NO_RUBRICS, 0.95)) {
      expect(answer).toMatchObject({
        scenarios: 0,
        before: null,
        after: null,
        difference: null,
        low: null,
        high: null,
        method: 'paired_bootstrap',
        p_value: null,
      });
    }
  });

  test('are of pass rates in percent, by McNemar’s test for one trial each', async () => {
    const [passed] = await askThree(scenarios(8, { graded: 1, passed: 1 }, { graded: 1, passed: 0 }), NO_RUBRICS, 0.95);
    expect(passed).toMatchObject({ on: 'passed', name: 'mcnemar_exact', before: 100, after: 0, difference: -100 });
    expect(passed?.p_value).toBeCloseTo(2 / 2 ** 8, 12);
    const [several] = await askThree(
      scenarios(8, { graded: 4, passed: 3 }, { graded: 4, passed: 1 }),
      NO_RUBRICS,
      0.95,
    );
    expect(several).toMatchObject({ name: 'sign_flip', before: 75, after: 25, difference: -50 });
    expect(several?.p_value).toBeCloseTo(2 / 2 ** 8, 12);
  });

  test('are of scores, of the scenarios that have one in both runs', async () => {
    expect(scoredOf([scenario(1, { score: null }, { score: 3 })])).toEqual([]);
    expect(scoredOf([scenario(1, { score: 3 }, { score: null })])).toEqual([]);
    const [, score] = await askThree(
      [...scenarios(8, { score: 60 }, { score: 50 }), scenario(9, { score: null }), scenario(10, {}, { score: null })],
      NO_RUBRICS,
      0.95,
    );
    expect(score).toMatchObject({ on: 'score', scenarios: 8, before: 60, after: 50, difference: -10 });
    expect(score?.p_value).toBeCloseTo(2 / 2 ** 8, 12);
  });

  test('are of must-pass violations, of the scenarios with such criteria, and more of them are worse', async () => {
    const criterion = (tag: string) => ({ criterion: `about ${tag}`, points: 1, tags: [tag] });
    const rubrics = new Map([
      ...Array.from({ length: 8 }, (_, place) => [`id ${place}`, [criterion(MUST_PASS_TAG)]] as const),
      ['id 8', [criterion('history')]] as const,
    ]);
    const compared = [...scenarios(8, { violations: 0 }, { violations: 0.5 }), scenario(8), scenario(9)];
    const [, , mustPass] = await askThree(compared, rubrics, 0.95);
    expect(mustPass).toMatchObject({ on: 'must_pass', scenarios: 8, before: 0, after: 0.5, difference: -0.5 });
    expect(mustPass?.p_value).toBeCloseTo(2 / 2 ** 8, 12);
  });

  test('have a bound that is wider, the more criteria a scenario may violate', async () => {
    const criterion = { criterion: 'Calls for help', points: 1, tags: [MUST_PASS_TAG] };
    const widthWith = async (criteria: number): Promise<number> => {
      const rubrics = new Map(
        Array.from({ length: 8 }, (_, place) => [
          `id ${place}`,
          Array.from({ length: place === 3 ? criteria : 1 }, () => criterion),
        ]),
      );
      const [, , found] = await askThree(scenarios(8, {}, {}), rubrics, 0.95);
      return (found?.high ?? NaN) - (found?.low ?? NaN);
    };
    expect(await widthWith(4)).toBeCloseTo(4 * (await widthWith(1)), 9);
  });
});

const answered = (scenariosAsked: number, p_value: number): Answered => ({
  on: 'passed',
  name: 'sign_flip',
  scenarios: scenariosAsked,
  before: 50,
  after: 50,
  difference: 0,
  low: -1,
  high: 1,
  method: 'paired_bootstrap',
  p_value,
});

describe('the questions of several pairs of runs', () => {
  test('are adjusted together, and one that too few scenarios answer makes the others no weaker', () => {
    const [one, other] = familiesOf([[answered(20, 0.01), answered(5, 0.03)], [answered(20, 0.2)]], 0.95);
    expect(one?.tests.map(({ adjusted_p_value: p }) => p)).toEqual([0.02, null]);
    expect(other?.tests.map(({ adjusted_p_value: p }) => p)).toEqual([0.2]);
    for (const family of [one, other]) expect(family).toMatchObject({ asked: 2, pairs: 2, couldShow: true });
  });

  test('are asked only where the least p-value there can be is below the level, not at it', () => {
    // 2 / 2 ** 6
    expect(familiesOf([[answered(6, 0.04)]], 1 - 2 / 2 ** 6)[0]).toMatchObject({ asked: 0, couldShow: false });
    expect(familiesOf([[answered(6, 0.04)]], 0.95)[0]).toMatchObject({ asked: 1, couldShow: true });
  });

  test('can show nothing where so many are asked that no outcome would reach the level', () => {
    const asked = Array.from({ length: 4 }, () => answered(6, 0.5));
    expect(familiesOf([asked], 0.95)[0]).toMatchObject({ asked: 4, couldShow: false });
    // A difference that is shown could be shown.
    const sure = answered(6, 0.005);
    expect(familiesOf([[sure, ...asked]], 0.95)[0]).toMatchObject({ asked: 5, couldShow: true });
  });
});
