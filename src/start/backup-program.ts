import 'reflect-metadata';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createLog, type Log } from '../config/log';
import { readSettings, type Settings } from '../config/settings';
import { BackupError } from '../persistence/backup/format';
import { reachEmptyDatabase, reachUsedDatabase } from '../persistence/backup/reach';
import { checkBackup, restoreBackup } from '../persistence/backup/restore-backup';
import { writeBackup, type WrittenBackup } from '../persistence/backup/write-backup';
import { ProgressLine } from './progress-line';
import { startFailureSentence } from './start-failure';
import { WholeFile } from './whole-file';

const FAILED = 2;
/** What shells say of a process that a signal ended: 128 and its number. */
const ENDED_BY = { SIGINT: 130, SIGTERM: 143 } as const;

const stopping = new AbortController();
const progress = new ProgressLine(process.stderr);

/** `backup FILE` or `restore FILE`, as `osce` starts it. */
async function main([verb, file = '', ...flags]: readonly string[]): Promise<void> {
  const settings = readSettings();
  const log = createLog('error', { write: (line) => void process.stderr.write(line) });
  const isJson = flags.includes('--json');
  const told = verb === 'restore' ? await restore(resolve(file), settings, log) : await backup(file, settings, log);
  progress.clear();
  if (isJson && file !== '-') process.stdout.write(`${JSON.stringify(told.json)}\n`);
  else process.stderr.write(`${told.sentences.join('\n')}\n`);
}

interface Told {
  readonly json: object;
  readonly sentences: readonly string[];
}

const KEEP_SAFE =
  'It holds what the database holds, agents’ keys too: keep it as you keep those. Their keys are encrypted in it if SECRETS_KEY is set, and to be had again only with that key.';

async function backup(given: string, settings: Settings, log: Log): Promise<Told> {
  const toOutput = given === '-';
  const path = resolve(given);
  if (!toOutput && existsSync(path)) {
    throw new BackupError(`${path} exists: name another file, or remove it first.`);
  }
  const database = await reachUsedDatabase(settings, log);
  try {
    const file = toOutput ? null : new WholeFile(path);
    let written: WrittenBackup;
    try {
      written = await writeBackup({
        url: database.url,
        sink: file?.sink ?? process.stdout,
        onProgress: (share, table) => progress.show(share, table),
        signal: stopping.signal,
      });
      await file?.keep();
    } catch (error) {
      file?.discard();
      throw error;
    }
    const rows = written.rows.toLocaleString('en');
    return {
      json: { file: path, ...written },
      sentences: [`Backed up ${rows} rows of ${written.tables} tables${toOutput ? '' : ` to ${path}`}.`, KEEP_SAFE],
    };
  } finally {
    await database.release();
  }
}

async function restore(file: string, settings: Settings, log: Log): Promise<Told> {
  if (!existsSync(file)) throw new BackupError(`${file} does not exist.`);
  const { size } = statSync(file);
  const counting = (what: string) => {
    let read = 0;
    return (bytes: number) => progress.show((read += bytes) / size, what);
  };
  const checked = await checkBackup(file, counting('checking the file'));
  const database = await reachEmptyDatabase(settings, log);
  try {
    await restoreBackup({ url: database.url, backup: checked, log, onBytes: counting('restoring') });
  } finally {
    await database.release();
  }
  const { header, trailer } = checked;
  const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
  return {
    json: { file, rows, tables: header.tables.length, created_at: header.created_at, service: header.service },
    sentences: [
      `Restored ${rows.toLocaleString('en')} rows of ${header.tables.length} tables, as they were at ${header.created_at}. Start the service: runs that were not finished go on.`,
    ],
  };
}

function sentenceOf(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC') return 'The disk is full: nothing was written.';
  if (code === 'EPIPE') return 'Whoever was to take the backup has left: it is not whole.';
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EROFS' || code === 'EEXIST')
    return `The file cannot be written (${code}): name one in a folder that exists and that you may write to.`;
  return startFailureSentence(error);
}

for (const [signal, code] of Object.entries(ENDED_BY)) {
  process.once(signal, () => {
    process.exitCode = code;
    stopping.abort(new BackupError('Interrupted: nothing was kept.'));
  });
}

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: unknown) => {
    progress.clear();
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    process.stderr.write(`${sentenceOf(reason)}\n`);
    process.exit(process.exitCode ?? FAILED);
  },
);
