import { LEAST_EVENTS, type Estimate, type SpeechRate, type SpeechSpread } from '../../../contract/speech-measures';
import { criticalValue, rateOf } from '../../domain/statistics';
import type { Tally } from '../../engine/measures';

/** What one scenario adds to a share: its trials share its difficulty. */
export interface ScenarioTally extends Tally {
  readonly scenarioId: string;
}

/** @param confidence 0..1 */
export function rateFrom(tallies: readonly ScenarioTally[], confidence: number): SpeechRate {
  const events = tallies.reduce((sum, one) => sum + one.events, 0);
  const hits = tallies.reduce((sum, one) => sum + one.hits, 0);
  if (events < LEAST_EVENTS) return { events, hits, rate: null };
  const clusters = byScenario(tallies).map((one) => ({ graded: one.events, passed: one.hits }));
  const rate = rateOf(clusters, confidence);
  return { events, hits, rate: rate && { value: rate.value, low: rate.low, high: rate.high } };
}

/**
 * A ratio of two sums, such as errors a word, with an interval from how it differs between scenarios: Taylor linearization,
 * v = m / (m − 1) · Σ (yᵢ − r·xᵢ)² / (Σ xᵢ)². Null where the denominator is 0; no interval for one scenario.
 *
 * Source: W. G. Cochran, "Sampling Techniques", 3rd edition (1977), section 6.3.
 *
 * @param confidence 0..1
 */
export function ratioFrom(
  parts: readonly { readonly scenarioId: string; readonly share: number; readonly of: number }[],
  confidence: number,
): Estimate | null {
  const sums = new Map<string, { share: number; of: number }>();
  for (const { scenarioId, share, of } of parts) {
    const sum = sums.get(scenarioId) ?? { share: 0, of: 0 };
    sums.set(scenarioId, { share: sum.share + share, of: sum.of + of });
  }
  const clusters = [...sums.values()].filter(({ of }) => of > 0);
  const whole = clusters.reduce((sum, { of }) => sum + of, 0);
  if (whole === 0) return null;
  const value = clusters.reduce((sum, { share }) => sum + share, 0) / whole;
  const count = clusters.length;
  if (count === 1) return { value, low: null, high: null };
  const scatter = clusters.reduce((sum, { share, of }) => sum + (share - value * of) ** 2, 0);
  const reach = criticalValue(confidence) * (Math.sqrt((count / (count - 1)) * scatter) / whole);
  return { value, low: Math.max(0, value - reach), high: value + reach };
}

/** @param confidence 0..1 */
export function spreadFrom(durations: readonly number[], confidence: number): SpeechSpread {
  const ascending = durations.toSorted((one, other) => one - other);
  const enough = ascending.length >= LEAST_EVENTS;
  return {
    events: ascending.length,
    p50_ms: enough ? quantile(ascending, 0.5, confidence) : null,
    p95_ms: enough ? quantile(ascending, 0.95, confidence) : null,
    max_ms: ascending.at(-1) ?? null,
  };
}

/**
 * A quantile, linear between order statistics (definition 7 of R. Hyndman and Y. Fan, 1996), and the order statistics around it between
 * which it lies with this confidence, whatever the distribution. A bound that would lie beyond the values is null.
 *
 * Source: W. J. Conover, "Practical Nonparametric Statistics", 3rd edition (1999), section 3.2, with the normal approximation.
 */
function quantile(ascending: readonly number[], probability: number, confidence: number): Estimate {
  const size = ascending.length;
  const place = (size - 1) * probability;
  const [lower, upper] = [ascending[Math.floor(place)] ?? 0, ascending[Math.ceil(place)] ?? 0];
  const reach = criticalValue(confidence) * Math.sqrt(size * probability * (1 - probability));
  const first = Math.floor(size * probability - reach);
  const last = Math.ceil(size * probability + reach) + 1;
  return {
    value: lower + (place - Math.floor(place)) * (upper - lower),
    low: ascending[first - 1] ?? null,
    high: ascending[last - 1] ?? null,
  };
}

function byScenario(tallies: readonly ScenarioTally[]): Tally[] {
  const sums = new Map<string, Tally>();
  for (const { scenarioId, events, hits } of tallies) {
    const sum = sums.get(scenarioId) ?? { events: 0, hits: 0 };
    sums.set(scenarioId, { events: sum.events + events, hits: sum.hits + hits });
  }
  return [...sums.values()].filter(({ events }) => events > 0);
}
