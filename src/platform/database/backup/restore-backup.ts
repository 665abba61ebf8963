import { statSync } from 'node:fs';
import type { Client } from 'pg';
import type { Log } from '../../config/log';
import { copyIn } from '../copy';
import { migrationsNamed, type Migration, migrationNames } from '../data-source';
import { migrate } from '../migrate';
import { outageOf } from '../postgres-errors';
import { isConnectionError, isRefusedForRights, sqlStateOf } from '../unavailable';
import { schemaOf, sequencesIn, ourTables, tablesThere } from './contents';
import { BackupError, RestoredError, copyInStatement, quoted, type BackupHeader, type BackupTrailer } from './format';
import { BackupReader, type ReadOptions } from './read-backup';
import { breakOffWhen, withSession } from './session';

export interface RestoreOptions extends ReadOptions {
  readonly url: string;
  readonly backup: CheckedBackup;
  readonly log: Log;
  /** To which the tables are brought up; those of this version, when left out. */
  readonly migrations?: readonly Migration[];
}

/**
 * Fills an empty database: makes the tables as they were when the backup was made, fills them in one transaction, and brings
 * them up to date. When anything fails, or the signal is aborted, before that transaction is committed, no row is kept, and it can be done again.
 * @throws BackupError when the database is not empty, or what is in the file does not belong there
 */
