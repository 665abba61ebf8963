import type { TestRun } from '../api/runs';

type Held = Pick<TestRun, 'modality' | 'spoken'>;

/** How a run was held, in the words that tell it apart from its twins: `In text`, or `Over phone with babble:10`. */
export function wayOf({ spoken }: Held): string {
  if (spoken === null) return 'In text';
  const { line, noise, sounds } = spoken;
  return [
    `Over ${line.replace('_', ' ')}`,
    ...(noise === null ? [] : [`with ${noise}`]),
    ...(sounds.length === 0 ? [] : [`with ${sounds.join(', ')}`]),
  ].join(' ');
}

/** Text first, then from the best line to the worst, without noise before with noise; of the same way the oldest first. */
export function inOrder<Run extends Held & Pick<TestRun, 'created_at'>>(runs: readonly Run[]): Run[] {
  return [...runs].sort((one, other) => {
    const difference = hardship(one) - hardship(other);
    return difference === 0 ? one.created_at.localeCompare(other.created_at) : difference;
  });
}

const LINES: Readonly<Record<NonNullable<TestRun['spoken']>['line'], number>> = {
  wideband: 1,
  phone: 2,
  mobile_bad: 3,
};

function hardship({ spoken }: Held): number {
  if (spoken === null) return 0;
  return LINES[spoken.line] * 4 + (spoken.noise === null ? 0 : 2) + (spoken.sounds.length === 0 ? 0 : 1);
}
