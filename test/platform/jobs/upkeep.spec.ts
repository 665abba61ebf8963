import { EventEmitter, once } from 'node:events';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { ADVISORY_LOCKS } from '../../../src/platform/database/advisory-locks';
import { Database } from '../../../src/platform/database/database';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { UpkeepTask, type Upkeep } from '../../../src/platform/jobs/upkeep';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { eventually } from '../../setup/eventually';

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
  await database.query('CREATE TABLE dishes AS SELECT n FROM generate_series(1, 25) n');
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const left = async () => (await database.query('SELECT FROM dishes')).length;

/** Washes ten dishes in a piece. */
function washing(told: number[] = []): Upkeep {
  return {
    name: 'dishes',
    everyMs: 10,
    lock: ADVISORY_LOCKS.deletedAgents,
    round: (inPieces) =>
      inPieces(
        async (tx) => {
          const washed = await tx.query('DELETE FROM dishes WHERE n IN (SELECT n FROM dishes LIMIT 10) RETURNING n');
          return washed.length === 0 ? null : washed.length;
        },
        (piece) => told.push(piece),
      ),
  };
}

test('goes piece by piece until nothing is left', async () => {
  const told: number[] = [];
  await new UpkeepTask(washing(told), database, silentLog).round();
  expect(told).toEqual([10, 10, 5]);
  expect(await left()).toBe(0);
});

test('is done by one process at a time: the others wait for nothing, and find it done or go on', async () => {
  const told: number[] = [];
  const task = new UpkeepTask(washing(told), database, silentLog);
  await database.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.deletedAgents]);
    await task.round();
    expect(await left()).toBe(25);
  });
  await Promise.all([task, new UpkeepTask(washing(told), database, silentLog)].map((one) => one.round()));
  await task.round();
  expect(await left()).toBe(0);
  expect(told.reduce((sum, piece) => sum + piece, 0)).toBe(25);
});

test('tells of no piece that was not committed, and what failed is tried again', async () => {
  const told: number[] = [];
  await database.query('ALTER TABLE dishes ADD PRIMARY KEY (n)');
  await database.query('CREATE TABLE used AS SELECT 25 AS n');
  await database.query('ALTER TABLE used ADD FOREIGN KEY (n) REFERENCES dishes');
  const task = new UpkeepTask(washing(told), database, silentLog);
  await expect(task.round()).rejects.toThrow('violates foreign key constraint');
  expect(25 - told.reduce((sum, piece) => sum + piece, 0)).toBe(await left());
  await database.query('DROP TABLE used');
  await task.round();
  expect(await left()).toBe(0);
});

test('ends with the piece in progress when the process stops, and leaves the rest to the next', async () => {
  const jobs = new Jobs(database, silentLog);
  const told: number[] = [];
  const pieces = new EventEmitter();
  const first = once(pieces, 'begin');
  const { round, ...upkeep } = washing();
  jobs.addUpkeep({
    ...upkeep,
    round: (inPieces) =>
      round((next) =>
        inPieces(
          async (tx) => {
            pieces.emit('begin');
            return next(tx);
          },
          () => told.push(1),
        ),
      ),
  });
  jobs.onApplicationBootstrap();
  await first;
  await jobs.beforeApplicationShutdown();
  const after = await left();
  expect(after).toBe(25 - 10 * told.length);
  await new UpkeepTask(washing(), database, silentLog).round();
  await eventually(async () => expect(await left()).toBe(0));
});
