import { decisionsOf, outcomeOf, type RubricCriterion } from '../../domain';
import { ownTurn } from '../../platform/concurrency';
import type { MatchedScenario } from './matched-scenarios';
import { decisionLines, type DecidedConversations } from './run-pairs.store';
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
  before: ReadonlyMap<string, DecidedConversations>,
  after: ReadonlyMap<string, DecidedConversations>,
): Generator<MarkedScenario, void> {
  for (const { scenario_id, scenario_name } of compared) {
    const rubric = rubrics.get(scenario_id) ?? [];
    // Many conversations of a scenario are decided alike, in both runs.
    const known = new Map<string, readonly number[]>();
    const marks = (decided: ReadonlyMap<string, DecidedConversations>): Marks =>
      marksOf(decided.get(scenario_id) ?? '', rubric, known);
    yield { scenario_id, scenario_name, rubric, before: marks(before), after: marks(after) };
  }
}

/** @param known what was decided in other conversations of the scenario, by the letters of the decisions */
function marksOf(
  decided: DecidedConversations,
  rubric: readonly RubricCriterion[],
  known: Map<string, readonly number[]>,
): Marks {
  const marks = new Map<string, readonly number[]>();
  for (const [conversation, letters] of decisionLines(decided)) {
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

/** What was tested of the criteria of all scenarios. Two runs of 20,000 conversations have 200,000 criteria: only those that changed are kept. */
export interface TestedCriteria {
  /** Those that were met more or less often. */
  readonly changed: readonly ChangedCriterion[];
  /** How many there are, changed or not. */
  readonly count: number;
  /** In how many conversations of both runs one of them was decided at most. */
  readonly mostConversations: number;
}

type ChangedCriterion = Omit<ComparedCriterion, 'adjusted_p_value'>;

/**
 * Tests every criterion that is marked in both runs, scenario after scenario, with turns for other work in between: a scenario of many
 * trials takes a millisecond, and so do a hundred of one trial.
 */
export async function testScenarios(
  scenarios: Iterable<MarkedScenario>,
  seen: (scenario: MarkedScenario) => void,
): Promise<TestedCriteria> {
  const changed: ChangedCriterion[] = [];
  let [count, mostConversations, marks] = [0, 0, 0];
  for (const scenario of scenarios) {
    const inBoth = markedInBoth(scenario);
    changed.push(...changedIn(scenario, inBoth));
    seen(scenario);
    count += scenario.rubric.length;
    if (scenario.rubric.length > 0) mostConversations = Math.max(mostConversations, inBoth.length);
    marks += scenario.rubric.length * (scenario.before.size + scenario.after.size);
    if (marks < MARKS_A_TURN) continue;
    marks = 0;
    await othersTurn();
  }
  return { changed, count, mostConversations };
}

/** The marks of one conversation in the two runs. */
interface MarkedTwice {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function markedInBoth({ before, after }: MarkedScenario): MarkedTwice[] {
  const inBoth: MarkedTwice[] = [];
  for (const [conversation, marks] of before) {
    const later = after.get(conversation);
    if (later !== undefined) inBoth.push({ before: marks, after: later });
  }
  return inBoth;
}

function changedIn(
  { scenario_id, scenario_name, rubric, before, after }: MarkedScenario,
  inBoth: readonly MarkedTwice[],
): ChangedCriterion[] {
  const changed: ChangedCriterion[] = [];
  rubric.forEach(({ criterion }, place) => {
    const [was, is] = [meanOf(before, place), meanOf(after, place)];
    // Unequal as well where a run has no marks, which has no mean.
    if (was === is) return;
    const pairs = inBoth.map((marks) => ({ before: marks.before[place] ?? 0, after: marks.after[place] ?? 0 }));
    changed.push({ scenario_id, scenario_name, criterion, before: was, after: is, p_value: criterionTest(pairs) });
  });
  return changed;
}

export interface ChangedCriteria {
  /** The clearest change first. */
  readonly criteria: ComparedCriterion[];
  readonly summary: Omit<ComparisonView['criteria_summary'], 'sentence'>;
}

/**
 * Adjusted over all of them; answers those that changed, with turns for other work in between.
 * @param level of significance, 0..1
 */
export async function changedCriteria(
  { changed, count, mostConversations }: TestedCriteria,
  level: number,
): Promise<ChangedCriteria> {
  const adjusted = holm(
    changed.map(({ p_value }) => p_value),
    count,
  );
  await othersTurn();
  const criteria = changed.map((one, place) => ({ ...one, adjusted_p_value: adjusted[place] ?? 1 }));
  await othersTurn();
  criteria.sort((one, other) => one.p_value - other.p_value || changeOf(other) - changeOf(one));
  await othersTurn();
  return {
    criteria,
    summary: {
      tested: count,
      shown: criteria.filter(({ adjusted_p_value: p }) => p < level).length,
      could_show: count > 0 && leastPValue(mostConversations) * count < level,
    },
  };
}

function meanOf(marks: Marks, place: number): number {
  let sum = 0;
  for (const worth of marks.values()) sum += worth[place] ?? 0;
  return sum / marks.size;
}

function changeOf({ before, after }: ComparedCriterion): number {
  return Math.abs(after - before);
}
