import type { Client } from 'pg';
import { getMetadataArgsStorage } from 'typeorm';
import { migrationNames } from '../data-source';
import { ENTITIES } from '../../../entities';
import { BackupError, nameIn, type BackupHeader, type BackupTable } from './format';

/** Tables that a crash empties by itself are not worth keeping; and a restored backup signs nobody in. */
const NOT_KEPT: ReadonlySet<string> = new Set(['processes', 'request_budgets', 'sessions']);

/** Sound is most of what a service with spoken runs holds, and is kept for a while only: a backup has it where that is asked for. */
const RECORDINGS = 'recording_pieces';

interface Beside {
  /** The schema of the tables in this database. It is not for the file, which may be restored into another. */
  readonly schema: string;
  readonly estimatedRows: number;
  /** There are recordings, and they are not asked for. */
  readonly leavesRecordings: boolean;
}

/**
 * What there is to back up, as of the transaction that the client is in.
 * @param withRecordings whether it has the sound of spoken conversations, too
 * @throws BackupError
 */
export async function contentsOf(
  client: Client,
  withRecordings: boolean,
): Promise<Pick<BackupHeader, 'migrations' | 'tables' | 'sequences'> & Beside> {
  const schema = await schemaOf(client);
  const applied = nameIn(schema, 'migrations');
  const { rows: found } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    applied,
  ]);
  if (found[0]?.there !== true)
    throw new BackupError('There is nothing to back up: no service has used this database.');
  const { rows: migrations } = await client.query<{ name: string }>(`SELECT name FROM ${applied} ORDER BY timestamp`);
  refuseNewer(migrations);
  const asked = ourTables().filter((name) => withRecordings || name !== RECORDINGS);
  const { rows: columns } = await client.query<BackupTable & { estimate: number }>(COLUMNS, [asked, schema]);
  const { rows: references } = await client.query<Reference>(REFERENCES, [schema]);
  return {
    schema,
    migrations: migrations.map(({ name }) => name),
    tables: inOrderOfReference(
      columns.map(({ name, columns }) => ({ name, columns })),
      references,
    ),
    sequences: await sequencesOf(client, schema),
    leavesRecordings: !withRecordings && (await hasRows(client, nameIn(schema, RECORDINGS))),
    estimatedRows: columns.reduce((rows, { estimate }) => rows + Math.max(0, estimate), 0),
  };
}

async function hasRows(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ any: boolean }>(`SELECT EXISTS (SELECT FROM ${table}) AS any`);
  return rows[0]?.any === true;
}

/**
 * Newer processes may have migrated the database, as during a rolling update: their tables would be missing from the backup,
 * without a word about it.
 */
function refuseNewer(migrations: readonly { readonly name: string }[]): void {
  const known: ReadonlySet<string> = new Set(migrationNames());
  if (migrations.every(({ name }) => known.has(name))) return;
  throw new BackupError(
    'This database was brought up to date by a newer version of Agent OSCE, which knows what else is in it: back it up with that version.',
  );
}

/** A superuser of the embedded database does not look into `public` without being told to. */
export async function schemaOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ schema: string | null }>(
    `SELECT nullif(current_schema(), 'pg_catalog') AS schema`,
  );
  return rows[0]?.schema ?? 'public';
}

/** The service's tables that are there, with their schema, as statements name them. */
export async function tablesThere(client: Client): Promise<string[]> {
  const schema = await schemaOf(client);
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relname = ANY($1::text[]) AND relkind IN ('r', 'p') AND relnamespace = quote_ident($2)::regnamespace ORDER BY 1`,
    [ourTables(), schema],
  );
  return rows.map(({ name }) => nameIn(schema, name));
}

/** The tables of the entities: other tables in the same schema are not the service's to keep. */
export function ourTables(): string[] {
  const entities: ReadonlySet<unknown> = new Set(ENTITIES);
  return getMetadataArgsStorage().tables.flatMap(({ name, target }) =>
    entities.has(target) && name !== undefined && !NOT_KEPT.has(name) ? [name] : [],
  );
}

const COLUMNS = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns, max(c.reltuples)::float8 AS estimate
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relname = ANY($1::text[]) AND c.relkind IN ('r', 'p') AND c.relnamespace = quote_ident($2)::regnamespace
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.relname ORDER BY c.relname`;

interface Reference {
  readonly from_table: string;
  readonly to_table: string;
}

const REFERENCES = `
  SELECT f.relname AS from_table, t.relname AS to_table
  FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
  WHERE k.contype = 'f' AND k.connamespace = quote_ident($1)::regnamespace`;

/** Tables that others refer to come before those. */
function inOrderOfReference(tables: readonly BackupTable[], references: readonly Reference[]): BackupTable[] {
  const ordered: BackupTable[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) =>
        !references.some(({ from_table, to_table }) => from_table === name && to_table !== name && left.has(to_table)),
    );
    if (free.length === 0) throw new Error('Tables refer to each other in a circle.');
    for (const table of free) left.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
}

async function sequencesOf(client: Client, schema: string): Promise<BackupHeader['sequences']> {
  const sequences: BackupHeader['sequences'] = [];
  for (const name of await sequencesIn(client, schema)) {
    const { rows: values } = await client.query<{ last: string; is_called: boolean }>(
      `SELECT last_value::text AS last, is_called FROM ${nameIn(schema, name)}`,
    );
    if (values[0] !== undefined) sequences.push({ name, ...values[0] });
  }
  return sequences;
}

/** The sequences that number the service's rows. */
export async function sequencesIn(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT s.relname AS name FROM pg_class s
     JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
     JOIN pg_class t ON t.oid = d.refobjid
     WHERE s.relkind = 'S' AND t.relname = ANY($1::text[]) AND s.relnamespace = quote_ident($2)::regnamespace ORDER BY 1`,
    [ourTables(), schema],
  );
  return rows.map(({ name }) => name);
}
