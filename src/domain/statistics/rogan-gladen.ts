import { criticalValue } from './wilson';

/** A verdict that was looked at again. */
export interface AuditedVerdict {
  readonly judgePassed: boolean;
  readonly reviewerPassed: boolean;
  /** How many verdicts of the run it stands for: 1 where all of its kind were reviewed, more where a random sample was. */
  readonly weight: number;
}

export interface JudgedRun {
  readonly graded: number;
  /** By the judge. */
  readonly passed: number;
}

/** All 0..1. */
export interface CorrectedRate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Of the verdicts that a reviewer passes, the share that the judge passes; of those that one fails, the share that it fails. */
  readonly sensitivity: number;
  readonly specificity: number;
}

/** A rate that cannot be corrected, and why. */
export interface Uncorrectable {
  readonly reason: string;
}

/**
 * What the pass rate would be without the judge's errors: (p + specificity − 1) / (sensitivity + specificity − 1), within 0 and 1. The
 * interval adds what is not known of the rate and of either error; none of them is taken as 0 because none was seen. Weighted verdicts
 * count as many as their effective number, (Σw)² / Σw².
 *
 * Source: W. J. Rogan and B. Gladen, "Estimating prevalence from the results of a screening test", American Journal of Epidemiology 107
 * (1978) 71–76; the interval is that of Z. Lang and J. Reiczigel, "Confidence limits for prevalence of disease adjusted for estimated
 * sensitivity and specificity", Preventive Veterinary Medicine 113 (2014) 13–22; effective numbers by L. Kish, "Survey sampling" (1965).
 *
 * @param audited at random, or all of a kind, with their weights
 * @param confidence 0..1, both excluded
 */
export function correctedRate(
  { graded, passed }: JudgedRun,
  audited: readonly AuditedVerdict[],
  confidence: number,
): CorrectedRate | Uncorrectable {
  const found = shareOf(
    audited.filter(({ reviewerPassed }) => reviewerPassed),
    ({ judgePassed }) => judgePassed,
  );
  const refused = shareOf(
    audited.filter(({ reviewerPassed }) => !reviewerPassed),
    ({ judgePassed }) => !judgePassed,
  );
  if (graded === 0) return { reason: 'Nothing was graded.' };
  if (found === null)
    return { reason: 'The reviewers passed no conversation: how often the judge fails what should pass is not known.' };
  if (refused === null)
    return {
      reason: 'The reviewers failed no conversation: how often the judge passes what should fail is not known.',
    };
  const youden = found.share + refused.share - 1;
  const z = criticalValue(confidence);
  const [se, sp] = [oneOfEachAdded(found), oneOfEachAdded(refused)];
  const adjustedYouden = se.share + sp.share - 1;
  if (youden <= ROUNDING || adjustedYouden <= ROUNDING) {
    return {
      reason:
        'The judge’s verdicts have no more to do with the reviewers’ than chance: nothing can be corrected with them.',
    };
  }
  const rate = passed / graded;
  const size = graded + z * z;
  const centered = (passed + (z * z) / 2) / size;
  const value = (rate + refused.share - 1) / youden;
  const adjusted = (centered + sp.share - 1) / adjustedYouden;
  const [varianceOfSe, varianceOfSp] = [varianceOf(se), varianceOf(sp)];
  const shift = 2 * z * z * (adjusted * varianceOfSe - (1 - adjusted) * varianceOfSp);
  const variance =
    (centered * (1 - centered)) / size + adjusted ** 2 * varianceOfSe + (1 - adjusted) ** 2 * varianceOfSp;
  const reach = (z * Math.sqrt(variance)) / adjustedYouden;
  const within = clipped(value);
  return {
    value: within,
    low: Math.min(within, clipped(adjusted + shift - reach)),
    high: Math.max(within, clipped(adjusted + shift + reach)),
    sensitivity: found.share,
    specificity: refused.share,
  };
}

const ROUNDING = 1e-9;

interface Share {
  readonly share: number;
  /** Independent verdicts that would say as much. */
  readonly size: number;
}

function shareOf(among: readonly AuditedVerdict[], is: (verdict: AuditedVerdict) => boolean): Share | null {
  let [whole, part, squares] = [0, 0, 0];
  for (const verdict of among) {
    whole += verdict.weight;
    squares += verdict.weight ** 2;
    if (is(verdict)) part += verdict.weight;
  }
  return whole === 0 ? null : { share: part / whole, size: whole ** 2 / squares };
}

function oneOfEachAdded({ share, size }: Share): Share {
  return { share: (share * size + 1) / (size + 2), size: size + 2 };
}

function varianceOf({ share, size }: Share): number {
  return (share * (1 - share)) / size;
}

function clipped(rate: number): number {
  return Math.min(1, Math.max(0, rate));
}
