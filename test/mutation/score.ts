import type { MutantResult } from '@stryker-mutator/api/core';

/** What a sample says of a proportion: the 95 % interval of Wilson, which holds for small samples and near 0 and 1. */
export interface Proportion {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

export interface Score {
  readonly killed: number;
  /** Killed by the time limit: the mutant never came to an end. */
  readonly timedOut: number;
  readonly survived: number;
  /** No test runs the mutated code. */
  readonly uncovered: number;
  /** Mutants that were tried and could not be: they count neither way. */
  readonly broken: number;
  readonly detected: Proportion;
}

/** 97.5 % of the standard normal distribution lies below. */
const Z = 1.959964;

/** https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval#Wilson_score_interval */
export function proportion(hits: number, total: number): Proportion {
  if (total === 0) return { share: 0, low: 0, high: 1 };
  const share = hits / total;
  const scale = 1 + Z ** 2 / total;
  const middle = (share + Z ** 2 / (2 * total)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

export function scoreOf(mutants: readonly MutantResult[]): Score {
  const count = (...statuses: readonly MutantResult['status'][]): number =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed');
  const timedOut = count('Timeout');
  const survived = count('Survived');
  const uncovered = count('NoCoverage');
  return {
    killed,
    timedOut,
    survived,
    uncovered,
    broken: count('CompileError', 'RuntimeError'),
    detected: proportion(killed + timedOut, killed + timedOut + survived + uncovered),
  };
}