export async function restoreBackup({ url, backup, log, migrations, ...reading }: RestoreOptions): Promise<void> {
  const { header } = backup;
  await withSession(url, (client) => requireEmpty(client, header), reading.signal);
  await migrate({ url, log, migrations: migrationsNamed(header.migrations) });
  await withSession(url, (client) => fill(client, backup, reading));
  await migrate({ url, log, ...(migrations && { migrations }) }).catch((cause: unknown) => {
    throw new RestoredError(`${ALL_BUT} ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
}

const ALL_BUT =
  'Every row was restored, but the tables were not brought up to date, which the service does when it starts on them:';

const NOT_EMPTY =
  'The database is not empty, and a backup is restored into an empty one only: name another folder with --data-dir, or another database in DATABASE_URL.';

/** Empty is what has no tables of ours, or only what an earlier try to restore the same has left. */
async function requireEmpty(client: Client, { migrations, tables }: BackupHeader): Promise<void> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  );
  if (found[0]?.there !== true) return;
  const { rows: applied } = await client.query<{ name: string }>('SELECT name FROM migrations');
  if (!applied.every(({ name }) => migrations.includes(name))) throw new BackupError(NOT_EMPTY);
  for (const { name } of tables) {
    const { rows } = await client.query<{ there: boolean }>(
      `SELECT to_regclass($1) IS NOT NULL AND $2 <> 'write_probe' AS there`,
      [quoted(name), name],
    );
    if (rows[0]?.there !== true) continue;
    const { rows: one } = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (one.length > 0) throw new BackupError(NOT_EMPTY);
  }
}

async function fill(client: Client, { file, header, trailer }: CheckedBackup, reading: ReadOptions): Promise<void> {
  const reader = new BackupReader(file, reading);
  const unlink = breakOffWhen(client, reading.signal);
  try {
    reading.signal?.throwIfAborted();
    await reader.header();
    await client.query('BEGIN');
    const all = header.tables.map(({ name }) => quoted(name)).join(', ');
    await client.query(`LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`).catch(misfit(file));
    // A service may have started on the database meanwhile.
    await requireEmpty(client, header);
    // What migrations put into tables is in the backup, too. Together with tables that are not: those may refer to these.
    await client.query(`TRUNCATE ${(await tablesThere(client)).join(', ')}`);
    for (const table of header.tables) {
      const copied = copyIn(client, copyInStatement(table), reader.rowsOf(table));
      const rows = await copied.catch(misfit(file, table.name));
      if (rows !== trailer.rows[table.name]) throw new Error(`Not every row of ${table.name} was restored.`);
    }
    await setSequences(client, file, header);
    // The file may have been changed since it was checked.
    await reader.trailer();
    // Whether a commit took place is not known once it is broken off.
    unlink();
    reading.signal?.throwIfAborted();
    await commit(client, file);
    // Reads right after start find their plans; else PostgreSQL does it within minutes.
    await client.query('ANALYZE').catch(() => undefined);
  } finally {
    unlink();
    reader.end();
  }
}

async function commit(client: Client, file: string): Promise<void> {
  await client.query('COMMIT').catch((error: unknown) => {
    if (!isConnectionError(error)) return misfit(file)(error);
    throw new BackupError(
      'The connection broke while the restore was being committed, so it is done as a whole or not at all: restore again; if the database is said not to be empty, it is done.',
      { cause: error },
    );
  });
}

async function setSequences(client: Client, file: string, { sequences }: BackupHeader): Promise<void> {
  const known = await sequencesIn(client, await schemaOf(client));
  for (const { name, last, is_called } of sequences) {
    if (!known.includes(name))
      throw new BackupError(
        `${file} holds a sequence that is none of Agent OSCE’s (${name}): it was changed after it was written. Nothing was restored.`,
      );
    await client
      .query('SELECT setval($1::regclass, $2::bigint, $3)', [quoted(name), last, is_called])
      .catch(misfit(file));
  }
}

/**
 * For what PostgreSQL says to rows from a file: the file's fault, unless the server itself is in outage. Its own words repeat what is
 * in the row, a credential perhaps; table, line and SQLSTATE are enough to find it.
 */
function misfit(file: string, table?: string): (error: unknown) => never {
  return (error) => {
    const state = sqlStateOf(error);
    if (state === undefined || outageOf(error) !== null || isRefusedForRights(error)) throw error;
    const place = [...(table === undefined ? [] : [`table ${table}`]), ...lineOf(error), `SQLSTATE ${state}`].join(
      ', ',
    );
    throw new BackupError(
      `${file} holds what its tables do not take (${place}): it was changed after it was written. Nothing was restored.`,
      { cause: error },
    );
  };
}

/** The line of the COPY; there is none for what is found wrong when all rows are there, as a reference to a row that is not. */
function lineOf(error: unknown): string[] {
  const where = typeof error === 'object' && error !== null && 'where' in error ? String(error.where) : '';
  const line = /^COPY \w+, line (\d+)/.exec(where)?.[1];
  return line === undefined ? [] : [`line ${line}`];
}

/** A file that was read once from its beginning to its end, and is what it says. */
interface CheckedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer;
}

/**
 * Reads all of the file before anything is done with it.
 * @throws BackupError
 */
export async function checkBackup(file: string, reading: ReadOptions = {}): Promise<CheckedBackup> {
  requireFile(file);
  const reader = new BackupReader(file, reading);
  try {
    const header = await reader.header();
    refuseNewer(file, header);
    refuseForeign(file, header);
    for (const table of header.tables) for await (const rows of reader.rowsOf(table)) void rows;
    return { file, header, trailer: await reader.trailer() };
  } finally {
    reader.end();
  }
}

/** What is read twice has to be a file: a pipe has nothing the second time. */
export function requireFile(file: string): { readonly size: number } {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new BackupError(`${file} does not exist: name a file that osce backup has written.`);
  if (!found.isFile())
    throw new BackupError(`${file} is no file, and a backup is read twice: save it to a file first.`);
  return found;
}

function refuseNewer(file: string, { migrations, service }: BackupHeader): void {
  const known: ReadonlySet<string> = new Set(migrationNames());
  if (migrations.every((name) => known.has(name))) return;
  if (!migrations.some((name) => known.has(name))) {
    throw new BackupError(
      `${file} was made by a build from before 0.1.0, whose tables no release reads: restore it with that build (${service}), and export scenarios and runs as files. Nothing was restored.`,
    );
  }
  throw new BackupError(
    `${file} was made by a newer version of Agent OSCE (${service}): restore it with that version or a newer one. Nothing was restored.`,
  );
}

/** No release has written these; a hand has. */
function refuseForeign(file: string, { tables }: BackupHeader): void {
  const ours: ReadonlySet<string> = new Set(ourTables());
  const foreign = tables.find(({ name }) => !ours.has(name));
  if (foreign === undefined) return;
  throw new BackupError(
    `${file} holds a table that is none of Agent OSCE’s (${foreign.name}): it was changed after it was written. Nothing was restored.`,
  );
}
