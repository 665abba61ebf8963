import { outcomeOf } from '../../../machines/criterion-outcome';
import type { RubricCriterion } from '../../../machines/rubric';
import type { Decided } from '../../persistence/run-pairs.store';
import { holm } from '../../statistics/holm';
import { leastPValue } from '../../statistics/mcnemar';
import { criterionTest } from '../../statistics/paired-test';
import type { ComparisonView } from './comparison.view';

type ComparedCriterion = ComparisonView['criteria'][number];

/** How well each criterion of a scenario was met, by conversation (trial and patient): 0 to 1 in the order of the rubric. */
export type Marks = ReadonlyMap<Decided['conversation'], readonly number[]>;

const WORTH = { good: 1, half: 0.5, bad: 0 } as const;

/** What decisions were worth, criterion by criterion. */
export function worthOf(decisions: Decided['decisions'], rubric: readonly RubricCriterion[]): number[] {
  return decisions.map((decision, place) => {
    const criterion = rubric[place];
    if (criterion === undefined) return 0;
    return WORTH[
      outcomeOf({ criterion: criterion.criterion, decision, max_points: criterion.points, tags: criterion.tags })
    ];
  });
}

export interface MarkedScenario {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly rubric: readonly RubricCriterion[];
  readonly before: Marks;
  readonly after: Marks;
}

interface Tested extends Omit<ComparedCriterion, 'adjusted_p_value'> {
  /** That it was decided in, in both runs. */
  readonly conversations: number;
}

/** Every criterion of a scenario that is marked in both runs. */
export function testCriteria({ scenario_id, scenario_name, rubric, before, after }: MarkedScenario): Tested[] {
  return rubric.map(({ criterion }, place) => {
    const inBoth = [...before.keys()].filter((conversation) => after.has(conversation));
    const pairs = inBoth.map((conversation) => ({
      before: before.get(conversation)?.[place] ?? 0,
      after: after.get(conversation)?.[place] ?? 0,
    }));
    return {
      scenario_id,
      scenario_name,
      criterion,
      before: meanOf([...before.values()], place),
      after: meanOf([...after.values()], place),
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

/** Adjusted over all of them; answers those that changed. @param level of significance, 0..1 */
export function changedCriteria(tested: readonly Tested[], level: number): ChangedCriteria {
  const changed = tested.filter(({ before, after }) => before !== after);
  const adjusted = holm(
    changed.map(({ p_value }) => p_value),
    tested.length,
  );
  const criteria = changed
    .map(({ conversations: _, ...one }, place) => ({ ...one, adjusted_p_value: adjusted[place] ?? 1 }))
    .sort((one, other) => one.p_value - other.p_value || changeOf(other) - changeOf(one));
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
