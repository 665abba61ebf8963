import { statSync } from 'node:fs';
import { migrationNames } from '../data-source';
import { ourTables } from './contents';
import { BackupError, type BackupHeader, type BackupTrailer } from './format';
import { BackupReader, type ReadOptions } from './read-backup';

/** A file that was read once from its beginning to its end, and is what it says. */
export interface CheckedBackup {
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
