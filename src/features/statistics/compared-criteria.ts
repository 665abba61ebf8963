import { decisionsOf, outcomeOf } from '../../domain';
import { othersTurn } from '../../platform/concurrency';
import type { MatchedScenario } from './matched-scenarios';
import type { CriterionKind } from './read-rubrics';
import type { DecidedConversation, Decisions } from './counted-run';
import { holm, leastPValue, criterionTest } from '../../domain/statistics';
import type { ComparisonView } from '../../../contract/comparison';

type ComparedCriterion = ComparisonView['criteria'][number];

/** How well each criterion of a scenario was met, by conversation (trial and patient): 0 to 1 in the order of the rubric. */
export type Marks = ReadonlyMap<string, readonly number[]>;

/** Marks that are looked at in some ten milliseconds. */
const MARKS_A_TURN = 10_000;

const WORTH = { good: 1, half: 0.5, bad: 0 } as const;

export interface MarkedScenario {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly rubric: readonly CriterionKind[];
  readonly before: Marks;
  readonly after: Marks;
}

/** Each of the compared scenarios when it is looked at, so that its marks need not be held beside those of all others. */
export function* markedScenarios(
  compared: readonly MatchedScenario[],
  rubrics: ReadonlyMap<string, readonly CriterionKind[]>,
  before: Decisions,
  after: Decisions,
): Generator<MarkedScenario, void> {
  const readers = new Map<readonly CriterionKind[], MarksReader>();
  for (const { scenario_id, scenario_name } of compared) {
    const rubric = rubrics.get(scenario_id) ?? NO_RUBRIC;
    const reader = readers.get(rubric) ?? new MarksReader(rubric);
    readers.set(rubric, reader);
    const [earlier, later] = [before.get(scenario_id)?.decided ?? NONE, after.get(scenario_id)?.decided ?? NONE];
    yield { scenario_id, scenario_name, rubric, before: reader.read(earlier), after: reader.read(later) };
  }
}

const NO_RUBRIC: readonly CriterionKind[] = [];
const NONE: readonly DecidedConversation[] = [];

/** Reads marks with one rubric. Many conversations are decided alike, in both runs and in scenarios with alike rubrics. */
class MarksReader {
  /** By the letters of the decisions. */
  private readonly known = new Map<string, readonly number[]>();
  /** Of scenarios with a single conversation. */
  private readonly single = new Map<DecidedConversation | undefined, Marks>();

  constructor(private readonly rubric: readonly CriterionKind[]) {}

  read(decided: readonly DecidedConversation[]): Marks {
    if (decided.length > 1) return this.marksIn(decided);
    const [only] = decided;
    const marks = this.single.get(only) ?? this.marksIn(decided);
    this.single.set(only, marks);
    return marks;
  }

  private marksIn(decided: readonly DecidedConversation[]): Marks {
    const marks = new Map<string, readonly number[]>();
    for (const { name, letters } of decided) {
      const worth = this.known.get(letters) ?? worthOf(letters, this.rubric);
      this.known.set(letters, worth);
      marks.set(name, worth);
    }
    return marks;
  }
}

function worthOf(letters: string, rubric: readonly CriterionKind[]): number[] {
  return decisionsOf(letters).map((decision, place) => {
    const criterion = rubric[place];
    if (criterion === undefined) return 0;
    return WORTH[outcomeOf({ decision, max_points: criterion.points, tags: criterion.tags })];
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

interface ChangedCriterion extends Omit<ComparedCriterion, 'adjusted_p_value' | 'criterion'> {
  /** Of the criterion in the rubric, from 0: its words are read when it is known which have changed. */
  readonly place: number;
}

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
  const [earlier, later] = [sumsOf(before, rubric.length), sumsOf(after, rubric.length)];
  if (earlier === later && before.size === after.size) return changed;
  for (let place = 0; place < rubric.length; place += 1) {
    const [was, is] = [(earlier[place] ?? 0) / before.size, (later[place] ?? 0) / after.size];
    // Unequal as well where a run has no marks, which has no mean.
    if (was === is) continue;
    const pairs = inBoth.map((marks) => ({ before: marks.before[place] ?? 0, after: marks.after[place] ?? 0 }));
    changed.push({ scenario_id, scenario_name, place, before: was, after: is, p_value: criterionTest(pairs) });
  }
  return changed;
}

export interface ChangedCriteria {
  /** The clearest change first. */
  readonly criteria: ComparedCriterion[];
  readonly summary: Omit<ComparisonView['criteria_summary'], 'sentence'>;
}

/**
 * Adjusted over all of them; answers those that changed, with turns for other work in between.
 * @param words of the criteria of each scenario in which one has changed, in the order of the rubric
 * @param level of significance, 0..1
 */
export async function changedCriteria(
  { changed, count, mostConversations }: TestedCriteria,
  words: ReadonlyMap<string, readonly string[]>,
  level: number,
): Promise<ChangedCriteria> {
  const adjusted = holm(
    changed.map(({ p_value }) => p_value),
    count,
  );
  await othersTurn();
  const criteria = changed.map(({ scenario_id, scenario_name, place, ...change }, at) => {
    const criterion = words.get(scenario_id)?.[place] ?? '';
    return { scenario_id, scenario_name, criterion, ...change, adjusted_p_value: adjusted[at] ?? 1 };
  });
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

/** How well each criterion was met in all conversations together. */
export function sumsOf(marks: Marks, criteria: number): readonly number[] {
  const [first] = marks.values();
  if (first !== undefined && marks.size === 1) return first;
  const sums = new Array<number>(criteria).fill(0);
  for (const worth of marks.values()) {
    for (let place = 0; place < criteria; place += 1) sums[place] = (sums[place] ?? 0) + (worth[place] ?? 0);
  }
  return sums;
}

function changeOf({ before, after }: ComparedCriterion): number {
  return Math.abs(after - before);
}
