import { Client } from 'pg';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Database } from '../../../src/platform/database/database';
import { isUnavailable } from '../../../src/platform/database/unavailable';
import { eventually } from '../../setup/eventually';
import { createTestDatabase, type TestDatabase } from '../../setup/database';

/** A statement is given up after this, as one is after 35 s in which the network stood still. */
const PATIENCE_MS = 400;

let testDatabase: TestDatabase;
let database: Database;
let operator: Client;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
  operator = new Client({ connectionString: testDatabase.adminUrl });
  await operator.connect();
});

afterEach(async () => {
  await operator.end();
  await database.close();
  await testDatabase.drop();
});

const name = (): string => new URL(testDatabase.url).pathname.slice(1);
const STANDING = `SELECT current_setting('transaction_read_only') AS is, pg_sleep(0.05)`;

/** What each of so many sessions of both pools is, used at once. */
async function standings(): Promise<Set<string>> {
  const asked = Array.from({ length: 20 }, () => [database, database.engine]).flat();
  const rows = await Promise.all(asked.map((sessions) => sessions.query<{ is: string }>(STANDING)));
  return new Set(rows.flat().map(({ is }) => is));
}

/** A failover during which the name still leads to the standby: what is opened then stays there, and nothing ever breaks it. */
async function failOver(): Promise<void> {
  await operator.query(`ALTER DATABASE "${name()}" SET default_transaction_read_only = on`);
  await operator.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
    [name()],
  );
  // The first statements meet the ends of their sessions.
  await standings().catch(() => undefined);
  expect(await standings()).toEqual(new Set(['on']));
  await operator.query(`ALTER DATABASE "${name()}" RESET default_transaction_read_only`);
}

const insert = `INSERT INTO agents (id, name, provider, config) VALUES (gen_random_uuid(), 'Agent', 'openai', '{}')`;

/** The ways in which the service writes. */
const WRITES: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a transaction', () => database.transaction((tx) => tx.query(insert))],
  ['a transaction of the engine', () => database.engine.transaction((tx) => tx.query(insert))],
  ['the ORM', () => database.dataSource.transaction((manager) => manager.query(insert))],
  ['a statement', () => database.query(insert)],
];

it.each(WRITES)('one refused write by %s ends the sessions with a server that is only read', async (_, write) => {
  await failOver();
  const refusal = await write().then(
    () => null,
    (error: unknown) => error,
  );
  expect(isUnavailable(refusal)).toBe(true);
  expect(await standings()).toEqual(new Set(['off']));
  await write();
  expect(await database.query('SELECT name FROM agents')).toEqual([{ name: 'Agent' }]);
});

it('a server that stays read-only is read on', async () => {
  await operator.query(`ALTER DATABASE "${name()}" SET default_transaction_read_only = on`);
  await operator.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
    [name()],
  );
  await standings().catch(() => undefined);
  const refused = Array.from({ length: 10 }, () => database.transaction((tx) => tx.query(insert)).catch(isUnavailable));
  const read = Array.from({ length: 30 }, () => database.query('SELECT name FROM agents'));
  expect(new Set(await Promise.all(refused))).toEqual(new Set([true]));
  expect(await Promise.all(read)).toEqual(Array.from({ length: 30 }, () => []));
});

it('a session that is given back in the middle of a transaction, by whatever mistake, is used by nobody else', async () => {
  const runner = database.dataSource.createQueryRunner();
  await runner.query('BEGIN');
  await runner.query(insert);
  await runner.release();
  await database.query(insert.replace('Agent', 'next'));
  const { rows } = await operator.query('SELECT name FROM agents');
  expect(rows).toEqual([{ name: 'next' }]);
});

describe('a session that a statement was given up on is used by nobody else', () => {
  let impatient: Database;
  beforeEach(async () => {
    const url = new URL(testDatabase.url);
    url.searchParams.set('query_timeout', String(PATIENCE_MS));
    const variables = { DATABASE_URL: url.toString(), DATABASE_POOL_SIZE: '3' };
    impatient = await Database.open(settingsFrom(variables), silentLog);
  });
  afterEach(() => impatient.close());

  const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const SLOW = 'SELECT pg_sleep(1.5)';
  const untilSlept = (): Promise<void> =>
    eventually(async () => {
      const { rowCount } = await operator.query(
        `SELECT FROM pg_stat_activity WHERE query = $1 AND state = 'active' AND datname = $2`,
        [SLOW, name()],
      );
      expect(rowCount).toBe(0);
    });

  it.each<[string, () => Promise<unknown>]>([
    [
      'of the ORM',
      () => impatient.dataSource.transaction((manager) => manager.query(insert).then(() => manager.query(SLOW))),
    ],
    ['of our own', () => impatient.transaction((tx) => tx.query(insert).then(() => tx.query(SLOW)))],
  ])('in the middle of a transaction %s: what is written next is stored, and what it wrote is not', async (_, slow) => {
    expect(isUnavailable(await refusalOf(slow()))).toBe(true);
    await untilSlept();
    for (const written of ['one', 'two', 'three']) {
      await impatient.query(insert.replace('Agent', written));
    }
    const { rows } = await operator.query<{ name: string }>('SELECT name FROM agents ORDER BY name');
    expect(rows.map((row) => row.name)).toEqual(['one', 'three', 'two']);
  });

  it('in the middle of a statement of the ORM: the next ones wait for nothing', async () => {
    expect(isUnavailable(await refusalOf(impatient.dataSource.query(SLOW)))).toBe(true);
    const next = await Promise.all([1, 2].map(() => impatient.dataSource.query('SELECT 1 AS answer')));
    expect(next).toEqual([[{ answer: 1 }], [{ answer: 1 }]]);
  });
});
