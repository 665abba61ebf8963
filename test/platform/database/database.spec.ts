import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as connectSocket, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { connect } from '../../../src/platform/database/data-source';
import { Database } from '../../../src/platform/database/database';
import { DatabaseStartError, isConnectionError, isUnavailable } from '../../../src/platform/database/unavailable';
import { AgentEntity } from '../../../src/features/agents/agent.entity';
import { retryablePostgresError } from '../../../src/platform/database/postgres-errors';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../setup/database';
import { startUntrustedPostgres } from '../../setup/unknown-authority';

let testDatabase: TestDatabase;
const opened: Database[] = [];

async function open(variables: NodeJS.ProcessEnv = {}): Promise<Database> {
  const database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url, ...variables }), silentLog);
  opened.push(database);
  return database;
}

beforeEach(async () => {
  testDatabase = await createTestDatabase();
});

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await testDatabase.drop();
});

const errorOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);
const backend = 'SELECT pg_backend_pid() AS pid';

describe('starting', () => {
  it('migrates an empty database once, however many processes start at the same time', async () => {
    const empty = await createEmptyDatabase();
    const databases = await Promise.all(Array.from({ length: 4 }, () => open({ DATABASE_URL: empty.url })));
    for (const database of databases) {
      expect(await database.query('SELECT count(*)::int AS n FROM scenario_runs')).toEqual([{ n: 0 }]);
    }
    const [database] = databases;
    const names = await database?.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    expect(names?.length).toBeGreaterThan(0);
    expect(new Set(names?.map(({ name }) => name)).size).toBe(names?.length);
    await Promise.all(databases.map((each) => each.close()));
    await empty.drop();
  });

  it('leaves connections with the usual time limit behind when it has migrated', async () => {
    const database = await open();
    const limits = await Promise.all(
      Array.from({ length: 10 }, () =>
        database.query<{ limit: string }>(`SELECT current_setting('statement_timeout') AS limit`),
      ),
    );
    expect(new Set(limits.flat().map(({ limit }) => limit))).toEqual(new Set(['30s']));
  });

  it.each([
    ['a wrong password', (url: URL) => (url.password = 'hunter2'), 'does not accept this service'],
    ['an unknown database', (url: URL) => (url.pathname = '/nowhere'), 'does not accept this service'],
    ['a port where nobody listens', (url: URL) => (url.port = '1'), 'is out of reach: start it'],
    ['a host that does not exist', (url: URL) => (url.hostname = 'db.invalid'), 'is out of reach: start it'],
  ])('ends with one sentence for %s, and shows no password', async (_, change, advice) => {
    const url = new URL(testDatabase.url);
    const { password } = url;
    change(url);
    const error = await errorOf(connect({ url: url.toString(), poolSize: 2, log: silentLog, reachWithinMs: 0 }));
    expect(error).toBeInstanceOf(DatabaseStartError);
    expect(String(error)).toContain(`The database at ${url.host}${url.pathname} ${advice}`);
    expect(String(error)).not.toContain('hunter2');
    expect(String(error)).not.toContain(password);
  });

  it('says what to do about a server whose certificate is of an authority that nobody knows, and about a missing file of one', async () => {
    const server = await startUntrustedPostgres();
    const address = `127.0.0.1:${server.port}/osce`;
    const failure = (query: string) =>
      errorOf(connect({ url: `postgresql://osce:hunter2@${address}?${query}`, poolSize: 2, log: silentLog }));
    expect(String(await failure('sslmode=verify-full'))).toBe(
      `DatabaseStartError: The certificate of the database at ${address} is not trusted (self-signed certificate): let DATABASE_URL end in ` +
        '?sslmode=verify-full&sslrootcert=/path/of/its/authority.pem, and name the server as its certificate does.',
    );
    expect(String(await failure('sslmode=verify-full&sslrootcert=/nowhere/ca.pem'))).toBe(
      "DatabaseStartError: A file that DATABASE_URL names cannot be read (ENOENT: no such file or directory, open '/nowhere/ca.pem').",
    );
    await server.close();
  });

  it('waits for a server that starts a little later', async () => {
    const real = new URL(testDatabase.url);
    const sockets = new Set<Socket>();
    const gate = createServer((socket) => {
      const onward = connectSocket(Number(real.port), real.hostname);
      for (const end of [socket, onward]) sockets.add(end.on('error', () => undefined));
      socket.pipe(onward).pipe(socket);
    });
    gate.listen(0, '127.0.0.1');
    await once(gate, 'listening');
    const { port } = gate.address() as AddressInfo;
    await new Promise((resolve) => gate.close(resolve));
    const messages: string[] = [];
    // The gate opens when the first try has failed.
    const log = createLog('warn', {
      write: (line) => {
        messages.push((JSON.parse(line) as { msg: string }).msg);
        if (!gate.listening) gate.listen(port, '127.0.0.1');
      },
    });
    const target = new URL(testDatabase.url);
    target.host = `127.0.0.1:${port}`;
    const dataSource = await connect({ url: target.toString(), poolSize: 2, log });
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(messages).toContain('The database is out of reach; trying again');
    await dataSource.destroy();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => gate.close(resolve));
  });

  it.each(['3', '10'])('keeps connections for the engine that readers cannot take (%s in all)', async (size) => {
    const database = await open({ DATABASE_POOL_SIZE: size });
    const [holder] = await database.engine.query<{ pid: number }>(
      'SELECT pg_backend_pid() AS pid FROM pg_advisory_lock(4711)',
    );
    // Every reader waits for that lock, and more of them than there are connections.
    const reads = Array.from({ length: 30 }, () => database.query('SELECT pg_advisory_xact_lock(4711)'));
    let answered = 0;
    for (const read of reads) void read.then(() => (answered += 1));
    await Promise.all(Array.from({ length: 30 }, () => database.engine.query('SELECT 1')));
    expect(await database.engine.transaction((tx) => tx.query('SELECT 2 AS two'))).toEqual([{ two: 2 }]);
    expect(answered).toBe(0);
    await database.engine.query('SELECT pg_terminate_backend($1)', [holder?.pid]).catch(() => undefined);
    await Promise.all(reads);
    const [{ all } = { all: 0 }] = await database.query<{ all: number }>(
      'SELECT count(*)::int AS all FROM pg_stat_activity WHERE datname = current_database()',
    );
    expect(all).toBeLessThanOrEqual(Number(size));
  });

  it('runs the embedded server in DATA_DIR when no other is named, and is alone with it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'osce-database-'));
    const settings = settingsFrom({ DATA_DIR: dataDir });
    const first = await Database.open(settings, silentLog);
    await first.query(`INSERT INTO agents (provider, name, config) VALUES ('openai', 'kept', '{}')`);
    expect(first.exclusive).toBe(true);
    await Promise.all([first.close(), first.close()]);
    expect(isUnavailable(await errorOf(first.ping()))).toBe(true);
    const second = await Database.open(settings, silentLog);
    expect(await second.query('SELECT name FROM agents')).toEqual([{ name: 'kept' }]);
    await second.onApplicationShutdown();
    rmSync(dataDir, { recursive: true });
  });
});

