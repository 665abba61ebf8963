import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { createLog, type Log } from '../platform/config/log';
import { readSettingsOfCommand, type Settings } from '../platform/config/settings';
import { addAuditLine, withAuditLine } from '../platform/database/backup/audit-line';
import { checkBackup, requireFile } from '../platform/database/backup/check-backup';
import { BackupError, RestoredError, SinkError } from '../platform/database/backup/format';
import { reachEmptyDatabase, reachUsedDatabase } from '../platform/database/backup/reach';
import { restoreBackup } from '../platform/database/backup/restore-backup';
import { writeBackup, type WrittenBackup } from '../platform/database/backup/write-backup';
import { backupFailureSentence, WHAT_IS_LEFT } from './backup-failure';
import { ProgressLine } from './progress-line';
import { WholeFile } from './whole-file';

const FAILED = 2;
/** What shells say of a process that a signal ended: 128 and its number. */
const ENDED_BY = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const stopping = new AbortController();
const progress = new ProgressLine(process.stderr);
// A terminal that was closed takes no more of it, which is no reason to stop.
process.stderr.on('error', () => undefined);

/** `backup FILE` or `restore FILE`, as `osce` starts it. */
async function main([verb, file = '', ...flags]: readonly string[]): Promise<void> {
  const settings = readSettingsOfCommand();
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
    const write = () => (toOutput ? writeTo(process.stdout, database.url) : writeFile(path, database.url));
    const written = await withAuditLine(database.url, 'osce backup', write, tellOfNoLine);
    const rows = written.rows.toLocaleString('en');
    return {
      json: { file: path, ...written },
      sentences: [`Backed up ${rows} rows of ${written.tables} tables${toOutput ? '' : ` to ${path}`}.`, KEEP_SAFE],
    };
  } finally {
    await database.release();
  }
}

async function writeFile(path: string, url: string): Promise<WrittenBackup> {
  const file = orSinkError(() => new WholeFile(path));
  // A second signal ends the process at once.
  process.once('exit', file.discard);
  try {
    const written = await writeTo(file.sink, url);
    await file.keep().catch((error: unknown) => {
      throw new SinkError(error);
    });
    return written;
  } catch (error) {
    file.discard();
    throw error;
  } finally {
    process.off('exit', file.discard);
  }
}

function writeTo(sink: Writable, url: string): Promise<WrittenBackup> {
  const onProgress = (share: number, table: string): void => progress.show(share, table);
  return writeBackup({ url, sink, onProgress, signal: stopping.signal });
}

function orSinkError<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new SinkError(error);
  }
}

function tellOfNoLine(error: unknown): void {
  progress.clear();
  const why = backupFailureSentence(error, { what: null, sink: '' });
  process.stderr.write(`The audit trail has no line of this: ${why}\n`);
}

async function restore(file: string, settings: Settings, log: Log): Promise<Told> {
  const { signal } = stopping;
  const { size } = requireFile(file);
  const counting = (what: string) => {
    let read = 0;
    return (bytes: number) => progress.show((read += bytes) / size, what);
  };
  const checked = await checkBackup(file, { signal, onBytes: counting('checking the file') });
  const database = await reachEmptyDatabase(settings, log);
  try {
    await restoreBackup({ url: database.url, backup: checked, log, signal, onBytes: counting('restoring') });
    await addAuditLine(database.url, 'osce restore').catch(tellOfNoLine);
    await database.release();
  } catch (error) {
    await (error instanceof RestoredError ? database.release() : database.undo());
    throw error;
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

for (const [signal, code] of Object.entries(ENDED_BY)) {
  process.on(signal, () => {
    // A second one does not wait for what the first one has ended.
    if (stopping.signal.aborted) process.exit(code);
    stopping.abort(new InterruptedError(code));
  });
}

class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(readonly exitCode: number) {
    super('A signal ended it.');
  }
}

const args = process.argv.slice(2);
main(args).then(
  // What was done to its end is done, whatever came after.
  () => process.exit(0),
  (error: unknown) => {
    progress.clear();
    const [verb, file = ''] = args;
    const what = verb === 'restore' ? 'restore' : file === '-' ? 'output' : 'backup';
    const sink = file === '-' ? 'standard output' : resolve(file);
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    const isInterrupted = reason instanceof InterruptedError;
    process.stderr.write(
      `${isInterrupted ? `Interrupted. ${WHAT_IS_LEFT[what]}` : backupFailureSentence(error, { what, sink })}\n`,
    );
    process.exit(isInterrupted ? reason.exitCode : FAILED);
  },
);
