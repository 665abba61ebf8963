import { isNativeError } from 'node:util/types';
import { z } from 'zod';

/** Why a backup cannot be written or restored: one sentence that says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** What the backup was written to failed, and not what it was read from. */
export class SinkError extends Error {
  override readonly name = 'SinkError';
  /** The system's error code; `unknown` if it has none. */
  readonly code: string;

  constructor(cause: unknown) {
    super('The backup could not be written.', { cause });
    this.code = isNativeError(cause) && 'code' in cause ? String(cause.code) : 'unknown';
  }
}

/** Every row is there, and something that the service does by itself is left to do. */
export class RestoredError extends BackupError {}

/**
 * A backup is a gzip file of text that psql can read, too: a comment that says what it is, a COPY for each table with its rows as
 * PostgreSQL writes them, and a comment with the number of rows of each and the SHA-256 of everything before it. Raised when a reader of
 * today could not read it.
 */
export const FORMAT_VERSION = 1;

export const HEADER_MARK = '-- agent-osce backup ';
export const TRAILER_MARK = '-- end of agent-osce backup ';
/** Alone on a line: the end of a table's rows. No row can hold it, since backslashes in rows are doubled. */
export const END_OF_ROWS = '\\.\n';

/** The longest line of a header or a COPY; a file with a longer one is none of ours. */
export const LONGEST_LINE = 1_048_576;
/** PostgreSQL holds no longer line of a COPY. */
export const LONGEST_ROW = 1_073_741_824;

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const areUnique = (list: readonly { readonly name: string }[]): boolean =>
  new Set(list.map(({ name }) => name)).size === list.length;

const sequence = z.object({ name: identifier, last: z.string().regex(/^\d{1,19}$/), is_called: z.boolean() });
const table = z.object({ name: identifier, columns: z.array(identifier).min(1) });

export const header = z.object({
  version: z.number(),
  /** The version of the service whose command wrote it. */
  service: z.string().regex(/^[\w.+-]{1,100}$/),
  created_at: z.iso.datetime(),
  /** The migrations that had been applied, in their order. */
  migrations: z.array(z.string()).min(1),
  /** Tables that others refer to come first. */
  tables: z.array(table).min(1).refine(areUnique),
  sequences: z.array(sequence).refine(areUnique),
});
export type BackupHeader = z.output<typeof header>;
export type BackupTable = z.output<typeof table>;

export const trailer = z.object({ rows: z.record(identifier, z.int().min(0)), sha256: z.string() });
export type BackupTrailer = z.output<typeof trailer>;

/** As it stands in the file, for whatever schema it is restored into. */
export function copyInStatement({ name, columns }: BackupTable): string {
  return `COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`;
}

export function copyOutStatement({ name, columns }: BackupTable, schema: string): string {
  return `COPY ${nameIn(schema, name)} (${columns.map(quoted).join(', ')}) TO STDOUT`;
}

export function nameIn(schema: string, name: string): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
