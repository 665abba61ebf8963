import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { silentLog } from '../../../src/platform/config/log';
import { ourTables } from '../../../src/platform/database/backup/contents';
import { checkBackup, restoreBackup } from '../../../src/platform/database/backup/restore-backup';
import { SinkError } from '../../../src/platform/database/backup/format';
import { writeBackup } from '../../../src/platform/database/backup/write-backup';
import { migrationNames } from '../../../src/platform/database/data-source';
import { migrate } from '../../../src/platform/database/migrate';
import { eventually } from '../../setup/eventually';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../setup/database';
import { NEXT_VERSION } from '../../setup/next-version';

let folder: string;
const databases: TestDatabase[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'osce-backup-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const database of databases.splice(0)) await database.drop();
});

async function newDatabase(create: () => Promise<TestDatabase>): Promise<string> {
  const database = await create();
  databases.push(database);
  return database.url;
}
const empty = () => newDatabase(createEmptyDatabase);

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Text that would break a careless format: the end of rows, backslashes, line ends, other scripts, a JSON null that is not SQL's. */
const AWKWARD = 'a\\.\n\\.\nb\t"c"\r\n\\N \u0001 – 痛み 🩺';
const JPEG = randomBytes(300_000);

async function filled(): Promise<string> {
  const url = await newDatabase(createTestDatabase);
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO agents (provider, name, description, config) SELECT 'openai', $1, NULL, $2 FROM generate_series(1, 3)`,
      [AWKWARD, JSON.stringify({ api_key: AWKWARD })],
    );
    const run = `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, max_turns,
        concurrency_limit, pass_threshold, agent_config, last_seq)
      SELECT gen_random_uuid(), 'run_1', 'running', id, name, provider, 1, 5, 1, 50.1, 'null', 9007199254740993 FROM agents LIMIT 1
      RETURNING id`;
    const { rows } = await client.query<{ id: string }>(run);
    const testRunId = rows[0]?.id;
    await client.query('UPDATE agents SET baseline_test_run_id = $1', [testRunId]);
    await client.query(
      `WITH made AS (INSERT INTO run_sets (id, name) VALUES (gen_random_uuid(), $1) RETURNING id)
       UPDATE test_runs SET run_set_id = made.id, run_set_place = 1 FROM made`,
      [AWKWARD],
    );
    await client.query(
      `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, scenario_name, scenario, score_percent)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), n, $2, '{ "as":  "it was" }', 1.0 / 3 FROM generate_series(1, 2000) n`,
      [testRunId, AWKWARD],
    );
    await client.query(
      'INSERT INTO screenshots (scenario_run_id, attempt, jpeg) SELECT id, 1, $1 FROM scenario_runs LIMIT 1',
      [JPEG],
    );
    await client.query(
      `INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms)
       SELECT id, 1, 1, $1, '2026-01-01 00:00:00.123Z', repeat('x', 2000), now(), 0.1 FROM scenario_runs`,
      [AWKWARD],
    );
  });
  return url;
}

/** Every row of every table, as PostgreSQL writes it. */
function contents(url: string): Promise<Record<string, string[]>> {
  return withClient(url, async (client) => {
    const found: Record<string, string[]> = {};
    for (const table of ourTables()) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${table}" t ORDER BY 1`);
      found[table] = rows.map(({ row }) => row);
    }
    return found;
  });
}

async function backedUp(url: string, withRecordings = false): Promise<string> {
  const sink = new PassThrough();
  const [bytes] = await Promise.all([buffer(sink), writeBackup({ url, sink, withRecordings })]);
  const file = join(folder, 'osce.backup');
  writeFileSync(file, bytes);
  return file;
}

const restore = async (url: string, file: string) =>
  restoreBackup({ url, backup: await checkBackup(file), log: silentLog });

test('brings back every row as it was, and nothing else', async () => {
  const url = await filled();
  const file = await backedUp(url);
  const other = await empty();
  await restore(other, file);
  expect(await contents(other)).toEqual(await contents(url));
  // Its tables are those that a service would have made.
  await migrate({ url: other, log: silentLog });
});

