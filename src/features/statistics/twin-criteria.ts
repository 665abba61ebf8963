import { gravityOf, MUST_PASS_TAG } from '../../domain';
import type { TwinCriteriaGroup } from '../../../contract/comparison';
import type { MarkedScenario, Marks } from './compared-criteria';
import { CriteriaGroups, type FoundGroup } from './criteria-groups';
import type { PairedScenario } from './twin-pairs.store';

export type FoundTwinGroup = Omit<TwinCriteriaGroup, 'adjusted_p_value'>;

/** How well criteria were met in two twins: those that must be passed against the others, and those of scenarios of each severity. */
export class TwinCriteria {
  private readonly byMustPass = new CriteriaGroups(({ tags }) => [
    tags.includes(MUST_PASS_TAG) ? 'must_pass' : 'others',
  ]);
  private readonly bySeverity = new CriteriaGroups();
  private readonly severities: ReadonlyMap<string, string | null>;

  constructor(scenarios: readonly PairedScenario[]) {
    this.severities = new Map(scenarios.map(({ scenario_id, severity }) => [scenario_id, severity]));
  }

  add(scenario: MarkedScenario): void {
    const severity = this.severities.get(scenario.scenario_id) ?? null;
    this.byMustPass.add(scenario);
    this.bySeverity.add(scenario, severity === null ? [] : [severity]);
  }

  /** Must-pass criteria first, then the gravest severity first; not adjusted. @param confidence 0..1, both excluded */
  async found(confidence: number): Promise<FoundTwinGroup[]> {
    const severities = await this.bySeverity.found(confidence);
    return [
      ...(await this.byMustPass.found(confidence)).map(named('must_pass')),
      ...severities.sort((one, other) => gravityOf(other.group) - gravityOf(one.group)).map(named('severity')),
    ];
  }
}

function named(by: TwinCriteriaGroup['by']): (group: FoundGroup) => FoundTwinGroup {
  return (group) => ({ by, ...group });
}

/** The same scenarios with the conversations that are marked in both runs alone: the others have no pair. */
export function* markedInPairs(scenarios: Iterable<MarkedScenario>): Generator<MarkedScenario, void> {
  for (const { before, after, ...scenario } of scenarios) {
    yield { ...scenario, before: inOther(before, after), after: inOther(after, before) };
  }
}

function inOther(marks: Marks, other: Marks): Marks {
  return new Map([...marks].filter(([conversation]) => other.has(conversation)));
}
