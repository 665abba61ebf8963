import { jStat } from 'jstat';

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
