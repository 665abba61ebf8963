import { config } from 'rxjs';
import type { Log } from '../platform/config';

/**
 * Logs what a subscriber throws, so that the other subscribers are still called. RxJS would rethrow it where no code can catch
 * it, which ends the process.
 */
export function outliveSubscribers(log: Log): void {
  config.onUnhandledError = (error: unknown) => log.error('A subscriber threw an error', { error });
}
