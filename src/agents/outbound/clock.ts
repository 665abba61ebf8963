import { ProviderError } from '../errors';

/** Time and randomness, as far as waits depend on them; tests provide their own so that no wait takes real time. */
export interface Clock {
  /** Monotonic milliseconds; deadlines are counted in them. */
  now(): number;
  /** Milliseconds since the epoch, for dates that a server sends. */
  wallTime(): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** @throws ProviderError canceled, at once, when the signal is or gets aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(ProviderError.canceled());
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(ProviderError.canceled());
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal.addEventListener('abort', onAbort, { once: true });
    }),
};
