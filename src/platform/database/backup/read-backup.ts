import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { createGunzip } from 'node:zlib';
import {
  BackupError,
  copyInStatement,
  END_OF_ROWS,
  FORMAT_VERSION,
  header as headerSchema,
  HEADER_MARK,
  LONGEST_LINE,
  LONGEST_ROW,
  trailer as trailerSchema,
  TRAILER_MARK,
  type BackupHeader,
  type BackupTable,
  type BackupTrailer,
} from './format';

const END = Buffer.from(`\n${END_OF_ROWS}`);
const NEW_LINE = 0x0a;
/** Of text that is unpacked at a time: Node's 16 KiB cost four times the processor time. */
const CHUNK_BYTES = 262_144;

export interface ReadOptions {
  /** Bytes of the file that were read. */
  readonly onBytes?: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a backup from its beginning to its end, a piece at a time. Whatever is wrong with the file is a BackupError. */
export class BackupReader {
  private readonly hash = createHash('sha256');
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly close: () => void;
  /** Read and not yet given out. */
  private rest: Buffer = Buffer.alloc(0);
  /** The number of rows of each table that was read to its end. */
  private readonly rows = new Map<string, number>();

  /** @param signal breaks the reading off */
  constructor(
    private readonly file: string,
    { onBytes = () => undefined, signal }: ReadOptions = {},
  ) {
    const source = createReadStream(file, { signal });
    source.on('data', (chunk) => onBytes(chunk.length));
    const text = pipeline(source, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
    this.close = () => {
      source.destroy();
      text.destroy();
    };
    const chunks: AsyncIterable<Buffer> = text;
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** @throws BackupError for what is no backup, or one of a format that this version does not know */
  async header(): Promise<BackupHeader> {
    const line = await this.line();
    if (line?.startsWith(HEADER_MARK) !== true) throw this.refusal('is no backup of Agent OSCE');
    const stated: unknown = parsed(line.slice(HEADER_MARK.length));
    const known = headerSchema.safeParse(stated);
    if (known.success && known.data.version === FORMAT_VERSION) return known.data;
    if (versionIn(stated) > FORMAT_VERSION)
      throw this.refusal('was made by a newer version of Agent OSCE; restore it with that version or a newer one');
    throw this.refusal('is damaged: its first line says nothing that makes sense');
  }

  /** The rows of the table that comes next, as COPY takes them. To be read to its end. */
  async *rowsOf(table: BackupTable): AsyncGenerator<Buffer> {
    if ((await this.line()) !== `${copyInStatement(table)};`) throw this.damage();
    const counted = new RowCount();
    for await (const rows of this.untilEndOfRows()) {
      counted.add(rows);
      if (counted.isTooLong) throw this.damage();
      yield rows;
    }
    this.rows.set(table.name, counted.rows);
  }

  private async *untilEndOfRows(): AsyncGenerator<Buffer> {
    // A table without rows has its end at once.
    while (this.rest.length < END_OF_ROWS.length && (await this.more()));
    if (this.rest.subarray(0, END_OF_ROWS.length).equals(END.subarray(1))) return void this.take(END_OF_ROWS.length);
    for (;;) {
      const end = this.rest.indexOf(END);
      if (end !== -1) {
        yield this.take(end + 1);
        this.take(END_OF_ROWS.length);
        return;
      }
      // The end may have begun in the last bytes.
      const whole = this.rest.length - END.length;
      if (whole > 0) yield this.take(whole);
      if (!(await this.more())) throw this.damage();
    }
  }

  /** What the end of the file says of what came before it. @throws BackupError when that was not so */
  async trailer(): Promise<BackupTrailer> {
    const sha256 = this.hash.digest('hex');
    const line = await this.line(false);
    if (line?.startsWith(TRAILER_MARK) !== true || this.rest.length > 0 || (await this.more())) throw this.damage();
    const stated = trailerSchema.safeParse(parsed(line.slice(TRAILER_MARK.length)));
    if (!stated.success || stated.data.sha256 !== sha256) throw this.damage();
    for (const [table, rows] of this.rows) if (stated.data.rows[table] !== rows) throw this.damage();
    return stated.data;
  }

  end(): void {
    this.close();
  }

  private async line(isHashed = true): Promise<string | null> {
    for (;;) {
      const end = this.rest.indexOf(NEW_LINE);
      if (end !== -1)
        return this.take(end + 1, isHashed)
          .subarray(0, end)
          .toString();
      if (this.rest.length > LONGEST_LINE || !(await this.more())) return null;
    }
  }

  private take(bytes: number, isHashed = true): Buffer {
    const taken = this.rest.subarray(0, bytes);
    this.rest = this.rest.subarray(bytes);
    if (isHashed) this.hash.update(taken);
    return taken;
  }

  /** False at the end of the file. */
  private async more(): Promise<boolean> {
    try {
      const next = await this.chunks.next();
      if (next.done === true) return false;
      this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
      return true;
    } catch (cause) {
      const code = isNativeError(cause) && 'code' in cause ? String(cause.code) : '';
      if (code === 'Z_BUF_ERROR') throw this.damage();
      if (code.startsWith('Z_')) throw this.refusal('is no backup of Agent OSCE, or is damaged');
      throw this.refusal(`cannot be read (${code})`);
    }
  }

  private damage(): BackupError {
    return this.refusal('is damaged: it is not whole, or was changed after it was written');
  }

  private refusal(what: string): BackupError {
    return new BackupError(`${this.file} ${what}. Nothing was restored.`);
  }
}

class RowCount {
  rows = 0;
  /** The bytes of the row that has begun. */
  private bytes = 0;
  isTooLong = false;

  add(chunk: Buffer): void {
    let begin = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, begin)) {
      this.rows += 1;
      this.bytes = 0;
      begin = end + 1;
    }
    this.bytes += chunk.length - begin;
    if (this.bytes > LONGEST_ROW) this.isTooLong = true;
  }
}

function versionIn(stated: unknown): number {
  const isNumbered = typeof stated === 'object' && stated !== null && 'version' in stated;
  return isNumbered && typeof stated.version === 'number' ? stated.version : 0;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
