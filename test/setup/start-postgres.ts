import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { silentLog } from '../../src/platform/config/log';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres';
import { migrate } from '../../src/platform/database/migrate';
import { superuserUrl } from './embedded-postgres';
import { databaseUrl, onTestServer } from './test-server';

/**
 * One PostgreSQL server for the whole Jest run, with one migrated database from which each test file copies its own. With
 * TEST_DATABASE_URL (a server where we may create databases) that server is used.
 */
export default async function startPostgres(): Promise<void> {
  const server = process.env['TEST_DATABASE_URL'] ? null : await startServer();
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? server?.adminUrl ?? '';
  const ownerUrl = server?.url ?? adminUrl;
  const template = `osce_template_${randomBytes(6).toString('hex')}`;
  onTestServer.set({ adminUrl, ownerUrl, template, isOurs: server !== null, stop: async () => server?.stop() });
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${template} OWNER "${new URL(ownerUrl).username}"`);
    await migrate({ url: databaseUrl(ownerUrl, template), log: silentLog });
    // Nobody may connect to it from here on: a connected template cannot be copied.
    await admin.query(`ALTER DATABASE ${template} WITH ALLOW_CONNECTIONS false`);
  } finally {
    await admin.end();
  }
}

async function startServer() {
  const dataDir = await mkdtemp(join(await folderForDatabases(), FOLDER));
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

const FOLDER = 'agent-osce-test-';
/** What a whole run of the tests keeps at most, several times over. */
const ROOM_BYTES = 4 * 1024 ** 3;
/** A run that begins has no server yet. */
const BEGINS_WITHIN_MS = 10 * 60_000;

/** In memory where there is room, as on most Linux machines and not in most containers: hundreds of databases are made and removed. */
async function folderForDatabases(): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  if (bavail * bsize < ROOM_BYTES) return tmpdir();
  for (const name of await readdir(memory)) if (name.startsWith(FOLDER)) await removeLeft(join(memory, name));
  return memory;
}

/** Jest calls no teardown when it is interrupted: the next run frees the memory that an interrupted one has left. */
async function removeLeft(folder: string): Promise<void> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
  const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  if (Date.now() - mtimeMs < BEGINS_WITHIN_MS || isAlive(pid)) return;
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
