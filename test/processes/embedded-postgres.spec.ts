import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { silentLog } from '../../src/platform/config/log';
import { installedBinaries } from '../../src/platform/database/embedded-postgres/binaries';
import {
  startEmbeddedPostgres,
  findFreePort,
  serverArguments,
} from '../../src/platform/database/embedded-postgres/embedded-postgres';
import { clusterNameOf } from '../../src/platform/database/embedded-postgres/previous-server';
import { isConnectionError } from '../../src/platform/database/unavailable';
import {
  EmbeddedFixture,
  isRoot,
  isRunning,
  pidFile,
  query,
  serverPid,
  superuserUrl,
} from '../setup/embedded-postgres';
import { eventually } from '../setup/eventually';

/** Who the server runs as in these tests. */
const serverUser = isRoot ? { uid: 65_534, gid: 65_534 } : {};

let fixture: EmbeddedFixture;
beforeEach(() => {
  fixture = new EmbeddedFixture();
});
afterEach(() => fixture.close());

describe('a healthy server', () => {
  it('keeps its rows from one start to the next, durably, in a folder whose path has spaces', async () => {
    const dataDir = join(fixture.newFolder(), 'new', 'data folder');
    const first = await fixture.start(dataDir);
    const settings = await query<{ name: string; setting: string }>(
      superuserUrl(dataDir, first.url),
      `SELECT name, setting FROM pg_settings WHERE name IN
       ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories') ORDER BY name`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      synchronous_commit: 'on',
      unix_socket_directories: '',
    });
    await query(first.url, `CREATE TABLE kept AS SELECT 'ä' AS text`);
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect(existsSync(pidFile(dataDir))).toBe(false);
    const second = await fixture.start(dataDir);
    expect(await query(second.url, 'SELECT text FROM kept')).toEqual([{ text: 'ä' }]);
  });

  it('lets nobody in without the password, and keeps the password from other users', async () => {
    const dataDir = fixture.newFolder();
    const { url } = await fixture.start(dataDir);
    for (const password of ['', 'wrong']) {
      const other = new URL(url);
      other.password = password;
      await expect(query(other.toString(), 'SELECT 1')).rejects.toThrow(/password/);
    }
    const { mode } = statSync(join(dataDir, 'postgres', 'agent-osce.password'));
    expect(mode & 0o077).toBe(0);
  });

  it('writes no failed statement, and so no value of a row, into its log', async () => {
    const dataDir = fixture.newFolder();
    const { url } = await fixture.start(dataDir);
    await expect(query(url, `SELECT 'hunter2'::int`)).rejects.toThrow('hunter2');
    const terminate = 'SELECT pg_terminate_backend(pg_backend_pid())';
    await expect(query(url, terminate)).rejects.toThrow();
    await eventually(() => expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('terminating'));
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('hunter2');
  });

  it('is started again, at the same address and with every committed row, when it dies', async () => {
    const dataDir = fixture.newFolder();
    const { url } = await fixture.start(dataDir);
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS id');
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    const cut = client.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    const pid = serverPid(dataDir);
    process.kill(pid, 'SIGKILL');
    expect(isConnectionError(await cut)).toBe(true);
    await eventually(async () => expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]), 20_000);
    expect(serverPid(dataDir)).not.toBe(pid);
  });

  it('stays stopped when it is stopped while it is being restarted', async () => {
    const dataDir = fixture.newFolder();
    const server = await fixture.start(dataDir);
    process.kill(serverPid(dataDir), 'SIGKILL');
    await server.stop();
    const next = await fixture.start(dataDir);
    expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('one folder, one owner', () => {
  it('refuses a second start of the same process and of another one, at once, and leaves the first alone', async () => {
    const dataDir = fixture.newFolder();
    const { url } = await fixture.start(dataDir);
    const link = `${dataDir} link`;
    symlinkSync(dataDir, link);
    fixture.atEnd(() => rmSync(link));
    const pid = serverPid(dataDir);
    expect(await fixture.refusal(dataDir)).toBe(
      `Another Agent OSCE is using the data folder ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
    );
    expect(await fixture.refusal(link)).toContain('Another Agent OSCE');
    const { answer } = await fixture.startOwner(dataDir);
    expect(answer).toMatchObject({ name: 'DatabaseStartError', error: expect.stringContaining('Another Agent OSCE') });
    expect(serverPid(dataDir)).toBe(pid);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('lets one of several win that start in an empty folder at the same time', async () => {
    const dataDir = fixture.newFolder();
    const owners = await Promise.all(Array.from({ length: 3 }, () => fixture.startOwner(dataDir)));
    const won = owners.flatMap(({ answer }) => answer.url ?? []);
    expect(won).toHaveLength(1);
    for (const { answer } of owners) if (answer.url === undefined) expect(answer.error).toContain('Another Agent OSCE');
    expect(await query(won[0], 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts again at once after kill -9 of its owner, with every row that was committed', async () => {
    const dataDir = fixture.newFolder();
    for (let round = 1; round <= 3; round++) {
      const { child, answer } = await fixture.startOwner(dataDir);
      const { url } = answer;
      if (round === 1) await query(url, 'CREATE TABLE kept (round int)');
      await query(url, `INSERT INTO kept VALUES (${round})`);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const { url } = await fixture.start(dataDir);
    expect(await query(url, 'SELECT round FROM kept ORDER BY round')).toEqual([
      { round: 1 },
      { round: 2 },
      { round: 3 },
    ]);
  });

  it('takes the server along when its owner exits without stopping it', async () => {
    const dataDir = fixture.newFolder();
    const { child } = await fixture.startOwner(dataDir);
    const pid = serverPid(dataDir);
    child.stdin?.write('exit\n');
    await once(child, 'exit');
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });

  it('shuts down the server of a killed owner where the kernel did not', async () => {
    const dataDir = fixture.newFolder();
    const first = await fixture.start(dataDir);
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS id');
    await first.stop();
    // The server may not keep a capability here, so the folder has to be open to it.
    chmodSync(dataDir, 0o755);
    const settings = {
      port: await findFreePort(),
      maxConnections: 10,
      durable: true,
      clusterName: clusterNameOf(999_999),
    };
    const command = ['"$@" >/dev/null 2>&1 &', 'sh', installedBinaries().postgres, '-D', join(dataDir, 'postgres')];
    spawn('sh', ['-c', ...command, ...serverArguments(settings)], { ...serverUser, stdio: 'ignore' });
    await eventually(() => expect(readFileSync(pidFile(dataDir), 'utf8')).toContain('ready'));
    const orphan = serverPid(dataDir);
    const { url } = await fixture.start(dataDir);
    expect(isRunning(orphan) && serverPid(dataDir) === orphan).toBe(false);
    expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  it('waits for its own server although the file of a killed one names that, as every start in a container does', async () => {
    const dataDir = fixture.newFolder();
    const first = await fixture.start(dataDir);
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS id');
    await first.stop();
    const installed = installedBinaries();
    const folder = fixture.newFolder();
    chmodSync(folder, 0o755);
    const postgres = join(folder, 'postgres');
    const leaveBehind = `printf '%s\\n' "$$" "$2" 1 1 '' 127.0.0.1 '' ready > "$2/postmaster.pid"`;
    writeFileSync(postgres, `#!/bin/sh\n${leaveBehind}\nsleep 1\nexec '${installed.postgres}' "$@"\n`);
    chmodSync(postgres, 0o755);
    const second = await startEmbeddedPostgres({ dataDir, log: silentLog, binaries: { ...installed, postgres } });
    fixture.atEnd(() => second.stop());
    expect(await query(second.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  it('is not stopped by a stale pid file, whether its number is free or was given to another program', async () => {
    const dataDir = fixture.newFolder();
    const other = spawn('sleep', ['300'], { ...serverUser, stdio: 'ignore' });
    fixture.atEnd(() => other.kill('SIGKILL'));
    await (await fixture.start(dataDir)).stop();
    for (const pid of [999_999, other.pid, process.pid]) {
      const lines = [pid, join(dataDir, 'postgres'), 1, 5432, '', '127.0.0.1', '', 'ready', ''];
      writeFileSync(pidFile(dataDir), lines.join('\n'), { mode: 0o600 });
      if (isRoot) chownSync(pidFile(dataDir), serverUser.uid ?? 0, serverUser.gid ?? 0);
      const server = await fixture.start(dataDir);
      expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await server.stop();
    }
    expect(isRunning(other.pid)).toBe(true);
  });
});
