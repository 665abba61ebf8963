import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { VERSION } from '../../config/version';
import { copyOut } from '../copy';
import { contentsOf } from './contents';
import {
  copyInStatement,
  copyOutStatement,
  END_OF_ROWS,
  FORMAT_VERSION,
  HEADER_MARK,
  TRAILER_MARK,
  type BackupHeader,
} from './format';
import { withSession } from './session';

export interface BackupOptions {
  readonly url: string;
  /** Takes the file; ended when it is whole, destroyed otherwise. */
  readonly sink: Writable;
  /** From 0 to 1, by what PostgreSQL estimates. */
  readonly onProgress?: (share: number, table: string) => void;
  readonly signal?: AbortSignal;
}

export interface WrittenBackup {
  readonly rows: number;
  readonly tables: number;
}

/** Rows are small: more effort makes the file a little smaller, and takes much longer. */
const COMPRESSION = { level: 4 };

/**
 * Writes everything that the database holds, as of one moment, while others go on writing. What is read flows into the sink at its
 * speed: memory does not grow with the database.
 * @throws BackupError, or what the database or the sink fail with
 */
export function writeBackup({ url, sink, onProgress, signal }: BackupOptions): Promise<WrittenBackup> {
  return withSession(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const written = { rows: 0, tables: 0 };
    const text = Readable.from(textOf(client, written, onProgress), { objectMode: false });
    await pipeline(text, createGzip(COMPRESSION), sink, { signal });
    return written;
  });
}

async function* textOf(
  client: Client,
  written: { rows: number; tables: number },
  onProgress: BackupOptions['onProgress'],
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (chunk: Buffer): Buffer => {
    hash.update(chunk);
    return chunk;
  };
  const { schema, estimatedRows, ...contents } = await contentsOf(client);
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

const NEW_LINE = 0x0a;

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, at + 1)) lines += 1;
  return lines;
}
