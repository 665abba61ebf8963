import { decisionsOf, outcomeOf, type RubricCriterion } from '../../domain';
import { ownTurn } from '../../platform/concurrency';
import type { MatchedScenario } from './matched-scenarios';
import type { DecisionLetters } from './run-pairs.store';
import { holm, leastPValue, criterionTest } from '../../domain/statistics';
import type { ComparisonView } from '../../../contract/comparison';

type ComparedCriterion = ComparisonView['criteria'][number];

/** How well each criterion of a scenario was met, by conversation (trial and patient): 0 to 1 in the order of the rubric. */
export type Marks = ReadonlyMap<string, readonly number[]>;

/** Marks that are looked at in some ten milliseconds. */
const MARKS_A_TURN = 10_000;

const othersTurn = (): Promise<void> => ownTurn(Number.POSITIVE_INFINITY);

const WORTH = { good: 1, half: 0.5, bad: 0 } as const;

export interface MarkedScenario {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly rubric: readonly RubricCriterion[];
  readonly before: Marks;
  readonly after: Marks;
}

/** Each of the compared scenarios when it is looked at, so that its marks need not be held beside those of all others. */
export function* markedScenarios(
  compared: readonly MatchedScenario[],
  rubrics: ReadonlyMap<string, readonly RubricCriterion[]>,
  before: ReadonlyMap<string, DecisionLetters>,
  after: ReadonlyMap<string, DecisionLetters>,
): Generator<MarkedScenario, void> {
  for (const { scenario_id, scenario_name } of compared) {
    const rubric = rubrics.get(scenario_id) ?? [];
    const marks = (decided: ReadonlyMap<string, DecisionLetters>): Marks => marksOf(decided.get(scenario_id), rubric);
    yield { scenario_id, scenario_name, rubric, before: marks(before), after: marks(after) };
  }
}

function marksOf(conversations: DecisionLetters | undefined, rubric: readonly RubricCriterion[]): Marks {
  // Many conversations of a scenario are decided alike.
  const known = new Map<string, readonly number[]>();
  const marks = new Map<string, readonly number[]>();
  for (const [conversation, letters] of conversations ?? []) {
    const worth = known.get(letters) ?? worthOf(letters, rubric);
    known.set(letters, worth);
    marks.set(conversation, worth);
  }
  return marks;
}

function worthOf(letters: string, rubric: readonly RubricCriterion[]): number[] {
  return decisionsOf(letters).map((decision, place) => {
    const criterion = rubric[place];
    if (criterion === undefined) return 0;
    return WORTH[
      outcomeOf({ criterion: criterion.criterion, decision, max_points: criterion.points, tags: criterion.tags })
    ];
  });
}

interface Tested extends Omit<ComparedCriterion, 'adjusted_p_value'> {
  /** That it was decided in, in both runs. */
  readonly conversations: number;
}

/**
 * The same for scenario after scenario, with turns for other work in between: a scenario of many trials takes a millisecond, and
 * so do a hundred of one trial.
 */
export async function testScenarios(
  scenarios: Iterable<MarkedScenario>,
  seen: (scenario: MarkedScenario) => void,
): Promise<Tested[]> {
  const tested: Tested[] = [];
  let marks = 0;
  for (const scenario of scenarios) {
    tested.push(...testCriteria(scenario));
    seen(scenario);
    marks += scenario.rubric.length * (scenario.before.size + scenario.after.size);
    if (marks < MARKS_A_TURN) continue;
    marks = 0;
    await othersTurn();
  }
  return tested;
}

/** Every criterion of a scenario that is marked in both runs. */
function testCriteria({ scenario_id, scenario_name, rubric, before, after }: MarkedScenario): Tested[] {
  const inBoth = [...before].flatMap(([conversation, marks]) => {
    const later = after.get(conversation);
    return later === undefined ? [] : [{ before: marks, after: later }];
  });
  const [allBefore, allAfter] = [[...before.values()], [...after.values()]];
  return rubric.map(({ criterion }, place) => {
    const pairs = inBoth.map((marks) => ({ before: marks.before[place] ?? 0, after: marks.after[place] ?? 0 }));
    return {
      scenario_id,
      scenario_name,
      criterion,
      before: meanOf(allBefore, place),
      after: meanOf(allAfter, place),
      p_value: criterionTest(pairs),
      conversations: pairs.length,
    };
  });
}

export interface ChangedCriteria {
  /** The clearest change first. */
  readonly criteria: ComparedCriterion[];
  readonly summary: Omit<ComparisonView['criteria_summary'], 'sentence'>;
}

/**
 * Adjusted over all of them; answers those that changed. Two runs of 20,000 conversations have 200,000 to look at: other work
 * gets turns in between.
 * @param level of significance, 0..1
 */
export async function changedCriteria(tested: readonly Tested[], level: number): Promise<ChangedCriteria> {
  const changed = tested.filter(({ before, after }) => before !== after);
  await othersTurn();
  const adjusted = holm(
    changed.map(({ p_value }) => p_value),
    tested.length,
  );
  await othersTurn();
  const criteria = changed.map(({ conversations: _, ...one }, place) => ({
    ...one,
    adjusted_p_value: adjusted[place] ?? 1,
  }));
  await othersTurn();
  criteria.sort((one, other) => one.p_value - other.p_value || changeOf(other) - changeOf(one));
  await othersTurn();
  return {
    criteria,
    summary: {
      tested: tested.length,
      shown: criteria.filter(({ adjusted_p_value: p }) => p < level).length,
      could_show: tested.some(({ conversations }) => leastPValue(conversations) * tested.length < level),
    },
  };
}

function meanOf(trials: readonly (readonly number[])[], place: number): number {
  return trials.reduce((sum, marks) => sum + (marks[place] ?? 0), 0) / trials.length;
}

function changeOf({ before, after }: ComparedCriterion): number {
  return Math.abs(after - before);
}
