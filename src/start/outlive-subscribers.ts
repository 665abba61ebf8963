import { config } from 'rxjs';
import type { Log } from '../platform/config/log';

/**
 * What a subscriber throws is a line in the log, and the other subscribers are still called.
 * RxJS would rethrow it where no one can catch it, which ends the process.
 */
export function outliveSubscribers(log: Log): void {
  config.onUnhandledError = (error: unknown) => log.error('A subscriber threw an error', { error });
}
