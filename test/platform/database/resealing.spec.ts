import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Database } from '../../../src/platform/database/database';
import { ADVISORY_LOCKS } from '../../../src/platform/database/advisory-locks';
import { ResealingStore, type Resealed } from '../../../src/platform/database/encryption/resealing.store';
import { UpkeepTask, type Upkeep } from '../../../src/platform/jobs/upkeep';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { eventually } from '../../setup/eventually';
import { startTestService } from '../../setup/service';

const SECRETS_KEY = randomBytes(32).toString('base64');
/** That a process holds while it encrypts. */
const LOCK = ADVISORY_LOCKS.reencryption;
/** Its holders in this database, and those that wait for it: other specs have databases on the same server. */
const LOCKS = `FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

let testDatabase: TestDatabase;
let other: Client;
const cleanups: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  cleanups.push(() => testDatabase.drop());
  other = new Client({ connectionString: testDatabase.url });
  await other.connect();
  cleanups.push(() => other.end());
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Encrypts what there is, as one round of a process does. */
async function openSealing(): Promise<() => Promise<Resealed>> {
  const database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url, SECRETS_KEY }), silentLog);
  cleanups.push(() => database.close());
  const store = new ResealingStore(database);
  let done: Resealed | undefined;
  const upkeep: Upkeep = {
    name: 'encrypt',
    everyMs: 60_000,
    lock: ADVISORY_LOCKS.reencryption,
    round: async (inPieces) => void (done = await store.resealAll(inPieces)),
  };
  const task = new UpkeepTask(upkeep, database, silentLog);
  return async () => {
    await task.round();
    if (done === undefined) throw new Error('The round did not end.');
    return done;
  };
}

async function startSealing(): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const service = await startTestService({ SECRETS_KEY }, { database: testDatabase, log });
  cleanups.push(() => service.close());
  return lines;
}

const storePlainAgents = (number: number) =>
  other.query(
    `INSERT INTO agents (provider, name, config) SELECT 'openai', 'plain ' || n, '{"api_key":"canary"}' FROM generate_series(1, $1::int) n`,
    [number],
  );

async function owed(): Promise<string[]> {
  const { rows } = await other.query<{ name: string }>('SELECT table_name AS name FROM pending_table_rewrites');
  return rows.map(({ name }) => name);
}

async function fileOfAgents(): Promise<string> {
  const { rows } = await other.query<{ file: string }>(`SELECT pg_relation_filenode('agents')::text AS file`);
  return rows[0]?.file ?? '';
}

it('answers what it has encrypted when another process goes on with it, and the plain text is cleared away', async () => {
  const resealAll = await openSealing();
  await storePlainAgents(60);
  await other.query(`
    CREATE FUNCTION wait_for_the_other() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WHILE NOT EXISTS (SELECT ${LOCKS} AND NOT granted) LOOP
          PERFORM pg_sleep(0.01);
        END LOOP;
        RETURN NEW;
      END $$;
    CREATE TRIGGER wait_for_the_other BEFORE UPDATE ON agents FOR EACH ROW EXECUTE FUNCTION wait_for_the_other()`);
  const first = resealAll();
  await eventually(async () => {
    const { rows } = await other.query(`SELECT ${LOCKS}`);
    expect(rows).toHaveLength(1);
  });
  await other.query(`SELECT pg_advisory_lock(${LOCK})`);
  expect(await first).toEqual({ encrypted: 50, rekeyed: 0, decrypted: 0, unopened: [] });
  expect(await owed()).toEqual(['agents']);
  await other.query('DROP TRIGGER wait_for_the_other ON agents');
  await other.query(`SELECT pg_advisory_unlock(${LOCK})`);

  const file = await fileOfAgents();
  await startSealing();
  await eventually(async () => expect(await owed()).toEqual([]));
  expect(await fileOfAgents()).not.toBe(file);
});

it('clears away what a process owed that was killed when it had encrypted everything', async () => {
  await storePlainAgents(1);
  expect(await (await openSealing())()).toMatchObject({ encrypted: 1 });
  const file = await fileOfAgents();
  await startSealing();
  await eventually(async () => expect(await owed()).toEqual([]));
  expect(await fileOfAgents()).not.toBe(file);
});

it('takes a name for nothing but a name, whoever wrote it there, and is kept by none from the tables that there are', async () => {
  await storePlainAgents(1);
  await (
    await openSealing()
  )();
  await other.query(
    `INSERT INTO pending_table_rewrites VALUES ('a; DELETE FROM agents'), ('a"b'), ('agents (config)'), ('nobodys')`,
  );
  const file = await fileOfAgents();
  await startSealing();
  await eventually(async () => expect(await owed()).toEqual([]));
  expect(await fileOfAgents()).not.toBe(file);
});

it('owes a table that is in use until it has been written anew, and says so', async () => {
  await storePlainAgents(1);
  await (
    await openSealing()
  )();
  await other.query('BEGIN; LOCK TABLE agents IN ROW SHARE MODE');
  const lines = await startSealing();
  await eventually(() =>
    expect(lines.join('')).toContain('Old plain text is still in the files of tables that are in use'),
  );
  await other.query('COMMIT');
  expect(await owed()).toEqual(['agents']);
});
