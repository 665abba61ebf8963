import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { silentLog } from '../../../src/platform/config/log';
import { checkBackup, restoreBackup } from '../../../src/platform/database/backup/restore-backup';
import { HEADER_MARK } from '../../../src/platform/database/backup/format';
import { writeBackup } from '../../../src/platform/database/backup/write-backup';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../setup/database';
import { ForgedBackup } from '../../setup/forged-backup';
import { someOf } from '../../setup/sample';

let folder: string;
let original: Buffer;
/** One for all: what is refused leaves it as it was. */
let database: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'osce-forged-'));
  database = await createEmptyDatabase();
  const source = await createTestDatabase();
  await withClient(source.url, async (client) => {
    await client.query(
      `INSERT INTO agents (provider, name, config) VALUES ('openai', 'Of a forger', '{"api_key": "sk-canary"}')`,
    );
    await client.query(`
      INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, max_turns, concurrency_limit,
        pass_threshold, agent_config, last_seq)
      SELECT gen_random_uuid(), 'run_1', 'completed', id, name, provider, 1, 5, 1, 50, 'null', 1 FROM agents;
      INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, scenario_name, scenario)
      SELECT gen_random_uuid(), id, gen_random_uuid(), 1, 'One', '{"as": "it was"}' FROM test_runs;
      INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms)
      SELECT id, 1, 1, 'Hello', now(), 'Good day', now(), 1 FROM scenario_runs`);
  });
  const sink = new PassThrough();
  [original] = await Promise.all([buffer(sink), writeBackup({ url: source.url, sink })]);
  await source.drop();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database?.drop();
});

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What comes of a restore: the sentence that refuses it, or `restored`. */
async function outcomeOf(bytes: Uint8Array): Promise<string> {
  const file = join(folder, 'forged.backup');
  writeFileSync(file, bytes);
  try {
    await restoreBackup({ url: database.url, backup: await checkBackup(file), log: silentLog });
    return 'restored';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message.replace(file, 'FILE')}` : 'none';
  }
}

const forged = (change: (backup: ForgedBackup) => void): Buffer => {
  const backup = ForgedBackup.of(original);
  change(backup);
  return backup.write();
};

/** Changes the only row of a table. */
const withRow = (table: string, change: (columns: string[], at: (column: string) => number) => void): Buffer =>
  forged((backup) => {
    const row = backup.firstRow(table);
    change(row, (column) => backup.table(table).columns.indexOf(column));
    backup.rows.set(table, `${row.join('\t')}\n`);
  });

const CHANGED = 'it was changed after it was written. Nothing was restored.';
const NONSENSE = 'BackupError: FILE is damaged: its first line says nothing that makes sense. Nothing was restored.';
const DAMAGED =
  'BackupError: FILE is damaged: it is not whole, or was changed after it was written. Nothing was restored.';
const unfit = (place: string): string => `BackupError: FILE holds what its tables do not take (${place}): ${CHANGED}`;
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const headerLine = (json: string): Buffer => gzipSync(`${HEADER_MARK}${json}\n`);

describe('a forged backup is refused in one sentence, and the database takes the next one', () => {
  afterEach(async () => {
    const rows = await withClient(database.url, async (client) => {
      const { rows: found } = await client.query<{ there: boolean }>(
        `SELECT to_regclass('agents') IS NOT NULL AS there`,
      );
      return found[0]?.there === true ? (await client.query('SELECT 1 FROM agents')).rows : [];
    });
    expect(rows).toEqual([]);
  });

  test.each([
    ['a version nested 100,000 deep', headerLine(`{"version": ${deep(100_000)}}`), NONSENSE],
    ['a header nested 500,000 deep', headerLine(deep(500_000)), NONSENSE],
    ['a header that is one long character', headerLine('x'.repeat(1_000_000)), NONSENSE],
    [
      'a header of 20 MB',
      headerLine('x'.repeat(20_000_000)),
      'BackupError: FILE is no backup of Agent OSCE. Nothing was restored.',
    ],
    [
      'nothing but line ends',
      gzipSync('\n'.repeat(1_000_000)),
      'BackupError: FILE is no backup of Agent OSCE. Nothing was restored.',
    ],
  ])('%s', async (_, bytes, sentence) => {
    expect(await outcomeOf(bytes)).toBe(sentence);
  });

  test.each<[string, (backup: ForgedBackup) => void, string]>([
    ['what a terminal would obey, as its version', ({ header }) => (header.service = '1\u001b]0;x\u0007'), NONSENSE],
    ['the same as its time', ({ header }) => (header.created_at = '\u001b[2J'), NONSENSE],
    ['no table at all', ({ header }) => (header.tables = []), NONSENSE],
    ['a table twice', (backup) => backup.header.tables.push(backup.table('agents')), NONSENSE],
    [
      'a table of nobody',
      ({ header }) => header.tables.push({ name: 'nobodys', columns: ['id'] }),
      `BackupError: FILE holds a table that is none of Agent OSCE’s (nobodys): ${CHANGED}`,
    ],
    [
      'a table of PostgreSQL',
      ({ header }) => header.tables.push({ name: 'pg_authid', columns: ['rolname'] }),
      `BackupError: FILE holds a table that is none of Agent OSCE’s (pg_authid): ${CHANGED}`,
    ],
    [
      'the prototype of an object as a table',
      ({ header }) => header.tables.push({ name: '__proto__', columns: ['constructor'] }),
      `BackupError: FILE holds a table that is none of Agent OSCE’s (__proto__): ${CHANGED}`,
    ],
    [
      'tables that nothing makes',
      ({ header }) => (header.migrations = []),
      'BackupError: FILE is damaged: its first line says nothing that makes sense. Nothing was restored.',
    ],
    [
      'a sequence of nobody',
      ({ header }) => header.sequences.push({ name: 'nobodys', last: '1', is_called: true }),
      `BackupError: FILE holds a sequence that is none of Agent OSCE’s (nobodys): ${CHANGED}`,
    ],
    [
      'a sequence beyond its end',
      ({ header }) => (header.sequences = header.sequences.map((one) => ({ ...one, last: '9'.repeat(19) }))),
      unfit('SQLSTATE 22003'),
    ],
    [
      'a column of nobody',
      (backup) => (backup.table('turns').columns[0] = 'nobodys'),
      unfit('table turns, SQLSTATE 42703'),
    ],
    [
      'a row twice',
      ({ rows }) => rows.set('turns', (rows.get('turns') ?? '').repeat(2)),
      unfit('table turns, line 2, SQLSTATE 23505'),
    ],
    [
      'a million empty rows',
      ({ rows }) => rows.set('turns', '\n'.repeat(1_000_000)),
      unfit('table turns, line 1, SQLSTATE 22P02'),
    ],
    [
      '20 MB of one character as a row',
      ({ rows }) => rows.set('turns', `${'x'.repeat(20_000_000)}\n`),
      unfit('table turns, line 1, SQLSTATE 22P02'),
    ],
    ['rows that refer to none', ({ rows }) => rows.set('scenario_runs', ''), unfit('table turns, SQLSTATE 23503')],
  ])('%s', async (_, change, sentence) => {
    expect(await outcomeOf(forged(change))).toBe(sentence);
  });

  test('JSON nested 100,000 deep', async () => {
    const bytes = withRow('agents', (row, at) => (row[at('config')] = deep(100_000)));
    expect(await outcomeOf(bytes)).toBe(unfit('table agents, line 1, SQLSTATE 54001'));
  });

  test('a value of another type, of which nothing is said: it may be a credential', async () => {
    const bytes = withRow('agents', (row, at) => (row[at('id')] = 'sk-canary'));
    expect(await outcomeOf(bytes)).toBe(unfit('table agents, line 1, SQLSTATE 22P02'));
  });

  test('counts that are not those of its rows, before anything is done', async () => {
    const text = gunzipSync(original).toString().replace('"agents":1', '"agents":2');
    expect(await outcomeOf(gzipSync(text))).toBe(DAMAGED);
  });

  test('cut off after each of its parts, and in the midst of them', async () => {
    const text = gunzipSync(original);
    const begins = ['\n', 'COPY "turns"', 'Hello', '\\.\n', '-- end', '"sha256"'].map((part) => text.indexOf(part));
    for (const at of someOf(
      begins.flatMap((begin) => [begin, begin + 1, begin + 3]),
      4,
      'parts',
    )) {
      expect(await outcomeOf(gzipSync(text.subarray(0, at)))).toMatch(
        /^BackupError: FILE is (damaged|no backup).* Nothing was restored\.$/,
      );
    }
    // The head of the gzip file, its first block, and the check sum and length at its end.
    const cuts = [0, 1, 9, 10, 11, original.length - 9, original.length - 8, original.length - 4, original.length - 1];
    for (const at of someOf(cuts, 3, 'bytes')) {
      expect(await outcomeOf(original.subarray(0, at))).toMatch(
        /^BackupError: FILE is (damaged|no backup).* Nothing was restored\.$/,
      );
    }
  });

  test('a bomb: a row longer than PostgreSQL could hold, given up there and never in memory', async () => {
    const text = gunzipSync(original).toString();
    const begin = text.indexOf('\n', text.indexOf('COPY "turns"')) + 1;
    // Members of a gzip file follow each other: 64 GiB in 64 MB, of which a few are read.
    const piece = gzipSync(Buffer.alloc(16 * 1024 * 1024, 'x'));
    const bytes = Buffer.concat([gzipSync(text.slice(0, begin)), ...Array<Buffer>(4096).fill(piece)]);
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 50);
    const before = process.memoryUsage().arrayBuffers;
    expect(await outcomeOf(bytes).finally(() => clearInterval(watching))).toBe(DAMAGED);
    expect(most - before).toBeLessThan(256 * 1024 * 1024);
  });
});

test('a key that would change the prototype of an object is a key like any other, and the database stays usable', async () => {
  const config = '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}';
  expect(await outcomeOf(withRow('agents', (row, at) => (row[at('config')] = config)))).toBe('restored');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  const { rows } = await withClient(database.url, (client) =>
    client.query('SELECT config::text AS config FROM agents'),
  );
  expect(JSON.parse(rows[0].config)).toEqual(JSON.parse(config));
});
