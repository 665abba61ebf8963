import type { ComparisonView, CriteriaGroup } from './comparison.view';
import { counted } from './comparison-words';

export interface CriteriaFound extends Omit<ComparisonView['criteria_summary'], 'sentence'> {
  /** Met better or worse than before. */
  readonly moved: number;
  readonly groups: readonly CriteriaGroup[];
  /** Of significance, 0..1. */
  readonly level: number;
}

/** What the criteria say, one by one and by their kinds, and what they cannot. */
export function criteriaSentence({ tested, moved, shown, could_show, groups, level }: CriteriaFound): string {
  if (tested === 0) return 'No criterion was compared.';
  const met = `${moved.toLocaleString('en')} of ${counted(tested, 'criterion', 'criteria')} ${moved === 1 ? 'was' : 'were'} met better or worse than before.`;
  const single = could_show
    ? `Compared one by one, ${shown === 0 ? 'none' : shown} of them changed by more than chance may account for among so many.`
    : 'There are too many, in too few conversations: compared one by one none of them could be shown to have changed, however it fared.';
  return [met, ...(moved === 0 ? [] : [single]), ...kindsSentence(groups, level)].join(' ');
}

function kindsSentence(groups: readonly CriteriaGroup[], level: number): string[] {
  const asked = groups.filter(({ adjusted_p_value: p }) => p !== null);
  if (asked.length === 0) return [];
  const shown = asked.filter(({ adjusted_p_value: p }) => p !== null && p < level);
  const lines = [
    [shown.filter(({ difference }) => difference < 0), 'less well'] as const,
    [shown.filter(({ difference }) => difference > 0), 'better'] as const,
  ]
    .filter(([kinds]) => kinds.length > 0)
    .map(([kinds, how]) => `${listed(kinds.map(nameOf))} were met ${how}`);
  if (lines.length > 0) return [`Of the criteria by kind, ${lines.join('; ')} by more than chance explains.`];
  return [`Of ${counted(asked.length, 'kind', 'kinds')} of criteria none shows a change that chance does not explain.`];
}

function nameOf({ group }: CriteriaGroup): string {
  return group ?? 'those of no kind';
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