describe('statements', () => {
  it('share the pool, however many there are', async () => {
    const database = await open({ DATABASE_POOL_SIZE: '3' });
    expect(database.exclusive).toBe(false);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        database.query<{ n: number; pid: number }>('SELECT $1::int AS n, pg_backend_pid() AS pid', [n]),
      ),
    );
    expect(answers.flat().map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(new Set(answers.flat().map(({ pid }) => pid)).size).toBeLessThanOrEqual(3);
  });

  it('of a transaction are committed together, or not at all when the work throws', async () => {
    const database = await open();
    const insert = `INSERT INTO agents (provider, name, config) VALUES ('openai', $1, '{}') RETURNING name`;
    const result = await database.transaction(async (tx) => {
      expect(await tx.query(insert, ['kept'])).toEqual([{ name: 'kept' }]);
      return 'result';
    });
    expect(result).toBe('result');
    const failed = database.transaction(async (tx) => {
      await tx.query(insert, ['lost']);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    const wrong = database.transaction(async (tx) => {
      await tx.query(insert, ['lost too']);
      await tx.query('SELECT nonsense');
    });
    expect(isUnavailable(await errorOf(wrong))).toBe(false);
    expect(await database.query('SELECT name FROM agents')).toEqual([{ name: 'kept' }]);
  });

  it('fail with a connection error when their connection breaks, and the next ones get a fresh one', async () => {
    const database = await open();
    const kill = (pid: number | undefined) => database.query('SELECT pg_terminate_backend($1)', [pid]);

    const between = database.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(backend);
      await kill(row?.pid);
      await tx.query('SELECT 1');
    });
    const during = database.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(backend);
      const cut = tx.query('SELECT pg_sleep(30)');
      await kill(row?.pid);
      await cut;
    });
    expect(isConnectionError(await errorOf(between))).toBe(true);
    expect(isConnectionError(await errorOf(during))).toBe(true);

    // The news of the broken connection comes after the next statement was sent, or before it.
    for (const untilHeard of [0, 200]) {
      const byOrm = database.dataSource.transaction(async (manager) => {
        const [row] = await manager.query<{ pid: number }[]>(backend);
        await kill(row?.pid);
        await sleep(untilHeard);
        await manager.find(AgentEntity);
      });
      const error = await errorOf(byOrm);
      expect(database.isConnectionError(error)).toBe(true);
      expect(database.isUnavailable(error)).toBe(true);
    }
    await database.ping();
  });

  it('that the server has no memory for are told from those that may succeed later', async () => {
    const error = await errorOf((await open()).query(raise('53200')));
    expect(isUnavailable(error)).toBe(false);
    const isWorthATry = retryablePostgresError();
    const tries = Array.from({ length: 100 }, () => isWorthATry(error)).filter(Boolean);
    expect(tries.length).toBeGreaterThan(1);
    expect(tries.length).toBeLessThan(10);
  });

  it.each(['53100', '53300', '40P01', '57P01', '57P03', '57014', '08006', '25006', '58030'])(
    'that fail with %s may succeed later',
    async (state) => {
      const database = await open();
      expect(isUnavailable(await errorOf(database.query(raise(state))))).toBe(true);
      expect(isUnavailable(await errorOf(database.dataSource.query(raise(state))))).toBe(true);
    },
  );

  it.each(['23505', '22P02', '42601', '42501', '22021'])('that fail with %s are wrong and stay so', async (state) => {
    const database = await open();
    expect(isUnavailable(await errorOf(database.query(raise(state))))).toBe(false);
    expect(isUnavailable(await errorOf(database.dataSource.query(raise(state))))).toBe(false);
  });
});

const raise = (state: string) => `DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${state}'; END $$`;
