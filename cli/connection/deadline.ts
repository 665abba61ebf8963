import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs a task, and aborts it with the caller's signal or when nothing has happened for this long. The listener on the
 * caller's signal is removed afterwards: the signal outlives thousands of calls.
 * @param task receives the signal to pass on, and `extend`, which restarts the timer
 */
export async function withDeadline<Result>(
  ms: number,
  outer: AbortSignal,
  late: () => Error,
  task: (signal: AbortSignal, extend: () => void) => Promise<Result>,
): Promise<Result> {
  outer.throwIfAborted();
  const own = new AbortController();
  const follow = (): void => own.abort(outer.reason);
  outer.addEventListener('abort', follow);
  const start = (): NodeJS.Timeout => setTimeout(() => own.abort(late()), ms);
  let timer = start();
  try {
    return await task(own.signal, () => {
      clearTimeout(timer);
      timer = start();
    });
  } catch (error) {
    // After an abort its reason is reported, not the error that the task threw because of it.
    own.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', follow);
  }
}

/** @throws the signal's reason when it is aborted first */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
