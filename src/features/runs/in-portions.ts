/** The items in their order, in portions that weigh no more than `most`; one that weighs more by itself is a portion. */
export function inPortions<Item>(items: readonly Item[], weightOf: (item: Item) => number, most: number): Item[][] {
  const portions: Item[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const own = weightOf(item);
    if (weight + own > most) {
      portions.push([]);
      weight = 0;
    }
    portions.at(-1)?.push(item);
    weight += own;
  }
  return portions;
}
