import { DatabaseStartError } from '../unavailable';
import { inUseError } from './previous-server';

/**
 * What PostgreSQL's programs and the file system say when a start fails, and the sentence for it. Their words are all there
 * is to go by; they run with LC_ALL=C, so the words are PostgreSQL's own, and its source is where these come from.
 */
const CAUSES: readonly (readonly [RegExp, (dataDir: string) => DatabaseStartError])[] = [
  [/lock file "postmaster\.pid" already exists|pre-existing shared memory block/, inUseError],
  [
    /No space left on device|Check free disk space|ENOSPC|Disk quota exceeded|EDQUOT/,
    (dataDir) =>
      new DatabaseStartError(
        `The disk that holds the data folder ${dataDir} is full: free some space, then start again.`,
      ),
  ],
  [
    /invalid binary "|could not locate my own executable path|could not find a "postgres" to execute/,
    () =>
      new DatabaseStartError(
        'The user that PostgreSQL runs as may not enter the folder where it is installed: install Agent OSCE in a folder that every user may enter, start it as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
      ),
  ],
  [
    /Permission denied|EACCES|EPERM|Operation not permitted|EROFS|Read-only file system|invalid permissions|wrong ownership/,
    unwritableError,
  ],
  [
    /could not look up effective user ID/,
    () =>
      new DatabaseStartError(
        `PostgreSQL runs only as a user who has a name, and uid ${process.getuid?.()} has none here: start the service as a user listed in /etc/passwd, or set DATABASE_URL to a PostgreSQL server.`,
      ),
  ],
  [
    /ENOTDIR|EEXIST|Not a directory/,
    (dataDir) => new DatabaseStartError(`The data folder ${dataDir} is not a folder: set DATA_DIR to a folder.`),
  ],
  [
    /ENOENT|error while loading shared libraries|cannot execute/,
    () =>
      new DatabaseStartError(
        'The embedded PostgreSQL does not run on this system (it needs glibc on Linux): set DATABASE_URL to a PostgreSQL server.',
      ),
  ],
];

export function unwritableError(dataDir: string): DatabaseStartError {
  return new DatabaseStartError(
    `The data folder ${dataDir} cannot be written: give it to the user the service runs as, or set DATA_DIR to another folder.`,
  );
}

/** The sentence for a failed start, or the programs' own words when the cause is none that is known. */
export function startFailure(dataDir: string, output: string, cause?: unknown): DatabaseStartError {
  for (const [pattern, toError] of CAUSES) {
    if (!pattern.test(output)) continue;
    const error = toError(dataDir);
    error.cause = cause ?? output;
    return error;
  }
  const words = output.trim().split('\n').slice(-3).join(' ');
  return new DatabaseStartError(
    `The embedded PostgreSQL in ${dataDir} does not start (${words || 'no message'}): see postgres.log in that folder.`,
    { cause },
  );
}
