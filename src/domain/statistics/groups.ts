import { rateOf, sumOf, type Cluster, type Rate } from './clusters';

/** Scenarios that have something in common, and how they fared. */
export interface Group {
  readonly name: string;
  readonly graded: number;
  readonly passed: number;
  /** Null when nothing of it was graded. */
  readonly rate: Rate | null;
}

/** How a scenario, or several alike, of the group with this name fared. */
export interface Member extends Cluster {
  readonly name: string;
}

/** A rate for each group, in the order of their names. @param members a scenario of several groups is a member of each */
export function byGroup(members: readonly Member[], confidence: number): Group[] {
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const others = groups.get(member.name);
    if (others === undefined) groups.set(member.name, [member]);
    else others.push(member);
  }
  return [...groups]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([name, group]) => ({ name, ...sumOf(group), rate: rateOf(group, confidence) }));
}
