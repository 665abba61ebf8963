import type { QuestionTest, ComparisonView, CriteriaGroup } from '../../../contract/comparison';

/** How far the subject of a question moved; in words that claim no more than was seen. */
export function movementOf(test: QuestionTest): string {
  const { on, difference, before, after } = test;
  const [was, is, moved] = [before ?? 0, after ?? 0, difference ?? 0];
  if (on === 'must_pass') {
    if (Math.abs(moved) < LEAST_VIOLATIONS) return `must-pass violations were ${fine(was)} per conversation in both`;
    return `must-pass violations ${moved > 0 ? 'fell' : 'rose'} by ${fine(Math.abs(moved))} per conversation, from ${fine(was)} to ${fine(is)}`;
  }
  const what = on === 'passed' ? 'the pass rate' : 'the mean score';
  if (Math.abs(moved) >= LEAST_POINTS) {
    const ends = `from ${number(was)} to ${number(is)} %`;
    return `${what} ${moved > 0 ? 'rose' : 'fell'} by ${pointsText(Math.abs(moved))}, ${ends}`;
  }
  if (is === 0 && was === 0) return `${what} was 0 % before and could not fall`;
  return `${what} was ${number(was)} % before and ${number(is)} % after`;
}

/** The smallest number of points that is not shown as 0. */
export const LEAST_POINTS = 0.05;
export const LEAST_VIOLATIONS = 0.005;

/** In the direction of the words: of violations what they rose by. */
export function intervalText({ on, low, high }: QuestionTest, confidencePercent: number): string {
  const [least, most] = on === 'must_pass' ? [-(high ?? 0), -(low ?? 0)] : [low ?? 0, high ?? 0];
  const text = on === 'must_pass' ? fine : number;
  return `${number(confidencePercent)} % interval ${text(least)} to ${text(most)}`;
}

/** Such as 0.0078, or `less than 0.0001`. */
export function pText(p: number): string {
  return p < 0.0001 ? 'less than 0.0001' : String(Number(p.toPrecision(2)));
}

export function pointsText(value: number): string {
  return `${number(value)} ${number(value) === '1' ? 'point' : 'points'}`;
}

export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : nouns}`;
}

/** One decimal at most, with a minus sign that is one. */
export function number(value: number): string {
  return signed(Math.round(value * 10) / 10);
}

/** Two decimals at most: violations per conversation are few. */
export function fine(value: number): string {
  return signed(Math.round(value * 100) / 100);
}

function signed(rounded: number): string {
  return rounded < 0 ? `−${Math.abs(rounded)}` : String(Math.abs(rounded));
}

interface CriteriaFound extends Omit<ComparisonView['criteria_summary'], 'sentence'> {
  /** Met better or worse than before. */
  readonly moved: number;
  readonly groups: readonly CriteriaGroup[];
  /** The level of significance, 0..1. */
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
