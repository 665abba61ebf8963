import type { PairedShares } from './power';
import { mcnemarExact } from './mcnemar';
import { signFlip } from './sign-flip';

export interface PairedTest {
  readonly name: 'mcnemar_exact' | 'sign_flip';
  /** Two-sided; null when there is nothing to test. */
  readonly pValue: number | null;
}

/** Whether the scenarios of two runs, each with a graded trial in both, fared differently: McNemar's test for one trial each, else sign-flip. */
export function pairedTest(scenarios: readonly PairedShares[]): PairedTest {
  const name = pairedTestOf(scenarios);
  if (scenarios.length === 0) return { name, pValue: null };
  const differences = scenarios.map(differenceOf);
  return { name, pValue: name === 'mcnemar_exact' ? ofSigns(differences) : signFlip(differences) };
}

export function pairedTestOf(scenarios: readonly PairedShares[]): PairedTest['name'] {
  const isSingle = scenarios.every(({ before, after }) => before.graded === 1 && after.graded === 1);
  return isSingle ? 'mcnemar_exact' : 'sign_flip';
}

/** After − before of a scenario's pass share. */
export function differenceOf({ before, after }: PairedShares): number {
  return after.passed / after.graded - before.passed / before.graded;
}

/**
 * Whether a criterion was decided differently over the trials of its scenario: McNemar's test, or sign-flip where some trial met it in part.
 * @param pairs how well it was met in the same trial of both runs, 0 to 1
 */
export function criterionTest(pairs: readonly { readonly before: number; readonly after: number }[]): number {
  const differences = pairs.map(({ before, after }) => after - before);
  const isWhole = pairs.every(({ before, after }) => Number.isInteger(before) && Number.isInteger(after));
  return isWhole ? ofSigns(differences) : signFlip(differences);
}

/** McNemar's test of how many fared better and how many worse. */
export function ofSigns(differences: readonly number[]): number {
  const lost = differences.filter((difference) => difference < 0).length;
  const won = differences.filter((difference) => difference > 0).length;
  return mcnemarExact(lost, won);
}
