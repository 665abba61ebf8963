import { randomBytes } from 'node:crypto';
import { existsSync, createWriteStream, openSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { resolve, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { isNativeError } from 'node:util/types';
import 'reflect-metadata';
import { createLog, type Log, readSettingsOfCommand, type Settings } from '../platform/config';
import {
  addAuditLine,
  withAuditLine,
  checkBackup,
  requireFile,
  restoreBackup,
  BackupError,
  RestoredError,
  SinkError,
  reachEmptyDatabase,
  reachUsedDatabase,
  writeBackup,
  type WrittenBackup,
  sentenceAbout,
  outageOf,
  sqlStateOf,
} from '../platform/database';
import { startFailureSentence } from './start-failure';

const WIDTH = 30;
const EVERY_MS = 100;

/** A bar on a terminal; nothing anywhere else. */
class ProgressLine {
  private shownAt = 0;

  constructor(private readonly terminal: NodeJS.WriteStream) {}

  show(share: number, what: string): void {
    const now = performance.now();
    if (!this.terminal.isTTY || now - this.shownAt < EVERY_MS) return;
    this.shownAt = now;
    const filled = Math.round(Math.min(1, share) * WIDTH);
    const percent = Math.floor(Math.min(1, share) * 100);
    this.terminal.write(`\r\u001b[K${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${percent} % ${what}`);
  }

  clear(): void {
    if (this.terminal.isTTY) this.terminal.write('\r\u001b[K');
  }
}

const WHAT_IS_LEFT = {
  backup: 'Nothing was kept.',
  output: 'What was written is no whole backup.',
  restore: 'Nothing was restored.',
} as const;

interface FailedWork {
  /** Null for what leaves nothing. */
  readonly what: keyof typeof WHAT_IS_LEFT | null;
  /** What a backup is written to. */
  readonly sink: string;
}

/** Why a backup or a restore failed, what is left of it, and what to do about it; an unforeseen error with its stack. */
function backupFailureSentence(error: unknown, { what, sink }: FailedWork): string {
  if (error instanceof BackupError) return error.message;
  const left = what === null ? '' : ` ${WHAT_IS_LEFT[what]}`;
  if (error instanceof SinkError) return `${sinkSentence(sink, error)}${left}`;
  const outage = outageOf(error);
  if (outage === 'unreachable') {
    return `The connection to the database broke, or there was none: see that PostgreSQL runs, and try again.${left}`;
  }
  if (outage !== null) return `${sentenceAbout(outage)}${left}`;
  const state = sqlStateOf(error);
  if (state !== undefined && isNativeError(error))
    return `PostgreSQL refused (SQLSTATE ${state}): ${error.message}.${left}`;
  return startFailureSentence(error);
}

function sinkSentence(sink: string, { code }: SinkError): string {
  if (code === 'EPIPE') return 'Whoever was to take the backup has left.';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of ${sink} is full: free some space, or choose another disk.`;
    case 'EFBIG':
      return `${sink} may not grow so large: its file system, or this user (ulimit -f), has a limit. Choose another place.`;
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENAMETOOLONG':
      return `The file cannot be written (${code}): name one in a folder that exists and that you may write to.`;
    default:
      return `${sink} cannot be written (${code}): choose another place.`;
  }
}

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
  const told =
    verb === 'restore'
      ? await restore(resolve(file), settings, log)
      : await backup(file, flags.includes('--recordings'), settings, log);
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

const NO_RECORDINGS = 'The recordings of spoken conversations are not in it: --recordings adds them.';

async function backup(given: string, withRecordings: boolean, settings: Settings, log: Log): Promise<Told> {
  const toOutput = given === '-';
  const path = resolve(given);
  if (!toOutput && existsSync(path)) {
    throw new BackupError(`${path} exists: name another file, or remove it first.`);
  }
  const database = await reachUsedDatabase(settings, log);
  try {
    const write = () =>
      toOutput ? writeTo(process.stdout, database.url, withRecordings) : writeFile(path, database.url, withRecordings);
    const written = await withAuditLine(database.url, 'osce backup', write, tellOfNoLine);
    const rows = written.rows.toLocaleString('en');
    return {
      json: { file: path, ...written },
      sentences: [
        `Backed up ${rows} rows of ${written.tables} tables${toOutput ? '' : ` to ${path}`}.`,
        ...(written.leaves_recordings ? [NO_RECORDINGS] : []),
        KEEP_SAFE,
      ],
    };
  } finally {
    await database.release();
  }
}

async function writeFile(path: string, url: string, withRecordings: boolean): Promise<WrittenBackup> {
  const file = orSinkError(() => new WholeFile(path));
  // A second signal ends the process at once.
  process.once('exit', file.discard);
  try {
    const written = await writeTo(file.sink, url, withRecordings);
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

function writeTo(sink: Writable, url: string, withRecordings: boolean): Promise<WrittenBackup> {
  const onProgress = (share: number, table: string): void => progress.show(share, table);
  return writeBackup({ url, sink, withRecordings, onProgress, signal: stopping.signal });
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

/** A file that only its owner may read, and that has its name once it is whole and on the disk; until then it stands beside. */
class WholeFile {
  readonly sink: Writable;
  private readonly half: string;

  constructor(private readonly path: string) {
    // Not by the process id: in a container every process may have the same one, and one that was killed has left its file.
    this.half = `${path}.${randomBytes(4).toString('hex')}.part`;
    // Opened at once: a folder that does not exist is noticed before anything is read.
    this.sink = createWriteStream(this.half, { fd: openSync(this.half, 'wx', 0o600), flush: true });
  }

  /** Must be called when the sink has ended. */
  async keep(): Promise<void> {
    await finished(this.sink, { readable: false });
    await rename(this.half, this.path);
    const folder = await open(dirname(this.path));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Removes the unfinished file, at once, as for a process that ends. */
  readonly discard = (): void => {
    this.sink.destroy();
    rmSync(this.half, { force: true });
  };
}
