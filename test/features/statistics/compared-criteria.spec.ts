import {
  changedCriteria,
  markedScenarios,
  testScenarios,
  type MarkedScenario,
  type TestedCriteria,
} from '../../../src/features/statistics/compared-criteria';
import type { DecidedConversation, Decisions } from '../../../src/features/statistics/counted-run';
import { decisionLetters, type Decision } from '../../../src/domain';

const RUBRIC = [
  { criterion: 'Asks about allergies', points: 2, tags: [] },
  { criterion: 'Gives a dose', points: -3, tags: [] },
];

const decided = (name: string, ...decisions: readonly Decision[]): DecidedConversation => ({
  name,
  letters: decisionLetters(decisions),
});

const OUTCOME = { position: 1, graded: 1, passed: 1, score: 1, violations: 0 };
const COMPARED = { scenario_id: 'a', scenario_name: 'Scenario a', category: null, before: OUTCOME, after: OUTCOME };

const decisionsOf = (...conversations: readonly DecidedConversation[]): Decisions =>
  new Map([['a', { position: 1, decided: conversations }]]);

const markedOf = (
  before: readonly DecidedConversation[],
  after: readonly DecidedConversation[],
  rubric = RUBRIC,
): MarkedScenario[] => [
  ...markedScenarios([COMPARED], new Map([['a', rubric]]), decisionsOf(...before), decisionsOf(...after)),
];

describe('the marks of a scenario', () => {
  test('say how well each criterion was met, and what should not be done counts the other way', () => {
    const [marked] = markedOf(
      [decided('1', 'MET', 'MET'), decided('2', 'NOT MET', 'NOT MET')],
      [decided('1', 'PARTIALLY MET', 'PARTIALLY MET')],
    );
    expect(marked).toMatchObject({ scenario_id: 'a', scenario_name: 'Scenario a', rubric: RUBRIC });
    expect([...(marked?.before ?? [])]).toEqual([
      ['1', [1, 0]],
      ['2', [0, 1]],
    ]);
    expect(marked?.after.get('1')?.[0]).toBe(0.5);
  });

  test('are none without decisions, and worth nothing beyond the rubric', () => {
    const [marked] = markedScenarios([COMPARED], new Map([['a', RUBRIC]]), new Map(), new Map());
    expect([marked?.before.size, marked?.after.size]).toEqual([0, 0]);
    const [longer] = markedOf([decided('1', 'MET', 'NOT MET', 'MET')], []);
    expect(longer?.before.get('1')).toEqual([1, 1, 0]);
    const [unknown] = markedScenarios([COMPARED], new Map(), decisionsOf(decided('1', 'MET')), new Map());
    expect(unknown?.rubric).toEqual([]);
    expect(unknown?.before.get('1')).toEqual([0]);
  });
});

const lines = (count: number, ...decisions: readonly Decision[]) =>
  Array.from({ length: count }, (_, place) => decided(String(place), ...decisions));

describe('criteria one by one', () => {
  test('are all counted, and those that were met more or less often are kept', async () => {
    const seen: MarkedScenario[] = [];
    const marked = markedOf(lines(8, 'MET', 'NOT MET'), lines(8, 'NOT MET', 'NOT MET'));
    const tested = await testScenarios([...marked, ...marked], (one) => seen.push(one));
    const changed = { scenario_id: 'a', scenario_name: 'Scenario a', place: 0 };
    expect(seen).toEqual([...marked, ...marked]);
    expect(tested).toMatchObject({ count: 4, mostConversations: 8 });
    expect(tested.changed).toHaveLength(2);
    expect(tested.changed[0]).toEqual({ ...changed, before: 1, after: 0, p_value: expect.closeTo(2 / 2 ** 8, 12) });
  });

  test('are tested by the conversations that are marked in both runs', async () => {
    const marked = markedOf(lines(3, 'MET', 'NOT MET'), [
      decided('1', 'NOT MET', 'NOT MET'),
      decided('9', 'NOT MET', 'NOT MET'),
    ]);
    const tested = await testScenarios(marked, () => undefined);
    expect(tested.mostConversations).toBe(1);
    expect(tested.changed).toEqual([expect.objectContaining({ before: 1, after: 0, p_value: 1 })]);
  });

  test('of a scenario without a rubric say nothing of how many conversations there are', async () => {
    const tested = await testScenarios(markedOf(lines(8, 'MET'), lines(8, 'MET'), []), () => undefined);
    expect(tested).toEqual({ changed: [], count: 0, mostConversations: 0 });
  });

  test('of more marks than are looked at in one turn come to the same', async () => {
    const many = markedOf(lines(6_000, 'MET', 'NOT MET'), lines(6_000, 'MET', 'MET'));
    const tested = await testScenarios([...many, ...many], () => undefined);
    expect(tested).toMatchObject({ count: 4, mostConversations: 6_000 });
    expect(tested.changed.map(({ place, before, after }) => [place, before, after])).toEqual([
      [1, 1, 0],
      [1, 1, 0],
    ]);
  });
});

const WORDS = ['clear', 'large', 'small', 'unclear'];
const words = new Map([['a', WORDS]]);

const criterion = (name: string, p_value: number, before = 1, after = 0): TestedCriteria['changed'][number] => ({
  scenario_id: 'a',
  scenario_name: 'Scenario a',
  place: WORDS.indexOf(name),
  before,
  after,
  p_value,
});

describe('the criteria that changed', () => {
  test('are adjusted for all that were tested, the clearest first, and of equally clear ones the largest change', async () => {
    const changed = [
      criterion('unclear', 0.5),
      criterion('small', 0.02, 0.5, 0.75),
      criterion('large', 0.02, 0.2, 0.9),
      criterion('clear', 0.001),
    ];
    const { criteria, summary } = await changedCriteria({ changed, count: 10, mostConversations: 30 }, words, 0.05);
    expect(criteria.map((one) => [one.criterion, one.adjusted_p_value])).toEqual([
      ['clear', 0.01],
      ['large', expect.closeTo(0.18, 12)],
      ['small', expect.closeTo(0.18, 12)],
      ['unclear', 1],
    ]);
    expect(summary).toEqual({ tested: 10, shown: 1, could_show: true });
  });

  test('are shown below the level, not at it', async () => {
    const tested = { changed: [criterion('clear', 0.05)], count: 1, mostConversations: 30 };
    expect((await changedCriteria(tested, words, 0.05)).summary.shown).toBe(0);
    expect((await changedCriteria(tested, words, 0.051)).summary.shown).toBe(1);
  });

  test.each([
    [0, 30, false],
    [1, 6, true],
    [2, 6, false],
    [2, 7, true],
    [1, 5, false],
  ])('of %i in %i conversations could be shown: %s', async (count, mostConversations, couldShow) => {
    const { summary } = await changedCriteria({ changed: [], count, mostConversations }, words, 0.05);
    expect(summary.could_show).toBe(couldShow);
    // At the level itself nothing is shown.
    expect(
      (await changedCriteria({ changed: [], count: 1, mostConversations: 6 }, words, 2 / 2 ** 6)).summary.could_show,
    ).toBe(false);
  });
});
