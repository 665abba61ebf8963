/** The middle value; for an even number of values, the mean of the middle two. NaN if there are none. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Linear interpolation between the two nearest ranks. NaN if there are no values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] ?? NaN;
  const above = sorted[Math.ceil(rank)] ?? NaN;
  return below + (above - below) * (rank - Math.floor(rank));
}

/** The largest of any number of values; NaN if there are none. */
export function largest(values: readonly number[]): number {
  return percentile(values, 100);
}

/** Smallest and largest. */
export function rangeOf(values: readonly number[]): readonly [number, number] {
  return [percentile(values, 0), percentile(values, 100)];
}
