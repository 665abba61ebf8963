/** Fewer events are counted, and no rate is made of them. */
const LEAST_EVENTS = 10;

/** Events, and how many of them turned out in one way. */
export interface Count {
  readonly events: number;
  readonly hits: number;
  /** 0..1; null for fewer than 10 events. */
  readonly rate: number | null;
}

export function countOf(events: number, hits: number): Count {
  return { events, hits, rate: events < LEAST_EVENTS ? null : hits / events };
}

/** Durations in ms. All are null where there is none. */
export interface Spread {
  readonly events: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly max: number | null;
}

export function spreadOf(durations: readonly number[]): Spread {
  const ascending = durations.toSorted((one, other) => one - other);
  return {
    events: ascending.length,
    p50: quantileOf(ascending, 0.5),
    p95: quantileOf(ascending, 0.95),
    max: ascending.at(-1) ?? null,
  };
}

/** Linear between order statistics: definition 7 of R. Hyndman and Y. Fan, "Sample quantiles in statistical packages" (1996). */
function quantileOf(ascending: readonly number[], probability: number): number | null {
  const place = (ascending.length - 1) * probability;
  const lower = ascending[Math.floor(place)];
  const upper = ascending[Math.ceil(place)];
  if (lower === undefined || upper === undefined) return null;
  return lower + (place - Math.floor(place)) * (upper - lower);
}
