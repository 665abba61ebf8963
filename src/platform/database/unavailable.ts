import { isNativeError } from 'node:util/types';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';

/**
 * SQLSTATEs that say nothing about the statement, only that the server cannot serve now: PostgreSQL manual, appendix A.
 * Class 08 connection, 53 resources (disk full, too many connections), 57 operator intervention (shutdown, restart, statement
 * timeout), 58 system errors (input/output); 25006 is a server that became read-only, as after a failover; 40001 and 40P01
 * lost to another transaction, 55P03 did not get a lock in time. Not 53200, out of memory: it may say that this statement is
 * too large for this server, and will be tomorrow.
 */
const UNAVAILABLE_STATE = /^(08|53(?!200)|57|58)...$|^(25006|40001|40P01|55P03)$/;
const CONNECTION_FAILURE = '08006';
const CONNECTION_STATE = /^08...$|^57P0[1-5]$/;

/** System errors of a socket, as Node names them. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * pg 8 and pg-pool 3 make these errors with `new Error(message)`: neither a code nor a class tells them apart. A test holds
 * the words against those of the installed driver.
 */
export const DRIVER_MESSAGES: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]);

/** The connection broke between COMMIT and its answer. SQLSTATE 08007: transaction resolution unknown. */
export class CommitInDoubt extends Error {
  override readonly name = 'CommitInDoubt';
  readonly code = '08007';

  constructor(cause: unknown) {
    super('The connection broke while a transaction was being committed.', { cause });
  }
}

/** Whether the connection to the server failed or was closed; what was under way may or may not have been committed. */
export function isConnectionError(error: unknown): boolean {
  return someCause(error, ({ code, message }) => {
    return code === null ? DRIVER_MESSAGES.has(message) : SOCKET_CODES.has(code) || CONNECTION_STATE.test(code);
  });
}

/** Whether the same statement may succeed later: the server is out of reach, stopping, full, read-only or busy. */
export function isUnavailable(error: unknown): boolean {
  return isConnectionError(error) || someCause(error, ({ code }) => code !== null && UNAVAILABLE_STATE.test(code));
}

/** What the first SQLSTATE or system error code that means something to the caller means, of all that an error holds. */
export function stateOf<Meaning>(
  error: unknown,
  meaningOf: (code: string) => Meaning | undefined,
): Meaning | undefined {
  let found: Meaning | undefined;
  someCause(error, ({ code }) => {
    found = code === null ? undefined : meaningOf(code);
    return found !== undefined;
  });
  return found;
}

/** PostgreSQL's, in five characters; undefined for errors that are not its own. Node's own codes begin with an E, and no SQLSTATE does. */
export function sqlStateOf(error: unknown): string | undefined {
  return stateOf(error, (code) => (/^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined));
}

/** Whether the database user lacks a right; SQLSTATE 42501. */
export function isRefusedForRights(error: unknown): boolean {
  return someCause(error, ({ code }) => code === '42501');
}

interface Facts {
  readonly code: string | null;
  readonly message: string;
}

/** The ORM wraps the driver's error, and a failed connection to several addresses is one error with several inside. */
function someCause(error: unknown, holds: (facts: Facts) => boolean): boolean {
  // Not instanceof: errors of Node's own modules are of another realm where code runs in a vm context, as under Jest.
  if (!isNativeError(error)) return false;
  // The ORM gives a connection up when it breaks between two statements of a transaction, and refuses the next one with this.
  if (error instanceof QueryRunnerAlreadyReleasedError)
    return holds({ code: CONNECTION_FAILURE, message: error.message });
  if (error instanceof QueryFailedError) return someCause(error.driverError, holds);
  if ('errors' in error && Array.isArray(error.errors) && error.errors.some((inner) => someCause(inner, holds)))
    return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return holds({ code, message: error.message });
}

/** The database cannot be used; the message is one sentence that says what to do about it. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}
