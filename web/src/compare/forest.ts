/** A difference with its interval, in points; shares before and after 0 to 1. */
export interface Row {
  readonly name: string;
  readonly scenarios: number;
  readonly before: number;
  readonly after: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const SCALES = [10, 25, 50, 75];

/** How many points the scale goes to on either side of 0: a round number that holds every interval. */
export function reachOf(rows: readonly Pick<Row, 'low' | 'high'>[]): number {
  const farthest = Math.max(0, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
  return SCALES.find((scale) => scale >= farthest) ?? 100;
}

/** The direction of a difference: better or worse only where its interval excludes 0. */
export function directionOf({ low, high }: Pick<Row, 'low' | 'high'>): 'better' | 'worse' | 'no_evidence' {
  if (low > 0) return 'better';
  return high < 0 ? 'worse' : 'no_evidence';
}

/** The fields of a comparison that are read, in the API's names. */
interface Compared {
  readonly scenarios: { readonly compared: number };
  readonly by_category: readonly Pick<Row, 'scenarios' | 'before' | 'after'>[];
}

/**
 * The rates of the two runs over the scenarios that they share, 0 to 1: the shown difference is between these. Null where there are none.
 * Every compared scenario is in a category, which may have no name.
 */
export function sharedRates({ scenarios: { compared }, by_category }: Compared): Pick<Row, 'before' | 'after'> | null {
  if (compared === 0) return null;
  const mean = (of: (row: Compared['by_category'][number]) => number) =>
    by_category.reduce((sum, row) => sum + of(row) * row.scenarios, 0) / compared;
  return { before: mean(({ before }) => before), after: mean(({ after }) => after) };
}
