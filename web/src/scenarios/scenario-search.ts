import { approvalState, type ApprovalState } from '../../../src/domain';
import type { Scenario } from '../api/scenarios';

/** Starters and other scenarios approved without an approver's name are found together: both lack a signature. */
export type Approval = 'all' | 'draft' | 'unsigned' | 'signed';

const STATES: Record<Exclude<Approval, 'all'>, readonly ApprovalState[]> = {
  draft: ['draft'],
  unsigned: ['starter', 'unsigned'],
  signed: ['signed'],
};

export interface ScenarioSearch {
  /** All of its words must occur. */
  readonly text: string;
  /** `''`: any. While it is being typed, every tag that begins with it. */
  readonly tag: string;
  readonly approval: Approval;
}

export function matching(scenarios: readonly Scenario[], { text, tag, approval }: ScenarioSearch): Scenario[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isTag = scenarios.some(({ tags }) => tags.includes(tag));
  const begun = tag.toLowerCase();
  const isWanted = (one: string) => (isTag ? one === tag : one.toLowerCase().startsWith(begun));
  return scenarios.filter((scenario) => {
    if (tag !== '' && !scenario.tags.some(isWanted)) return false;
    if (approval !== 'all' && !STATES[approval].includes(approvalState(scenario))) return false;
    const { name, category, tags, content } = scenario;
    const searched = [name, category, content.chief_complaint, ...tags].join('\n').toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** The tags by name, each once. */
export function tagsOf(scenarios: readonly Scenario[]): string[] {
  return [...new Set(scenarios.flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other));
}
