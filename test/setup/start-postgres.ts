import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { silentLog } from '../../src/platform/config/log';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres';
import { migrate } from '../../src/platform/database/migrate';
import { superuserUrl } from './embedded-postgres';
import { compileAll } from './register-typescript.cjs';
import { databaseUrl, onTestServer } from './test-server';

/**
 * One PostgreSQL server for the whole Jest run, with one migrated database from which each test file copies its own. With
 * TEST_DATABASE_URL (a server where we may create databases) that server is used.
 */
export default async function startPostgres(_?: unknown, { displayName }: Project = {}): Promise<void> {
  const compiled = compileAll(sources());
  // Hardly a spec of `npm test` starts a process, and no mutant is put into one.
  const startsPrograms = displayName !== undefined && displayName.name !== 'tests';
  const ready = startsPrograms ? compiled.then(bundlePrograms) : compiled;
  await Promise.all([ready, startServers()]);
}

/** What Jest tells of the project whose specs are to run. */
interface Project {
  readonly displayName?: { readonly name: string };
}

/** For service-process.ts and osce-command.ts. */
async function bundlePrograms(): Promise<void> {
  const args = ['--require', join(__dirname, 'register-typescript.cjs'), join(__dirname, 'bundle-sources.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  process.env['OSCE_TEST_PROGRAMS'] = stdout;
}

const ROOT = join(__dirname, '..', '..');
const SOURCES = ['cli', 'client', 'contract', 'demo', 'machines', 'migrations', 'src', 'test'];

/** What specs and the programs that they start may load. */
function* sources(): Generator<string> {
  for (const folder of SOURCES) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name)) yield join(entry.parentPath, entry.name);
    }
  }
}

async function startServers(): Promise<void> {
  const server = process.env['TEST_DATABASE_URL'] ? null : await startServer();
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? server?.adminUrl ?? '';
  const ownerUrl = server?.url ?? adminUrl;
  const template = `osce_template_${randomBytes(6).toString('hex')}`;
  onTestServer.set({ adminUrl, ownerUrl, template, isOurs: server !== null, stop: async () => server?.stop() });
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    if (server !== null) await tune(admin, [adminUrl, ownerUrl]);
    await admin.query(`CREATE DATABASE ${template} OWNER "${new URL(ownerUrl).username}"`);
    await migrate({ url: databaseUrl(ownerUrl, template), log: silentLog });
    // Nobody may connect to it from here on: a connected template cannot be copied.
    await admin.query(`ALTER DATABASE ${template} WITH ALLOW_CONNECTIONS false`);
  } finally {
    await admin.end();
  }
}

/**
 * Settings of a server that only tests use. Each of its thousands of connections would derive a key in 4,096 steps: the same passwords
 * take one. Plans change when a test says so, not when autovacuum happens to analyse a table.
 */
async function tune(admin: Client, urls: readonly string[]): Promise<void> {
  await admin.query('ALTER SYSTEM SET autovacuum = off');
  await admin.query('SELECT pg_reload_conf()');
  await admin.query('SET scram_iterations = 1');
  for (const { username, password } of urls.map((url) => new URL(url))) {
    const secret = escapeLiteral(decodeURIComponent(password));
    await admin.query(`ALTER ROLE ${escapeIdentifier(username)} PASSWORD ${secret}`);
  }
}

async function startServer() {
  const dataDir = await mkdtemp(join(await folderForDatabases(), `${FOLDER}${process.pid}-`));
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false, maxConnections: 200 });
  return {
    url: server.url,
    adminUrl: superuserUrl(dataDir, server.url),
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Named after the process that makes it: one that is gone has left its folder. Containers may share the memory, not the processes. */
const FOLDER = `agent-osce-test-${hostname()}-`;
/** What a whole run of the tests keeps at most, several times over. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** In memory where there is room, as on most Linux machines and not in most containers: hundreds of databases are made and removed. */
async function folderForDatabases(): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  if (bavail * bsize < ROOM_BYTES) return tmpdir();
  await removeLeftIn(memory);
  return memory;
}

/** Jest calls no teardown when it is interrupted: the next run frees the memory that an interrupted one has left. */
async function removeLeftIn(memory: string): Promise<void> {
  for (const name of await readdir(memory)) {
    const pid = name.startsWith(FOLDER) ? Number.parseInt(name.slice(FOLDER.length), 10) : 0;
    if (pid > 0 && !isAlive(pid)) await rm(join(memory, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
