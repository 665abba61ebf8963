import { MUST_PASS_TAG } from '../../domain';
import { ownTurn } from '../../platform/concurrency';
import { holm, leastPValue, resamplesOf } from '../../domain/statistics';
import type { MarkedScenario, Marks } from './compared-criteria';
import { differenceIn, meanOf, scaled, signFlipInTurns } from './difference';
import { MOST_GROUPS, type CriteriaGroup } from '../../../contract/comparison';

/** How well the criteria of one kind were met in each scenario that has some, 0 to 1. */
interface Members {
  criteria: number;
  readonly before: number[];
  readonly after: number[];
}

/**
 * Whether criteria of one kind (history, safety, escalation …) were met better or worse. There are few kinds and each has many scenarios,
 * so that they can show what criteria one by one cannot. The kinds are chosen by how many scenarios have them, before anything is
 * looked at; a scenario, with all its trials, is one observation.
 */
export class CriteriaGroups {
  private readonly byTag = new Map<string, Members>();
  private readonly untagged: Members = { criteria: 0, before: [], after: [] };

  add({ rubric, before, after }: MarkedScenario): void {
    const places = new Map<Members, number[]>();
    rubric.forEach(({ tags }, place) => {
      for (const members of this.groupsOf(tags)) {
        const known = places.get(members);
        if (known === undefined) places.set(members, [place]);
        else known.push(place);
      }
    });
    if (before.size === 0 || after.size === 0) return;
    for (const [members, of] of places) {
      members.criteria += of.length;
      members.before.push(worthIn(before, of));
      members.after.push(worthIn(after, of));
    }
  }

  /** @param confidence 0..1, both excluded */
  async compared(confidence: number): Promise<CriteriaGroup[]> {
    const byScenarios = [...this.byTag]
      .filter(([, { before }]) => before.length > 0)
      .sort(([one, { before: some }], [other, { before: more }]) => more.length - some.length || compare(one, other))
      .slice(0, MOST_GROUPS)
      .sort(([one], [other]) => compare(one, other));
    const groups: [group: string | null, members: Members][] = [...byScenarios];
    if (this.untagged.before.length > 0) groups.push([null, this.untagged]);
    const largest = Math.max(1, ...groups.map(([, { before }]) => before.length));
    const resamples = resamplesOf(largest);
    const found: Omit<CriteriaGroup, 'adjusted_p_value'>[] = [];
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
      await ownTurn(Number.POSITIVE_INFINITY);
    }
    return adjusted(found, 1 - confidence);
  }

  private groupsOf(tags: readonly string[]): Members[] {
    const kinds = new Set(tags.filter((tag) => tag !== MUST_PASS_TAG));
    if (kinds.size === 0) return [this.untagged];
    return [...kinds].map((tag) => {
      const known = this.byTag.get(tag) ?? { criteria: 0, before: [], after: [] };
      this.byTag.set(tag, known);
      return known;
    });
  }
}

/** Over those groups that scenarios enough have: that does not depend on what came of them. */
function adjusted(found: readonly Omit<CriteriaGroup, 'adjusted_p_value'>[], level: number): CriteriaGroup[] {
  const asked = found.filter(({ scenarios }) => leastPValue(scenarios) < level);
  const pValues = holm(asked.map(({ p_value: p }) => p));
  return found.map((one) => ({
    ...one,
    adjusted_p_value: asked.includes(one) ? (pValues[asked.indexOf(one)] ?? 1) : null,
  }));
}

function worthIn(marks: Marks, places: readonly number[]): number {
  let sum = 0;
  for (const worth of marks.values()) for (const place of places) sum += worth[place] ?? 0;
  return sum / (marks.size * places.length);
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en');
}
