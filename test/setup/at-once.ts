/** So many that the service is kept busy, and answers health beside it. */
const AT_ONCE = 8;

/** Does something with each, several at once; answers the results in their order. @throws what the first failure throws */
export async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item, number: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const goOn = async (): Promise<void> => {
    for (const [number, item] of left) results[number] = await work(item, number);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, goOn));
  return results;
}