test('has recordings where they are asked for, and is whole without them', async () => {
  const url = await filled();
  await withClient(url, (client) =>
    client.query(
      `INSERT INTO recording_pieces (scenario_run_id, attempt, track, first_sample, samples, sha256, bytes)
       SELECT id, 1, 'agent', 0, 160000, 'hash', $1 FROM scenario_runs LIMIT 1`,
      [JPEG],
    ),
  );
  const [withSound, without] = [await empty(), await empty()];
  await restore(withSound, await backedUp(url, true));
  expect(await contents(withSound)).toEqual(await contents(url));
  await restore(without, await backedUp(url));
  expect(await contents(without)).toEqual({ ...(await contents(url)), recording_pieces: [] });
  expect(await writeBackup({ url, sink: new PassThrough().resume() })).toMatchObject({ leaves_recordings: true });
  expect(await writeBackup({ url, sink: new PassThrough().resume(), withRecordings: true })).toMatchObject({
    leaves_recordings: false,
  });
});

test('holds every table that a service fills', async () => {
  const url = await newDatabase(createTestDatabase);
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>(`SELECT relname AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND relpersistence = 'p' AND relnamespace = current_schema()::regnamespace AND relname <> 'migrations'`),
  );
  // Nobody is signed in by a backup.
  const kept = rows.map(({ name }) => name).filter((name) => name !== 'sessions');
  expect(new Set(ourTables())).toEqual(new Set(kept));
});

test('is of one moment, whatever is written meanwhile', async () => {
  const url = await filled();
  const before = await contents(url);
  let first = true;
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk);
      if (!first) return done();
      first = false;
      withClient(url, (client) => client.query('DELETE FROM turns; UPDATE agents SET name = $$ another $$')).then(
        () => done(),
        done,
      );
    },
  });
  await writeBackup({ url, sink });
  const file = join(folder, 'moment.backup');
  writeFileSync(file, Buffer.concat(chunks));
  const other = await empty();
  await restore(other, file);
  expect(await contents(other)).toEqual(before);
});

test('is of one moment even where a table is written anew, as a migration does: it would be empty for whoever has looked before', async () => {
  const url = await filled();
  const [holder, migration, observer] = [new Client(url), new Client(url), new Client(url)];
  for (const client of [holder, migration, observer]) await client.connect();
  // The first table that is read, and the first that is held.
  await holder.query('BEGIN; LOCK TABLE agents IN ACCESS EXCLUSIVE MODE');
  const backup = backedUp(url);
  await eventually(async () => {
    const { rows } = await observer.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'agent-osce backup' AND datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  });
  await migration.query(
    `BEGIN; TRUNCATE turns; INSERT INTO test_suites (name, scenario_ids) VALUES ('Of the same moment', '{}'); COMMIT`,
  );
  await holder.query('ROLLBACK');
  const { trailer } = await checkBackup(await backup);
  expect(trailer.rows).toMatchObject({ turns: 0, test_suites: 1 });
  for (const client of [holder, migration, observer]) await client.end();
});

test('of a database that a newer release has brought up to date is refused: nobody here knows what else there is to keep', async () => {
  const url = await filled();
  await withClient(url, (client) =>
    client.query(`
      CREATE TABLE from_the_future (id int);
      INSERT INTO from_the_future VALUES (1);
      INSERT INTO migrations (timestamp, name) VALUES (2999999999999, 'FromTheFuture2999999999999')`),
  );
  const sink = new PassThrough();
  const file = buffer(sink).catch(() => null);
  await expect(writeBackup({ url, sink })).rejects.toThrow(
    'This database was brought up to date by a newer version of Agent OSCE, which knows what else is in it: back it up with that version.',
  );
  expect(await file).toBeNull();
});

test('is restored by a later version as this one had it, and then brought up to date', async () => {
  const url = await newDatabase(createTestDatabase);
  await withClient(url, (client) =>
    client.query(`INSERT INTO agents (provider, name, config) VALUES ('http', 'Old', '{}')`),
  );
  const file = await backedUp(url);
  const other = await empty();
  await restoreBackup({ url: other, backup: await checkBackup(file), log: silentLog, migrations: NEXT_VERSION });
  expect((await contents(other))['agents']).toHaveLength(1);
  const noted = await withClient(other, (client) => client.query('SELECT noted_changes FROM test_runs'));
  expect(noted.rows).toEqual([]);
});

