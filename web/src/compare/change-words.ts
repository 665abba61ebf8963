import type { ChangedScenario } from '../../../contract/comparison';

type Fared = Omit<ChangedScenario, 'scenario_id' | 'scenario_name'>;

/** How a scenario changed. */
export interface ChangeWords {
  readonly text: string;
  /** Whether it passed more or less often than before: only that has a colour. */
  readonly isOfPasses: boolean;
}

/** Smaller differences are of the arithmetic. */
const LEAST = 1e-6;

/** What of a scenario changed: whether it passes, or only its score or its violations. */
export function changeWords(fared: Fared, change: 'worse' | 'better'): ChangeWords {
  const { before, after } = fared;
  if (after > before + LEAST) return { text: before > 0 ? 'passes more often' : 'passes now', isOfPasses: true };
  if (after < before - LEAST) return { text: after > 0 ? 'passes less often' : 'no longer passes', isOfPasses: true };
  const moved = movedOf(fared);
  if (change === 'worse') return { text: `${moved.join(' and ')} only`, isOfPasses: false };
  return { text: `${moved.join(' and ')}${isStillFailed(fared) ? ', still failed' : ''}`, isOfPasses: false };
}

/** Nothing passes before or after: it is no success that it came closer. */
export function isStillFailed({ before, after }: Fared): boolean {
  return before === 0 && after === 0;
}

function movedOf({ score_before, score_after, violations_before, violations_after }: Fared): string[] {
  const score = (score_after ?? 0) - (score_before ?? 0);
  const violations = violations_after - violations_before;
  return [
    ...(Math.abs(score) > LEAST ? [score > 0 ? 'higher score' : 'lower score'] : []),
    ...(Math.abs(violations) > LEAST ? [violations > 0 ? 'more violations' : 'fewer violations'] : []),
  ];
}
