import { isUnavailable, stateOf } from './unavailable';

const OUT_OF_MEMORY = '53200';
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/** How often a statement is tried again after the server had no memory for it. */
const SHORTAGES_RETRIED = 5;

/**
 * Whether to try one and the same statement again: for as long as the server is unavailable, and some times when it lacks
 * memory. A new one for each statement, since it counts.
 */
export function retryablePostgresError(): (error: unknown) => boolean {
  let shortages = 0;
  return (error) => {
    if (!isState(error, OUT_OF_MEMORY)) return isUnavailable(error);
    shortages += 1;
    return shortages <= SHORTAGES_RETRIED;
  };
}

/** Whether a lock was not to be had in the time that the statement gave itself. */
export function isLockedOut(error: unknown): boolean {
  return isState(error, LOCK_NOT_AVAILABLE);
}

/** Whether another transaction had a lock, for too long or in a deadlock: what was begun may be begun again. */
export function isLockLost(error: unknown): boolean {
  return isLockedOut(error) || isState(error, DEADLOCK_DETECTED);
}

function isState(error: unknown, state: string): boolean {
  return stateOf(error, (code) => (code === state ? true : undefined)) === true;
}
