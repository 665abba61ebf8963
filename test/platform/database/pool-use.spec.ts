import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Database, type PoolUse } from '../../../src/platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { eventually } from '../../setup/eventually';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function requests(): PoolUse {
  const use = database.pools().find(({ pool }) => pool === 'requests');
  if (use === undefined) throw new Error('There is no pool for requests.');
  return use;
}

/** Takes so many connections, and gives them back when what it answers is called. */
async function hold(connections: number): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let taken = 0;
  const take = () => database.transaction(() => ((taken += 1), released));
  const held = Promise.all(Array.from({ length: connections }, take));
  await eventually(() => expect(taken).toBe(connections));
  return async () => {
    release();
    await held;
  };
}

test('a statement that is about to get an idle connection does not wait for one', async () => {
  await (
    await hold(3)
  )();
  expect(requests()).toMatchObject({ idle: 3, inUse: 0 });
  const asked = Promise.all([database.query('SELECT 1'), database.query('SELECT 2')]);
  expect(requests().waiting).toBe(0);
  await asked;
});

test('nor one for which a connection is about to be opened', async () => {
  await (
    await hold(2)
  )();
  const { idle, limit } = requests();
  const asked = Promise.all(Array.from({ length: limit }, () => database.query('SELECT 1')));
  expect({ idle: idle < limit, waiting: requests().waiting }).toEqual({ idle: true, waiting: 0 });
  await asked;
});

test('beyond the last connection they wait, each of them', async () => {
  const release = await hold(requests().limit);
  const asked = Promise.all([1, 2, 3].map((number) => database.query(`SELECT ${number}`)));
  expect(requests().waiting).toBe(3);
  await release();
  await asked;
  expect(requests().waiting).toBe(0);
});
