import type { Outcome } from './trial';

/** What a sample says of a proportion: the 95 % interval of Wilson, which holds for small samples and near 0 and 1. */
export interface Proportion {
  readonly share: number;
  readonly low: number;
  readonly high: number;
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

/** How many faults had each outcome, and the share of those that tests noticed, by failing or by never coming to an end. */
export function scoreOf(outcomes: readonly Outcome[]): Readonly<Record<Outcome, number>> & { noticed: Proportion } {
  const count = (outcome: Outcome): number => outcomes.filter((one) => one === outcome).length;
  const counts = {
    killed: count('killed'),
    'timed out': count('timed out'),
    survived: count('survived'),
    'not run': count('not run'),
    'not tried': count('not tried'),
  };
  const tried = outcomes.length - counts['not tried'];
  return { ...counts, noticed: proportion(counts.killed + counts['timed out'], tried) };
}
