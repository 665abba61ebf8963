import { Client } from 'pg';
import { createLog } from '../../../src/platform/config/log';
import { migrate } from '../../../src/platform/database/migrate';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { eventually } from '../../setup/eventually';
import { NEXT_INDEX as INDEX, NEXT_RECORD, NEXT_VERSION } from '../../setup/next-version';

/** The number of the lock under which processes take turns. */
const TURN = 7_265_001;

let database: TestDatabase;
const clients: Client[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await database.drop();
});

async function session(url = database.url): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'an operator' });
  await client.connect();
  clients.push(client);
  return client;
}

/** Begins to migrate by an address that asks for time limits in milliseconds, where it says something soon. */
function begin(limitMs = 500) {
  const lines: string[] = [];
  const url = new URL(database.url);
  for (const limit of ['statement_timeout', 'query_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
    url.searchParams.set(limit, String(limitMs));
  }
  const log = createLog('info', { write: (line) => lines.push(line) });
  const migrated = migrate({ url: url.toString(), log, migrations: NEXT_VERSION, tellAfterMs: 100, tellEveryMs: 300 });
  const outcome = migrated.then(
    () => 'migrated',
    (error: unknown) => String(error),
  );
  return { outcome, lines };
}

const isValid = async (client: Client) => {
  const { rows } = await client.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('${INDEX}')`);
  return rows[0]?.indisvalid;
};

/** Four lines come after a second at the earliest: twice the limit that the address asks for. */
async function toldOften(lines: readonly string[]): Promise<string> {
  await eventually(() => expect(lines.filter((line) => saysWho.test(line)).length).toBeGreaterThanOrEqual(4));
  return 'it waits';
}

const saysWho = /"msg":"Bringing the tables up to date waits: another session holds a lock"/;

it('waits as long as another session holds a lock, says so now and then, and goes on', async () => {
  const operator = await session();
  await operator.query('BEGIN');
  await operator.query('LOCK TABLE run_log IN ACCESS EXCLUSIVE MODE');
  const { outcome, lines } = begin();
  expect(await Promise.race([outcome, toldOften(lines)])).toBe('it waits');
  expect(lines.join('')).toContain('"application":"an operator"');
  await operator.query('COMMIT');
  expect(await outcome).toBe('migrated');
  expect(await isValid(operator)).toBe(true);
});

it('waits for its turn as long as it takes', async () => {
  const other = await session();
  await other.query('SELECT pg_advisory_lock($1)', [TURN]);
  const { outcome, lines } = begin();
  expect(await Promise.race([outcome, toldOften(lines)])).toBe('it waits');
  // While it waits for its turn it holds up no index that somebody builds: it is in no transaction.
  await other.query('CREATE INDEX CONCURRENTLY built_meanwhile ON run_log (at)');
  await other.query('SELECT pg_advisory_unlock($1)', [TURN]);
  expect(await outcome).toBe('migrated');
});

it('lets others go on writing to a table while its index is built', async () => {
  const [slow, operator] = [await session(), await session()];
  await slow.query('BEGIN');
  await slow.query(`INSERT INTO agents (provider, name, config) VALUES ('openai', 'slow', '{}')`);
  await slow.query('LOCK TABLE run_log IN ROW EXCLUSIVE MODE');
  const { outcome, lines } = begin(30_000);
  await eventually(async () => {
    const { rows } = await operator.query(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND pg_blocking_pids(pid) <> '{}'`,
    );
    expect(rows).toEqual([{ waiting: 1 }]);
  });
  // What every writer of events takes.
  await operator.query(`SET lock_timeout = '2s'`);
  await operator.query('BEGIN');
  await operator.query('LOCK TABLE run_log IN ROW EXCLUSIVE MODE');
  await operator.query('COMMIT');
  await eventually(() => expect(lines.some((line) => saysWho.test(line))).toBe(true));
  await slow.query('COMMIT');
  expect(await outcome).toBe('migrated');
  expect(await isValid(operator)).toBe(true);
});

