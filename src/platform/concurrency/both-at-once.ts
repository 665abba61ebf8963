/**
 * Does two things at once and answers both results. The first failure aborts the other, whose end is still awaited, so that its
 * cost is known to the caller; that first failure is the one that is thrown.
 *
 * @param signal aborts both
 */
export async function bothAtOnce<One, Other>(
  signal: AbortSignal,
  one: (signal: AbortSignal) => Promise<One>,
  other: (signal: AbortSignal) => Promise<Other>,
): Promise<[One, Other]> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const works = [one(stop.signal), other(stop.signal)] as const;
  try {
    return await Promise.all(works);
  } catch (error) {
    // Only then: an abort makes an error with its stack, and after a success there is nothing to stop.
    stop.abort();
    await Promise.allSettled(works);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
