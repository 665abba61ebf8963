import { config } from 'rxjs';
import type { Log } from '../config/log';

/**
 * What a subscriber throws when it is told something is a line in the log, and the other subscribers are told all the same.
 * RxJS would throw it again where nobody can catch it, which ends the process.
 */
export function outliveSubscribers(log: Log): void {
  config.onUnhandledError = (error: unknown) => log.error('A subscriber failed at what it was told', { error });
}
