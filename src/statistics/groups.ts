import { rateOf, sumOf, type Cluster, type Rate } from './clusters';

/** Scenarios that have something in common, and how they fared. */
export interface Group {
  readonly name: string;
  readonly graded: number;
  readonly passed: number;
  /** Null when nothing of it was graded. */
  readonly rate: Rate | null;
}

/** A rate for each group, in the order of their names. @param groupsOf the groups that a scenario belongs to */
export function byGroup<Scenario extends Cluster>(
  scenarios: readonly Scenario[],
  groupsOf: (scenario: Scenario) => readonly string[],
  confidence: number,
): Group[] {
  const members = new Map<string, Scenario[]>();
  for (const scenario of scenarios) {
    for (const name of new Set(groupsOf(scenario))) {
      const others = members.get(name);
      if (others === undefined) members.set(name, [scenario]);
      else others.push(scenario);
    }
  }
  return [...members]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([name, group]) => ({ name, ...sumOf(group), rate: rateOf(group, confidence) }));
}

/** Whether the trials of a scenario disagree. */
export function isUnstable({ graded, passed }: Cluster): boolean {
  return passed > 0 && passed < graded;
}
