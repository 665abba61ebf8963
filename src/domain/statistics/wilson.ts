import { jStat } from 'jstat';

/** Both 0..1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The score interval of a proportion: every rate that a test at this level would not refute.
 *
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209–212; preferred for
 * small n by Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16 (2001) 101–133.
 *
 * @param rate 0..1
 * @param size observations it rests on, above 0; a fraction where it is an effective size
 * @param confidence 0..1, both excluded
 */
export function wilsonInterval(rate: number, size: number, confidence: number): Interval {
  const z = criticalValue(confidence);
  const stretch = 1 + (z * z) / size;
  const center = (rate + (z * z) / (2 * size)) / stretch;
  const reach = (z / stretch) * Math.sqrt((rate * (1 - rate)) / size + (z * z) / (4 * size * size));
  // At either end the two are equal, but for rounding.
  return { low: rate === 0 ? 0 : center - reach, high: rate === 1 ? 1 : center + reach };
}

/** Φ⁻¹. @param probability between 0 and 1, both excluded */
export function normalQuantile(probability: number): number {
  return jStat.normal.inv(probability, 0, 1);
}

/**
 * z = Φ⁻¹((1 + c) / 2): a standard normal value lies between −z and z with probability c.
 * @param confidence 0..1, both excluded
 */
export function criticalValue(confidence: number): number {
  return normalQuantile((1 + confidence) / 2);
}
