import { othersTurn } from '../../platform/concurrency';
import {
  boundOfUnvaried,
  expandedPercentiles,
  percentilesOfAll,
  resampledMeans,
  resamplesOf,
  leastPValue,
  drawnOfAPart,
  signFlipSteps,
} from '../../domain/statistics';

/** A mean difference, in the unit of the differences. */
export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly method: 'paired_bootstrap' | 'exact_bound';
}

export interface IntervalOptions {
  /** 0..1, both excluded. */
  readonly confidence: number;
  /** By how much a scenario can differ at most. */
  readonly most: number;
  /** How many; a part of a comparison takes no more than the whole, so that all parts cost about as much. */
  readonly resamples?: number;
}

/** Draws of a resampling that take less than some milliseconds. */
const DRAWS_A_TURN = 500_000;

/**
 * The mean difference of scenarios with its interval; null when there are none. When they are so few that no outcome of them
 * could show a change they are not resampled: that would take the little that was seen for all there is. They have the bound of
 * scenarios that differ alike.
 */
export async function differenceIn(
  differences: readonly number[],
  { confidence, most, resamples = resamplesOf(differences.length) }: IntervalOptions,
): Promise<Difference | null> {
  const [first] = differences;
  if (first === undefined) return null;
  const value = meanOf(differences);
  const cannotShow = leastPValue(differences.length) >= 1 - confidence;
  if (cannotShow || differences.every((one) => one === first)) {
    return { value, ...boundOfUnvaried(value, differences.length, confidence, most), method: 'exact_bound' };
  }
  const ends =
    percentilesOfAll(differences, confidence) ??
    expandedPercentiles(await resample(differences, resamples), differences.length, confidence);
  return { value, ...ends, method: 'paired_bootstrap' };
}

/** @param factor such as 100, from shares to points */
export function scaled({ value, low, high, method }: Difference, factor: number): Difference {
  return { value: value * factor, low: low * factor, high: high * factor, method };
}

/**
 * The sign-flip test, in turns of the event loop with turns for other work in between. @param isPart one of many tests, with
 * fewer patterns
 */
export async function signFlipInTurns(differences: readonly number[], isPart = false): Promise<number> {
  const steps = signFlipSteps(differences, isPart ? drawnOfAPart(differences.length) : undefined);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await othersTurn();
  }
}

/** Works in turns of the event loop, with turns for other work in between. */
async function resample(differences: readonly number[], resamples: number): Promise<number[]> {
  const means: number[] = [];
  const aTurn = Math.max(1, Math.floor(DRAWS_A_TURN / differences.length));
  for (const mean of resampledMeans(differences, resamples)) {
    means.push(mean);
    if (means.length % aTurn === 0) await othersTurn();
  }
  return means;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}
