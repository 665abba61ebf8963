import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { checkBackup } from '../../src/platform/database/backup/restore-backup';
import { lastKnownUrl } from '../../src/platform/database/embedded-postgres/server-addresses';
import { ApiClient } from '../setup/api-client';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../setup/database';
import { isRoot } from '../setup/embedded-postgres';
import { eventually } from '../setup/eventually';
import { ForgedBackup } from '../setup/forged-backup';
import { osce, OsceCommand, osceCommandLine, osceInShell, type CommandResult } from '../setup/osce-command';
import { startServiceProcess } from '../setup/service-process';
import { startTcpProxy } from '../setup/tcp-proxy';

let folder: string;
let database: TestDatabase;
const cleanups: (() => unknown)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osce-backup-failures-'));
  database = await createTestDatabase();
  await fill(database.url);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  // Whatever failed, no half of a file has the name of a whole one.
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

async function session(url: string): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  cleanups.push(() => client.end());
  return client;
}

/** In agents of a megabyte: so many that the rest of them stays in PostgreSQL when nobody takes what is written. */
const MORE_THAN_SOCKETS_HOLD = 40;

/** More than what fits between two processes, and nothing that gzip makes much smaller. */
async function fill(url: string, agents = 8): Promise<void> {
  const client = new Client(url);
  await client.connect();
  for (let n = 0; n < agents; n += 1) {
    const values = [randomBytes(500_000).toString('hex')];
    await client.query(
      `INSERT INTO agents (provider, name, description, config) VALUES ('http', 'Large', $1, '{}')`,
      values,
    );
  }
  await client.end();
}

const on = (url: string) => ({ environment: { DATABASE_URL: url } });

function start(args: readonly string[], url = database.url): OsceCommand {
  const command = OsceCommand.start(args, on(url));
  cleanups.push(() => command.kill());
  return command;
}

/** The next backup works, and is whole. */
async function expectNext(file: string): Promise<void> {
  expect(await osce(['backup', file], on(database.url))).toMatchObject({ code: 0 });
  expect((await checkBackup(file)).trailer.rows['agents']).toBe(8);
}

/** Not asked in somebody's transaction, which sees the same activity until its end. */
async function untilItWaits(url: string, event: 'Lock' | 'Client'): Promise<void> {
  const observer = await session(url);
  await eventually(async () => {
    const { rows } = await observer.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE application_name = 'agent-osce backup' AND datname = current_database() AND wait_event_type = $1 AND state = 'active'`,
      [event],
    );
    expect(rows).toHaveLength(1);
  });
}

describe('what a backup is written to fails', () => {
  const NO_BACKUP = 'What was written is no whole backup.\n';

  test('a reader that leaves', async () => {
    expect(await osceInShell(['backup', '-'], '| head -c 1000 | wc -c', on(database.url))).toEqual({
      code: 2,
      stdout: '1000\n',
      stderr: `Whoever was to take the backup has left. ${NO_BACKUP}`,
    });
  });

  test('standard output on a full disk', async () => {
    expect(await osceInShell(['backup', '-'], '> /dev/full', on(database.url))).toEqual({
      code: 2,
      stdout: '',
      stderr: `The disk of standard output is full: free some space, or choose another disk. ${NO_BACKUP}`,
    });
  });

  test('a file that may not grow so large', async () => {
    const file = join(folder, 'limited.backup');
    const limited = [
      '--norc',
      '--noprofile',
      '-c',
      'ulimit -f 100; exec "$@"',
      'bash',
      ...osceCommandLine(['backup', file]),
    ];
    const child = spawn('bash', limited, {
      env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', DATABASE_URL: database.url },
    });
    expect(await endOf(child)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${file} may not grow so large: its file system, or this user (ulimit -f), has a limit. Choose another place. Nothing was kept.\n`,
    });
    expect(existsSync(file)).toBe(false);
    await expectNext(file);
  });
});

async function endOf(child: ChildProcess): Promise<CommandResult> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('latin1')));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