describe('a file that is not to be trusted is refused before anything is done', () => {
  const refusal = async (bytes: Uint8Array): Promise<string> => {
    const file = join(folder, 'bad.backup');
    writeFileSync(file, bytes);
    return checkBackup(file).then(
      () => 'taken',
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message.replace(file, 'FILE')}` : 'none'),
    );
  };

  test('cut off anywhere, changed anywhere', async () => {
    const bytes = readFileSync(await backedUp(await filled()));
    const damaged =
      'BackupError: FILE is damaged: it is not whole, or was changed after it was written. Nothing was restored.';
    for (const share of [0.1, 0.5, 0.999]) expect(await refusal(bytes.subarray(0, bytes.length * share))).toBe(damaged);
    const text = gunzipSync(bytes);
    // Compressed again, as somebody who edits it would: nothing but the hash tells.
    for (const share of [0.3, 0.6, 0.9]) {
      const changed = Buffer.from(text);
      const at = Math.floor(text.length * share);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await refusal(gzipSync(changed, { level: 1 }))).toBe(damaged);
    }
    expect(await refusal(gzipSync(text.subarray(0, -1), { level: 1 }))).toBe(damaged);
    expect(await refusal(gzipSync(Buffer.concat([text, Buffer.from('x')]), { level: 1 }))).toBe(damaged);
    const flipped = Buffer.from(bytes);
    flipped[Math.floor(bytes.length / 2)] = (flipped[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff;
    expect(await refusal(flipped)).toMatch(/^BackupError: FILE is (no backup of Agent OSCE, or is )?damaged/);
  });

  test('of another program', async () => {
    const foreign = 'BackupError: FILE is no backup of Agent OSCE. Nothing was restored.';
    expect(await refusal(gzipSync('CREATE TABLE agents (id int);\n'))).toBe(foreign);
    expect(await refusal(gzipSync(''))).toBe(foreign);
    expect(await refusal(gzipSync(Buffer.alloc(5_000_000, 'x')))).toBe(foreign);
    expect(await refusal(Buffer.from('PGDMP'))).toBe(
      'BackupError: FILE is no backup of Agent OSCE, or is damaged. Nothing was restored.',
    );
    expect(await refusal(Buffer.alloc(0))).toMatch(/^BackupError: FILE is /);
  });

  test('of a newer release, or of a newer format', async () => {
    const text = gunzipSync(readFileSync(await backedUp(await newDatabase(createTestDatabase)))).toString();
    const newest = migrationNames().at(-1) ?? '';
    const newer = text.replace(`"${newest}"`, `"${newest}","FromTheFuture2999999999999"`);
    expect(await refusal(gzipSync(newer))).toMatch(/^BackupError: FILE was made by a newer version of Agent OSCE \(/);
    expect(await refusal(gzipSync(text.replace('"version":1', '"version":2')))).toMatch(
      /^BackupError: FILE was made by a newer version of Agent OSCE;/,
    );
  });

  test('of a build from before the first release, which is not taken for a newer one', async () => {
    const text = gunzipSync(readFileSync(await backedUp(await newDatabase(createTestDatabase)))).toString();
    const older = text.replace(JSON.stringify(migrationNames()), '["InitialSchema1731000000000","Other1731000000001"]');
    expect(older).not.toBe(text);
    expect(await refusal(gzipSync(older))).toMatch(
      /^BackupError: FILE was made by a build from before 0[.]1[.]0, .*Nothing was restored[.]$/,
    );
  });
});

test('a database that is not empty stays as it is', async () => {
  const file = await backedUp(await filled());
  const used = await newDatabase(createTestDatabase);
  await withClient(used, (client) =>
    client.query(`INSERT INTO agents (provider, name, config) VALUES ('http', 'Mine', '{}')`),
  );
  const before = await contents(used);
  await expect(restore(used, file)).rejects.toThrow('The database is not empty');
  expect(await contents(used)).toEqual(before);
});

test('a restore that fails keeps no row, and can be done again', async () => {
  const file = await backedUp(await filled());
  const url = await empty();
  const backup = await checkBackup(file);
  // The file is swapped between check and restore.
  writeFileSync(join(folder, 'swapped'), gzipSync(gunzipSync(readFileSync(file)).subarray(0, -200)));
  await expect(
    restoreBackup({ url, backup: { ...backup, file: join(folder, 'swapped') }, log: silentLog }),
  ).rejects.toThrow('is damaged');
  expect((await contents(url))['agents']).toEqual([]);
  await restore(url, file);
  expect((await contents(url))['agents']).toHaveLength(3);
});

test('a sink that fails ends the backup, and holds no connection', async () => {
  const url = await filled();
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const sink = new Writable({ write: (_chunk, _encoding, done) => done(full) });
  await expect(writeBackup({ url, sink })).rejects.toEqual(new SinkError(full));
  await eventually(async () => {
    const { rows } = await withClient(url, (client) =>
      client.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'agent-osce backup' AND datname = current_database()`,
      ),
    );
    expect(rows).toEqual([]);
  });
});
