import type { SpokenOptions } from './spoken';

/** As an answer of the service names it: a later one may know more lines and sounds. */
type NamedSound = Pick<SpokenOptions, 'noise'> & { readonly line: string; readonly sounds: readonly string[] };

/** How a run was held, in the words that tell it from its twins: `in text`, or `spoken over phone with babble:10`. */
export function wayInWords(spoken: NamedSound | null): string {
  if (spoken === null) return 'in text';
  const { line, noise, sounds } = spoken;
  return [
    `spoken over ${line}`,
    ...(noise === null ? [] : [`with ${noise}`]),
    ...(sounds.length === 0 ? [] : [`with ${sounds.join(', ')}`]),
  ].join(' ');
}

/** A kind of criteria by which twins are compared, as it is named in a table. */
export function kindInWords({ by, group }: { readonly by: string; readonly group: string | null }): string {
  if (by === 'must_pass') return group === 'must_pass' ? 'must-pass criteria' : 'criteria that are not must-pass';
  return group === null ? 'criteria of scenarios that no longer exist' : `criteria of ${group} scenarios`;
}

interface Held {
  readonly spoken: NamedSound | null;
  readonly created_at: string;
}

/** Text first, then from the best line to the worst, without noise before with noise; of the same way the oldest first. */
export function twinsInOrder<Run extends Held>(runs: readonly Run[]): Run[] {
  return [...runs].sort((one, other) => {
    const difference = hardship(one.spoken) - hardship(other.spoken);
    return difference === 0 ? one.created_at.localeCompare(other.created_at) : difference;
  });
}

/** A line that is not known is the last. */
const LINES_FROM_BEST = ['wideband', 'phone', 'mobile_bad'];

function hardship(spoken: NamedSound | null): number {
  if (spoken === null) return 0;
  const place = LINES_FROM_BEST.indexOf(spoken.line);
  const line = place < 0 ? LINES_FROM_BEST.length : place;
  return 1 + line * 4 + (spoken.noise === null ? 0 : 2) + (spoken.sounds.length === 0 ? 0 : 1);
}