it('lets writers through now and then while it waits for whole tables', async () => {
  const [slow, writer, operator] = [await session(), await session(), await session()];
  await slow.query('BEGIN');
  await slow.query('LOCK TABLE run_log IN ROW EXCLUSIVE MODE');
  const { outcome } = begin(30_000);
  // Two tries at least are made in this time, and each of them holds writers up for its own length only.
  for (let tries = 0; tries < 2; tries += 1) {
    await eventually(async () => {
      const { rows } = await operator.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND pg_blocking_pids(pid) <> '{}'`,
      );
      expect(rows).toEqual([{ waiting: 1 }]);
    });
    await writer.query(`SET lock_timeout = '10s'`);
    await writer.query('BEGIN');
    await writer.query('LOCK TABLE test_runs IN ROW SHARE MODE');
    await writer.query('LOCK TABLE run_log IN ROW EXCLUSIVE MODE');
    await writer.query('COMMIT');
  }
  await slow.query('COMMIT');
  expect(await outcome).toBe('migrated');
  expect(await isValid(operator)).toBe(true);
});

it('removes and builds again an index whose building was interrupted', async () => {
  const operator = await session(database.adminUrl);
  expect(await begin().outcome).toBe('migrated');
  await operator.query(`DELETE FROM migrations WHERE name LIKE 'IndexLogByTime%'`);
  await operator.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${INDEX}'::regclass`);
  expect(await begin().outcome).toBe('migrated');
  expect(await isValid(operator)).toBe(true);
});

it('lets several processes build indexes one after the other, none of them twice', async () => {
  const operator = await session();
  const outcomes = await Promise.all([begin(), begin(), begin(), begin()].map(({ outcome }) => outcome));
  expect(outcomes).toEqual(Array(4).fill('migrated'));
  expect(await isValid(operator)).toBe(true);
  const { rows } = await operator.query(`SELECT count(*)::int AS n FROM migrations WHERE name LIKE 'IndexLogByTime%'`);
  expect(rows).toEqual([{ n: 1 }]);
});

it('brings up to date what has newer steps and lacks older ones, as after a build from in between', async () => {
  const client = await session();
  expect(await begin().outcome).toBe('migrated');
  await client.query(
    `ALTER TABLE test_runs DROP COLUMN noted_changes; DROP FUNCTION ${NEXT_RECORD};
     DELETE FROM migrations WHERE name LIKE 'NoteChanges%'`,
  );
  expect(await begin().outcome).toBe('migrated');
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT FROM information_schema.columns WHERE column_name = 'noted_changes') AS complete,
            (SELECT count(*)::int FROM migrations) = (SELECT count(DISTINCT name)::int FROM migrations) AS once`,
  );
  expect(rows).toEqual([{ complete: true, once: true }]);
});

it('says what to do when the user may not change the tables, and nothing of rights otherwise', async () => {
  const operator = await session(database.adminUrl);
  const user = `osce_guest_${process.pid}`;
  await operator.query(`CREATE ROLE ${user} LOGIN PASSWORD 'guest'`);
  try {
    await operator.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`);
    const url = new URL(database.url);
    Object.assign(url, { username: user, password: 'guest' });
    const log = createLog('silent', { write: () => undefined });
    await expect(migrate({ url: url.toString(), log, migrations: NEXT_VERSION })).rejects.toThrow(
      /has to own the tables/,
    );
  } finally {
    await operator.query(`DROP OWNED BY ${user}`);
    await operator.query(`DROP ROLE ${user}`);
  }
  // Something else of the name is in the way.
  await operator.query(`CREATE VIEW ${INDEX} AS SELECT 1 AS one; ALTER TABLE run_log RENAME TO moved`);
  expect(await begin().outcome).toMatch(/could not be brought up to date \(.*run_log.*\): the step that failed/);
});

it('refuses tables of a build from before the first release, and says what to do', async () => {
  const operator = await session();
  await operator.query(`UPDATE migrations SET name = 'InitialSchema1731000000000'`);
  expect(await begin().outcome).toMatch(
    /^DatabaseStartError: The tables of this database were made by a build from before 0[.]1[.]0, .* start on an empty database/,
  );
  const { rows } = await operator.query('SELECT name FROM migrations');
  expect(rows).toEqual([{ name: 'InitialSchema1731000000000' }]);
});
