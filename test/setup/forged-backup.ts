import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  copyInStatement,
  END_OF_ROWS,
  HEADER_MARK,
  header as headerSchema,
  TRAILER_MARK,
  type BackupHeader,
  type BackupTable,
} from '../../src/platform/database/backup/format';

/** What somebody makes of a backup who knows its format: changed as he likes, its counts and its hash right again. */
export class ForgedBackup {
  private constructor(
    /** Written as it is. */
    public header: BackupHeader,
    /** The rows of each table, as PostgreSQL wrote them. */
    readonly rows: Map<string, string>,
  ) {}

  static of(backup: Uint8Array): ForgedBackup {
    const text = gunzipSync(backup).toString();
    const end = text.indexOf('\n');
    const header = headerSchema.parse(JSON.parse(text.slice(HEADER_MARK.length, end)));
    const rows = new Map<string, string>();
    let at = end + 1;
    for (const table of header.tables) {
      at += lineOf(table).length;
      // Of an empty table it stands at once.
      const last = text.startsWith(END_OF_ROWS, at) ? at : text.indexOf(`\n${END_OF_ROWS}`, at) + 1;
      rows.set(table.name, text.slice(at, last));
      at = last + END_OF_ROWS.length;
    }
    return new ForgedBackup(header, rows);
  }

  table(name: string): BackupTable {
    const found = this.header.tables.find((table) => table.name === name);
    if (found === undefined) throw new Error(`The backup has no table ${name}.`);
    return found;
  }

  /** Of the first row; the columns as they stand in the file. */
  firstRow(name: string): string[] {
    return (this.rows.get(name) ?? '').slice(0, -1).split('\n')[0]?.split('\t') ?? [];
  }

  write(): Buffer {
    const parts = [`${HEADER_MARK}${JSON.stringify(this.header)}\n`];
    const counts: Record<string, number> = {};
    for (const table of this.header.tables) {
      const rows = this.rows.get(table.name) ?? '';
      parts.push(`${lineOf(table)}${rows}${END_OF_ROWS}`);
      counts[table.name] = rows.split('\n').length - 1;
    }
    const text = Buffer.from(parts.join(''));
    const sha256 = createHash('sha256').update(text).digest('hex');
    const trailer = Buffer.from(`${TRAILER_MARK}${JSON.stringify({ rows: counts, sha256 })}\n`);
    return gzipSync(Buffer.concat([text, trailer]), { level: 1 });
  }
}

const lineOf = (table: BackupTable): string => `${copyInStatement(table)};\n`;
