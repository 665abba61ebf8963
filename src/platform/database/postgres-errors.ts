import { isUnavailable, stateOf } from './unavailable';

/** Why PostgreSQL cannot serve now, as far as an operator would do something else about each. */
export type Outage =
  'disk_full' | 'out_of_memory' | 'too_many_connections' | 'time_limit' | 'read_only' | 'unreachable';

/** SQLSTATEs: PostgreSQL manual, appendix A. */
const OUTAGES: ReadonlyMap<string, Outage> = new Map([
  ['53100', 'disk_full'],
  ['53200', 'out_of_memory'],
  ['53300', 'too_many_connections'],
  ['57014', 'time_limit'],
  ['25006', 'read_only'],
]);

const SENTENCES: Readonly<Record<Outage, string>> = {
  disk_full: 'The disk of PostgreSQL is full: free some space.',
  out_of_memory: 'PostgreSQL is out of memory: give it more, or lower its max_connections.',
  too_many_connections: 'PostgreSQL takes no more connections: raise its max_connections, or lower DATABASE_POOL_SIZE.',
  time_limit:
    'PostgreSQL did not finish a statement within its time limit: it is overloaded, or another session holds a lock.',
  read_only: 'PostgreSQL is read-only, as a standby is: let DATABASE_URL name the server that takes writes.',
  unreachable: 'PostgreSQL is out of reach.',
};

/** Null for an error that is about the statement and not about the server. */
export function outageOf(error: unknown): Outage | null {
  return stateOf(error, (state) => OUTAGES.get(state)) ?? (isUnavailable(error) ? 'unreachable' : null);
}

/** One sentence, or two, that say what an operator can do. */
export function sentenceAbout(outage: Outage): string {
  return SENTENCES[outage];
}

/** The sentence for a client whose request met the error; null when the error is about the statement and not about the server. */
export function outageSentence(error: unknown): string | null {
  const outage = outageOf(error);
  if (outage === null) return null;
  return outage === 'unreachable'
    ? 'The database is out of reach; try again in a few seconds.'
    : `The service cannot do this now. ${sentenceAbout(outage)}`;
}

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
