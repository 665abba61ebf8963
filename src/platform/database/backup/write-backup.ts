import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { VERSION } from '../../config/version';
import { copyOut } from '../copy';
import { contentsOf, tablesThere } from './contents';
import {
  copyInStatement,
  copyOutStatement,
  END_OF_ROWS,
  FORMAT_VERSION,
  HEADER_MARK,
  SinkError,
  TRAILER_MARK,
  type BackupHeader,
} from './format';
import { withSession } from './session';

export interface BackupOptions {
  readonly url: string;
  /** Takes the file; ended when it is whole, destroyed otherwise. */
  readonly sink: Writable;
  /** Whether the sound of spoken conversations is in it; false unless it says so. */
  readonly withRecordings?: boolean;
  /** From 0 to 1, by what PostgreSQL estimates. */
  readonly onProgress?: (share: number, table: string) => void;
  readonly signal?: AbortSignal;
}

export interface WrittenBackup {
  readonly rows: number;
  readonly tables: number;
  /** There are recordings, which are not in it. */
  readonly leaves_recordings: boolean;
}

/** Rows are small: more effort makes the file a little smaller, and takes much longer. */
const COMPRESSION = { level: 4 };

/**
 * Writes everything that the database holds, recordings if they are asked for, as of one moment, while other sessions go on writing. What is read flows into the
 * sink at its speed: memory does not grow with the database.
 * @throws BackupError, SinkError, or what the database fails with
 */
export function writeBackup({
  url,
  sink,
  withRecordings = false,
  onProgress,
  signal,
}: BackupOptions): Promise<WrittenBackup> {
  const write = async (client: Client): Promise<WrittenBackup> => {
    await beginAsOfOneMoment(client);
    const written = { rows: 0, tables: 0, leaves_recordings: false };
    const reading = new Noting(textOf(client, written, withRecordings, onProgress));
    const text = Readable.from(reading.chunks(), { objectMode: false });
    await pipeline(text, createGzip(COMPRESSION), sink, { signal }).catch((error: unknown) => {
      throw reading.failure === null ? new SinkError(error) : reading.failure.error;
    });
    return written;
  };
  return withSession(url, write, signal);
}

/**
 * Tables are locked before the transaction takes its snapshot: one that a migration rewrites after that would be empty for it.
 * https://www.postgresql.org/docs/current/mvcc-caveats.html
 */
async function beginAsOfOneMoment(client: Client): Promise<void> {
  const tables = await tablesThere(client);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (tables.length > 0) await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`);
}

async function* textOf(
  client: Client,
  written: { rows: number; tables: number; leaves_recordings: boolean },
  withRecordings: boolean,
  onProgress: BackupOptions['onProgress'],
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (chunk: Buffer): Buffer => {
    hash.update(chunk);
    return chunk;
  };
  const { schema, estimatedRows, leavesRecordings, ...contents } = await contentsOf(client, withRecordings);
  written.leaves_recordings = leavesRecordings;
  const header: BackupHeader = {
    version: FORMAT_VERSION,
    service: VERSION,
    created_at: new Date().toISOString(),
    ...contents,
  };
  yield hashed(Buffer.from(`${HEADER_MARK}${JSON.stringify(header)}\n`));
  const rows: Record<string, number> = {};
  let lines = 0;
  for (const table of header.tables) {
    yield hashed(Buffer.from(`${copyInStatement(table)};\n`));
    const copied = copyOut(client, copyOutStatement(table, schema));
    for (let next = await copied.next(); ; next = await copied.next()) {
      if (next.done === true) {
        rows[table.name] = next.value;
        break;
      }
      lines += linesIn(next.value);
      onProgress?.(Math.min(0.99, lines / Math.max(1, estimatedRows)), table.name);
      yield hashed(next.value);
    }
    written.rows += rows[table.name] ?? 0;
    written.tables += 1;
    yield hashed(Buffer.from(END_OF_ROWS));
  }
  yield Buffer.from(`${TRAILER_MARK}${JSON.stringify({ rows, sha256: hash.digest('hex') })}\n`);
}

/** A pipeline passes an error on to every stream in it: which one had it first cannot be seen there. */
class Noting {
  failure: { readonly error: unknown } | null = null;

  constructor(private readonly source: AsyncGenerator<Buffer>) {}

  async *chunks(): AsyncGenerator<Buffer> {
    try {
      for (let next = await this.next(); next.done !== true; next = await this.next()) yield next.value;
    } finally {
      await this.source.return(undefined);
    }
  }

  private async next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.source.next();
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

const NEW_LINE = 0x0a;

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, at + 1)) lines += 1;
  return lines;
}
