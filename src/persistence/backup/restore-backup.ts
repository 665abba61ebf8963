import type { Client } from 'pg';
import type { Log } from '../../config/log';
import { copyIn } from '../copy';
import { migrationNames } from '../data-source';
import { migrate } from '../migrate';
import { BackupError, copyInStatement, quoted, type BackupHeader, type BackupTrailer } from './format';
import { BackupReader } from './read-backup';
import { withSession } from './session';

export interface RestoreOptions {
  readonly url: string;
  readonly backup: CheckedBackup;
  readonly log: Log;
  /** Bytes of the file that were read. */
  readonly onBytes?: (bytes: number) => void;
}

/** A file that was read once from its beginning to its end, and is what it says. */
export interface CheckedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer;
}

/** Reads all of the file before anything is done with it. @throws BackupError */
export async function checkBackup(file: string, onBytes?: (bytes: number) => void): Promise<CheckedBackup> {
  const reader = new BackupReader(file, onBytes);
  try {
    const header = await reader.header();
    refuseNewer(file, header);
    for (const table of header.tables) for await (const rows of reader.rowsOf(table)) void rows;
    return { file, header, trailer: await reader.trailer() };
  } finally {
    reader.end();
  }
}

/**
 * Fills an empty database: makes the tables as they were when the backup was made, fills them in one transaction, and brings
 * them up to date. When anything fails, no row is kept, and it can be done again.
 * @throws BackupError when the database is not empty
 */
export async function restoreBackup({ url, backup, log, onBytes }: RestoreOptions): Promise<void> {
  const { header } = backup;
  await withSession(url, (client) => requireEmpty(client, header));
  await migrate({ url, log, only: new Set(header.migrations) });
  await withSession(url, (client) => fill(client, backup, onBytes));
  await migrate({ url, log });
}

function refuseNewer(file: string, { migrations, service }: BackupHeader): void {
  const known: ReadonlySet<string> = new Set(migrationNames());
  if (migrations.every((name) => known.has(name))) return;
  throw new BackupError(
    `${file} was made by a newer version of Agent OSCE (${service}): restore it with that version or a newer one. Nothing was restored.`,
  );
}

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

async function fill(
  client: Client,
  { file, header, trailer }: CheckedBackup,
  onBytes: RestoreOptions['onBytes'],
): Promise<void> {
  const reader = new BackupReader(file, onBytes);
  try {
    await reader.header();
    await client.query('BEGIN');
    const all = header.tables.map(({ name }) => quoted(name)).join(', ');
    await client.query(`LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`);
    // A service may have started on the database meanwhile.
    await requireEmpty(client, header);
    // What migrations put into tables is in the backup, too.
    await client.query(`TRUNCATE ${all}`);
    for (const table of header.tables) {
      const rows = await copyIn(client, copyInStatement(table), reader.rowsOf(table));
      if (rows !== trailer.rows[table.name]) throw new Error(`Not every row of ${table.name} was restored.`);
    }
    for (const { name, last, is_called } of header.sequences) {
      await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoted(name), last, is_called]);
    }
    // The file may have been changed since it was checked.
    await reader.trailer();
    await client.query('COMMIT');
    // Reads right after start find their plans.
    await client.query('ANALYZE');
  } finally {
    reader.end();
  }
}