describe('a backup that is broken off', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s, also while it waits for a table', async (signal, code) => {
    const file = join(folder, `${signal}.backup`);
    const other = await session(database.url);
    await other.query('BEGIN; LOCK TABLE agents IN ACCESS EXCLUSIVE MODE');
    const command = start(['backup', file]);
    await untilItWaits(database.url, 'Lock');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toHaveLength(1);
    command.child.kill(signal);
    expect(await command.ends()).toEqual({ code, stdout: '', stderr: 'Interrupted. Nothing was kept.\n' });
    expect(existsSync(file)).toBe(false);
    await other.query('ROLLBACK');
    await expectNext(file);
  });

  test('by kill -9: what it leaves has another name, and is in nobody’s way', async () => {
    const file = join(folder, 'killed.backup');
    const other = await session(database.url);
    await other.query('BEGIN; LOCK TABLE agents IN ACCESS EXCLUSIVE MODE');
    const command = start(['backup', file]);
    await untilItWaits(database.url, 'Lock');
    await command.kill();
    await other.query('ROLLBACK');
    const left = readdirSync(folder).filter((name) => name.endsWith('.part'));
    expect(left).toEqual([expect.stringMatching(/^killed\.backup\.[0-9a-f]{8}\.part$/)]);
    await expect(checkBackup(join(folder, left[0] ?? ''))).rejects.toThrow('Nothing was restored.');
    await expectNext(file);
    await rm(join(folder, left[0] ?? ''));
  });

  test('by PostgreSQL', async () => {
    const file = join(folder, 'terminated.backup');
    const other = await session(database.url);
    await other.query('BEGIN; LOCK TABLE agents IN ACCESS EXCLUSIVE MODE');
    const command = start(['backup', file]);
    await untilItWaits(database.url, 'Lock');
    await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'agent-osce backup' AND datname = current_database()`,
    );
    expect(await command.ends()).toMatchObject({
      code: 2,
      stderr:
        'The connection to the database broke, or there was none: see that PostgreSQL runs, and try again. Nothing was kept.\n',
    });
    await other.query('ROLLBACK');
    await expectNext(file);
  });

  test('by a network that is gone', async () => {
    const large = await createTestDatabase();
    cleanups.push(() => large.drop());
    await fill(large.url, MORE_THAN_SOCKETS_HOLD);
    const proxy = await startTcpProxy(large.url);
    cleanups.push(() => proxy.close());
    const child = spawn(process.execPath, osceCommandLine(['backup', '-']).slice(1), {
      env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', DATABASE_URL: proxy.url },
    });
    cleanups.push(() => child.kill('SIGKILL'));
    // Nobody takes what it writes: it stands still in the midst of the rows.
    await once(child.stdout, 'readable');
    proxy.cut();
    expect(await endOf(child)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^The connection to the database broke, .* What was written is no whole backup\.\n$/,
      ),
    });
  });

  test('by the end of the service whose database it reads; the next one starts that by itself', async () => {
    const data = join(folder, 'data');
    const service = await startServiceProcess({ DATA_DIR: data, LOG_LEVEL: 'warn' });
    cleanups.push(() => service.end('SIGKILL'));
    const url = lastKnownUrl(data) ?? '';
    await fill(url, MORE_THAN_SOCKETS_HOLD);
    const whole = join(folder, 'served.backup');
    expect(await osce(['backup', whole, '--data-dir', data])).toMatchObject({ code: 0 });
    const { body } = await new ApiClient(service.url).get('/api/v1/audit?resource=backups');
    expect(body.records).toMatchObject([
      {
        role: 'database',
        method: 'COMMAND',
        route: 'osce backup',
        resource: 'backups',
        outcome: 'done',
        address: null,
      },
    ]);

    const child = spawn(process.execPath, osceCommandLine(['backup', '-', '--data-dir', data]).slice(1), {
      env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1' },
    });
    cleanups.push(() => child.kill('SIGKILL'));
    await untilItWaits(url, 'Client');
    await service.end('SIGKILL');
    expect(await endOf(child)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('What was written is no whole backup.'),
    });
    const next = join(folder, 'alone.backup');
    expect(await osce(['backup', next, '--data-dir', data])).toMatchObject({ code: 0 });
    expect((await checkBackup(next)).trailer.rows['agents']).toBeGreaterThanOrEqual(MORE_THAN_SOCKETS_HOLD);
  });
});

describe('a restore that does not come to its end', () => {
  let file: string;
  beforeAll(async () => {
    file = join(folder, 'to-restore.backup');
    await osce(['backup', file], on(database.url));
  });

  async function emptyDatabase(): Promise<string> {
    const empty = await createEmptyDatabase();
    cleanups.push(() => empty.drop());
    return empty.url;
  }

  test('by Ctrl-C: no row is there, and the next one works', async () => {
    const url = await emptyDatabase();
    const forged = ForgedBackup.of(readFileSync(file));
    // The tables are made, and nothing is in them.
    forged.rows.set('agents', (forged.rows.get('agents') ?? '').repeat(2));
    const twice = join(folder, 'twice.backup');
    writeFileSync(twice, forged.write());
    expect(await osce(['restore', twice], on(url))).toMatchObject({
      code: 2,
      stderr: `${twice} holds what its tables do not take (table agents, line 9, SQLSTATE 23505): it was changed after it was written. Nothing was restored.\n`,
    });
    const other = await session(url);
    await other.query('BEGIN; LOCK TABLE agents IN ACCESS SHARE MODE');
    const command = start(['restore', file], url);
    await untilItWaits(url, 'Lock');
    command.child.kill('SIGINT');
    expect(await command.ends()).toEqual({ code: 130, stdout: '', stderr: 'Interrupted. Nothing was restored.\n' });
    await other.query('ROLLBACK');
    expect((await other.query('SELECT 1 FROM agents')).rows).toEqual([]);
    expect(await osce(['restore', file], on(url))).toMatchObject({ code: 0 });
    expect((await other.query('SELECT 1 FROM agents')).rows).toHaveLength(8);
    const { rows } = await other.query('SELECT route, status FROM audit_records ORDER BY number DESC LIMIT 1');
    expect(rows).toEqual([{ route: 'osce restore', status: 200 }]);
  });

  test('in a folder: what was made of it goes, so that the folder takes another backup', async () => {
    const data = join(folder, 'restored');
    expect(await osce(['restore', join(folder, 'twice.backup'), '--data-dir', data])).toMatchObject({ code: 2 });
    expect(existsSync(join(data, 'postgres'))).toBe(false);
    expect(await osce(['restore', file, '--data-dir', data])).toMatchObject({ code: 0 });
  });

  test('of what is no file', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, folder]) {
      expect(await osce(['restore', path, '--data-dir', join(folder, 'none')])).toEqual({
        code: 2,
        stdout: '',
        stderr: `${path} is no file, and a backup is read twice: save it to a file first.\n`,
      });
    }
  });
});

describe('who may not', () => {
  test('read the data folder is told so, and not that there is none', async () => {
    const data = join(folder, 'closed');
    mkdirSync(join(data, 'postgres'), { recursive: true });
    writeFileSync(join(data, 'postgres', 'PG_VERSION'), '18\n');
    chmodSync(folder, 0o755);
    chmodSync(data, isRoot ? 0o700 : 0);
    const args = osceCommandLine(['backup', join(folder, 'closed.backup'), '--data-dir', data]).slice(1);
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1' },
      ...(isRoot && { uid: 65534, gid: 65534 }),
    });
    expect(await endOf(child)).toEqual({
      code: 2,
      stdout: '',
      stderr: `This user may not look into the data folder ${data}: run it as the user of the service.\n`,
    });
    chmodSync(data, 0o700);
  });

  test('connect to the database', async () => {
    const url = new URL(database.url);
    url.password = 'wrong';
    expect(await osce(['backup', join(folder, 'refused.backup')], on(url.toString()))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^PostgreSQL refused \(SQLSTATE 28P01\): .* Nothing was kept\.\n$/s),
    });
  });
});
