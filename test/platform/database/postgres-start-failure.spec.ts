import { startFailure } from '../../../src/platform/database/embedded-postgres/postgres-start-failure';

// What a full disk makes initdb and postgres of version 18 say: of a write that failed, and of one that was done in part.
test.each([
  'FATAL:  could not write to file "pg_wal/xlogtemp.42": No space left on device',
  `running bootstrap script ... FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10
HINT:  Check free disk space.
PANIC:  cannot abort transaction 1, it was already committed
Aborted
child process exited with exit code 134`,
])('a full disk is said to be full', (output) => {
  expect(startFailure('/data', output).message).toBe(
    'The disk that holds the data folder /data is full: free some space, then start again.',
  );
});
