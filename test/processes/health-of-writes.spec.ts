import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { clusterFolder } from '../../src/platform/database/embedded-postgres/cluster';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function ownDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  return database;
}

async function start(variables: Record<string, string>, database: TestDatabase): Promise<ApiClient> {
  return new ApiClient((await startService(variables, database)).url);
}

async function startService(variables: Record<string, string>, database: TestDatabase): Promise<TestService> {
  const service = await startTestService(variables, { database });
  cleanups.push(() => service.close());
  return service;
}

/** With the embedded PostgreSQL. */
function startIn(dataDir: string): Promise<TestService> {
  return startService(
    { DATABASE_URL: '', DATA_DIR: dataDir },
    { url: '', adminUrl: '', drop: () => Promise.resolve() },
  );
}

function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}

async function session(database: TestDatabase): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  cleanups.push(() => client.end());
  return client;
}

const newAgent = { name: 'Agent', provider: 'openai', config: { base_url: 'http://127.0.0.1:9' } };

/** What PostgreSQL says in each of these cases, said by PostgreSQL: a trigger raises it for the row that health writes. */
describe('a PostgreSQL that answers and yet takes no writes is an error, with a sentence of its own', () => {
  it.each([
    ['a full disk', '53100', /disk of PostgreSQL is full: free some space/],
    ['no memory', '53200', /out of memory/],
    ['too many connections', '53300', /no more connections/],
    ['a standby', '25006', /read-only/],
    ['a statement that takes too long', '57014', /time limit/],
    ['an error of its files', '58030', /out of reach/],
  ])('%s', async (_, state, sentence) => {
    const database = await ownDatabase();
    const operator = await session(database);
    await operator.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${state}'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON write_probe EXECUTE FUNCTION refuse();
      CREATE TRIGGER refuse BEFORE INSERT ON agents EXECUTE FUNCTION refuse()`);
    const api = await start({}, database);
    const { status, body } = await api.get('/health');
    expect({ status, database: body.checks.database }).toEqual({
      status: 503,
      database: { status: 'error', detail: expect.stringMatching(sentence) },
    });
    const refused = await api.post('/api/v1/agents', newAgent);
    expect(refused).toMatchObject({ status: 503, body: { error: expect.stringMatching(sentence) } });
    expect(refused.headers.get('retry-after')).toBe('5');
    // Reading goes on.
    expect(await api.get('/api/v1/agents')).toMatchObject({ status: 200 });
    await operator.query('DROP FUNCTION refuse CASCADE');
    await eventually(async () => expect(await api.get('/health')).toMatchObject({ status: 200 }));
  });

  it('a database that was made read-only', async () => {
    const database = await ownDatabase();
    const operator = await session(database);
    await operator.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    );
    // Migrated already: nothing has to be written to start.
    const api = await start({}, database);
    const { status, body } = await api.get('/health');
    expect({ status, detail: body.checks.database.detail }).toEqual({
      status: 503,
      detail: expect.stringMatching(/read-only/),
    });
  });

  it('a lock on the row, which ends at a time limit', async () => {
    const database = await ownDatabase();
    const operator = await session(database);
    await operator.query('BEGIN; LOCK TABLE write_probe IN ACCESS EXCLUSIVE MODE');
    const api = await start({}, database);
    const { status, body } = await api.get('/health');
    expect({ status, detail: body.checks.database.detail }).toEqual({
      status: 503,
      detail: expect.stringMatching(/time limit|did not answer within/),
    });
    await operator.query('COMMIT');
    await eventually(async () => expect(await api.get('/health')).toMatchObject({ status: 200 }));
  });

  it('writes one row at most every few seconds, however often it is asked', async () => {
    const database = await ownDatabase();
    const operator = await session(database);
    const api = await start({}, database);
    const writtenAt = async () => (await operator.query('SELECT written_at::text FROM write_probe')).rows;
    expect(await api.get('/health')).toMatchObject({ status: 200 });
    const first = await writtenAt();
    await Promise.all(Array.from({ length: 20 }, () => api.get('/health')));
    expect(await writtenAt()).toEqual(first);
  });
});

/** The kernel's own full disk, for everybody. */
const FULL = '/dev/full';

const itOnLinux = process.platform === 'linux' ? it : it.skip;

itOnLinux('a disk that is full for what PostgreSQL spills is told, and so is its end', async () => {
  const dataDir = newFolder('osce-full-');
  const service = await startIn(dataDir);
  const api = new ApiClient(service.url);
  expect(await api.get('/health')).toMatchObject({ status: 200 });
  const cluster = clusterFolder(dataDir);
  const spilled = join(cluster, 'base', 'pgsql_tmp');
  rmSync(spilled, { recursive: true, force: true });
  mkdirSync(spilled);
  chownSync(spilled, statSync(cluster).uid, statSync(cluster).gid);
  await eventually(async () => {
    // Where the next files of each session will be: they are named by the session and a number.
    const sessions = await service.app.get(Database).query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
    for (const { pid } of sessions) for (let number = 0; number < 50; number += 1) fill(spilled, pid, number);
    const { status, body } = await api.get('/health');
    expect({ status, detail: body.checks.database.detail }).toEqual({
      status: 503,
      detail: 'The disk of PostgreSQL is full: free some space.',
    });
  });
  expect(await api.get('/health/live')).toMatchObject({ status: 200 });
  rmSync(spilled, { recursive: true });
  await eventually(async () => expect(await api.get('/health')).toMatchObject({ status: 200 }), 15_000);
});

function fill(folder: string, pid: number, number: number): void {
  const path = join(folder, `pgsql_tmp${pid}.${number}`);
  rmSync(path, { force: true });
  symlinkSync(FULL, path);
}

const FOLDER_HINT = 'a disk of its own can be mounted only by root, and not in every container';

if (canMount()) {
  it('the full disk of an embedded PostgreSQL is told, and so is its end', async () => {
    const disk = newFolder('osce-disk-');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=0755', 'tmpfs', disk]);
    cleanups.push(() => execFileSync('umount', ['-l', disk]));
    const dataDir = join(disk, 'data');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    const api = new ApiClient((await startIn(dataDir)).url);
    expect(await api.get('/health')).toMatchObject({ status: 200 });
    // As much as fits, and then what fits of the rest.
    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=64k'], { stdio: 'ignore' });
    await eventually(async () => {
      const { status, body } = await api.get('/health');
      expect({ status, detail: body.checks.database.detail }).toEqual({
        status: 503,
        detail: 'The disk of PostgreSQL is full: free some space.',
      });
    });
    expect(await api.get('/health/live')).toMatchObject({ status: 200 });
    rmSync(join(disk, 'filler'));
    await eventually(async () => expect(await api.get('/health')).toMatchObject({ status: 200 }), 15_000);
    expect(await api.post('/api/v1/agents', newAgent)).toMatchObject({ status: 201 });
  });
} else {
  describe.skip(`a full disk: ${FOLDER_HINT}`, () => test('is told', () => undefined));
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'osce-mount-'));
  try {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) return false;
    return spawnSync('umount', [folder]).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
