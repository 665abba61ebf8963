export interface Lanes {
  /** How many items are worked on at a time. */
  readonly most: number;
  /** Awaited before an item that had to wait for another to finish: much may have happened in the meantime. */
  readonly beforeLater: (signal: AbortSignal) => Promise<void>;
}

/**
 * Does the work for all items, at most `most` at a time, and returns the results in their order. The first failure aborts the rest.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  { most, beforeLater }: Lanes,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) stop.abort();
  const results: Result[] = [];
  const left = [...items.entries()];
  const workThrough = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, item] = next;
      if (at >= most) await beforeLater(stop.signal);
      results[at] = await work(item, stop.signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(most, items.length) }, workThrough));
    return results;
  } finally {
    signal.removeEventListener('abort', onAbort);
    left.length = 0;
    stop.abort();
  }
}
