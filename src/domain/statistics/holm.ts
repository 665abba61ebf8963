/**
 * p-values of many tests, adjusted so that one of them is falsely below a level no more often than the level says, however they hang
 * together. In the order given.
 *
 * @param tests how many there were, where those with a p-value of 1 are left out: they change nothing else
 *
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979) 65–70.
 */
export function holm(pValues: readonly number[], tests = pValues.length): number[] {
  const ascending = pValues.map((p, place) => ({ p, place })).sort((one, other) => one.p - other.p);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let least = 0;
  ascending.forEach(({ p, place }, rank) => {
    least = Math.max(least, Math.min(1, (tests - rank) * p));
    adjusted[place] = least;
  });
  return adjusted;
}
