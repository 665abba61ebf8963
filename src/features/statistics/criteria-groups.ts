import { MUST_PASS_TAG } from '../../domain';
import { othersTurn } from '../../platform/concurrency';
import { holm, leastPValue, resamplesOf } from '../../domain/statistics';
import { sumsOf, type MarkedScenario } from './compared-criteria';
import { differenceIn, meanOf, scaled, signFlipInTurns } from './difference';
import type { CriterionKind } from './read-rubrics';
import { MOST_GROUPS, type CriteriaGroup } from '../../../contract/comparison';

/** How well the criteria of one kind were met in each scenario that has some, 0 to 1. */
interface Members {
  criteria: number;
  readonly before: number[];
  readonly after: number[];
}

/** A kind before it is adjusted for others. */
export type FoundGroup = Omit<CriteriaGroup, 'adjusted_p_value'>;

/** The kinds that a criterion is of; none for those that are shown last, without a name. */
export type KindsOf = (criterion: CriterionKind) => readonly string[];

/** Criteria of a rubric that are of one kind. */
type Places = readonly (readonly [members: Members, places: readonly number[]])[];

/**
 * Whether criteria of one kind (history, safety, escalation …) were met better or worse. There are few kinds and each has many scenarios,
 * so that they can show what criteria one by one cannot. The kinds are chosen by how many scenarios have them, before anything is
 * looked at; a scenario, with all its trials, is one observation.
 */
export class CriteriaGroups {
  private readonly byName = new Map<string, Members>();
  private readonly known = new Map<readonly CriterionKind[], Places>();
  private readonly unnamed: Members = { criteria: 0, before: [], after: [] };

  /** @param kindsOf the tags of a criterion, where nothing else is given */
  constructor(private readonly kindsOf: KindsOf = tagsOf) {}

  /** @param kinds of all its criteria, in place of what each is of */
  add({ rubric, before, after }: MarkedScenario, kinds?: readonly string[]): void {
    if (before.size === 0 || after.size === 0) return;
    const places = kinds === undefined ? this.placesIn(rubric) : this.sorted(rubric, () => kinds);
    const [earlier, later] = [sumsOf(before, rubric.length), sumsOf(after, rubric.length)];
    for (const [members, of] of places) {
      members.criteria += of.length;
      members.before.push(sumOver(earlier, of) / (before.size * of.length));
      members.after.push(sumOver(later, of) / (after.size * of.length));
    }
  }

  /** Of alike rubrics it is found out once. */
  private placesIn(rubric: readonly CriterionKind[]): Places {
    const places = this.known.get(rubric) ?? this.sorted(rubric, this.kindsOf);
    this.known.set(rubric, places);
    return places;
  }

  private sorted(rubric: readonly CriterionKind[], kindsOf: KindsOf): Places {
    const places = new Map<Members, number[]>();
    rubric.forEach((criterion, place) => {
      for (const members of this.groupsOf(kindsOf(criterion))) {
        const known = places.get(members);
        if (known === undefined) places.set(members, [place]);
        else known.push(place);
      }
    });
    return [...places];
  }

  /** Adjusted for each other. @param confidence 0..1, both excluded */
  async compared(confidence: number): Promise<CriteriaGroup[]> {
    const [groups = []] = adjustedTogether([await this.found(confidence)], 1 - confidence);
    return groups;
  }

  /** Each by itself. @param confidence 0..1, both excluded */
  async found(confidence: number): Promise<FoundGroup[]> {
    const byScenarios = [...this.byName]
      .filter(([, { before }]) => before.length > 0)
      .sort(([one, { before: some }], [other, { before: more }]) => more.length - some.length || compare(one, other))
      .slice(0, MOST_GROUPS)
      .sort(([one], [other]) => compare(one, other));
    const groups: [group: string | null, members: Members][] = [...byScenarios];
    if (this.unnamed.before.length > 0) groups.push([null, this.unnamed]);
    const largest = Math.max(1, ...groups.map(([, { before }]) => before.length));
    const resamples = resamplesOf(largest);
    const found: FoundGroup[] = [];
    for (const [group, { criteria, before, after }] of groups) {
      const differences = after.map((worth, place) => worth - (before[place] ?? 0));
      const difference = await differenceIn(differences, { confidence, most: 1, resamples });
      if (difference === null) continue;
      const { value, ...interval } = scaled(difference, 100);
      found.push({
        group,
        criteria,
        scenarios: before.length,
        before: meanOf(before),
        after: meanOf(after),
        difference: value,
        ...interval,
        p_value: await signFlipInTurns(differences, true),
      });
      await othersTurn();
    }
    return found;
  }

  private groupsOf(kinds: readonly string[]): Members[] {
    if (kinds.length === 0) return [this.unnamed];
    return [...new Set(kinds)].map((kind) => {
      const known = this.byName.get(kind) ?? { criteria: 0, before: [], after: [] };
      this.byName.set(kind, known);
      return known;
    });
  }
}

const tagsOf: KindsOf = ({ tags }) => tags.filter((tag) => tag !== MUST_PASS_TAG);

/**
 * The groups of one comparison, or of several, adjusted by Holm's method as one family: over those groups that scenarios enough have,
 * which does not depend on what came of them.
 *
 * @param comparisons the groups of each
 * @param level of significance, 0..1
 */
export function adjustedTogether<Group extends Pick<FoundGroup, 'scenarios' | 'p_value'>>(
  comparisons: readonly (readonly Group[])[],
  level: number,
): (Group & Pick<CriteriaGroup, 'adjusted_p_value'>)[][] {
  const asked = comparisons.flat().filter(({ scenarios }) => leastPValue(scenarios) < level);
  const pValues = holm(asked.map(({ p_value: p }) => p));
  const adjusted = new Map(asked.map((one, place) => [one, pValues[place] ?? 1]));
  return comparisons.map((groups) => groups.map((one) => ({ ...one, adjusted_p_value: adjusted.get(one) ?? null })));
}

function sumOver(sums: readonly number[], places: readonly number[]): number {
  let sum = 0;
  for (const place of places) sum += sums[place] ?? 0;
  return sum;
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en');
}
