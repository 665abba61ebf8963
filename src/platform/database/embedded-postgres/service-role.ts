import { randomBytes } from 'node:crypto';
import { chownSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import {
  DATABASE,
  readServicePassword,
  SERVICE_ROLE,
  serviceAddress,
  servicePasswordFile,
  superuserAddress,
} from './server-addresses';
import type { ServerUser } from './server-user';

const RIGHTS = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
const CONNECT_WITHIN_MS = 15_000;

export interface ServerOfCluster {
  readonly dataDir: string;
  readonly port: number;
  /** The owner of the files in the cluster; null: our own user. */
  readonly user: ServerUser | null;
}

/**
 * The address at which the service connects, as a role without a superuser's rights. The superuser makes that role and gives it
 * the database in a new folder, and gives it again what an operator has made as the superuser in between. Where all is as it should be nothing is written, since the disk may be full.
 */
export async function serviceUrl(server: ServerOfCluster): Promise<string> {
  const superuser = new Client({
    connectionString: superuserAddress(server.dataDir, server.port),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  try {
    await superuser.connect();
    await giveDatabase(superuser);
    const password = passwordOf(server);
    const url = serviceAddress(password, server.port);
    if (!(await letsIn(url))) await setPassword(superuser, password);
    return url;
  } finally {
    await superuser.end();
  }
}

/** Gives all of it or nothing. */
async function giveDatabase(superuser: Client): Promise<void> {
  const role = await superuser.query<{ limited: boolean }>(
    `SELECT rolcanlogin AND NOT (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls) AS limited
     FROM pg_roles WHERE rolname = $1`,
    [SERVICE_ROLE],
  );
  const statements: string[] = [];
  if (role.rows[0] === undefined) statements.push(`CREATE ROLE ${SERVICE_ROLE} ${RIGHTS}`);
  else if (!role.rows[0].limited) statements.push(`ALTER ROLE ${SERVICE_ROLE} ${RIGHTS}`);
  const foreign = await superuser.query<{ statement: string }>(NOT_YET_OWNED, [SERVICE_ROLE, DATABASE]);
  statements.push(...foreign.rows.map(({ statement }) => statement));
  if (statements.length === 0) return;
  await superuser.query('BEGIN');
  for (const statement of statements) await superuser.query(statement);
  await superuser.query('COMMIT');
}

/** The superuser who made the cluster cannot have everything of his reassigned: what PostgreSQL itself needs is his, too. */
const NOT_YET_OWNED = `
  WITH objects AS (
    SELECT 1 AS place, 'DATABASE' AS kind, quote_ident(datname) AS name, datdba AS owner
    FROM pg_database WHERE datname = $2
    UNION ALL
    SELECT 2, CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
      oid::regclass::text, relowner
    FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid
        -- The sequence of a column goes with its table.
        AND (deptype = 'e' OR relkind = 'S' AND deptype IN ('a', 'i')))
    UNION ALL
    SELECT 3, 'ROUTINE', oid::regprocedure::text, proowner
    FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
    UNION ALL
    SELECT 4, 'TYPE', format_type(t.oid, NULL), typowner
    FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE typnamespace = 'public'::regnamespace AND (typtype IN ('e', 'd', 'r') OR c.relkind = 'c')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass AND objid = t.oid AND deptype = 'e'))
  SELECT format('ALTER %s %s OWNER TO %I', kind, name, $1::text) AS statement
  FROM objects WHERE pg_get_userbyid(owner) <> $1 ORDER BY place, name`;

async function letsIn(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD) return false;
    throw error;
  } finally {
    await client.end();
  }
}

const WRONG_PASSWORD = '28P01';

async function setPassword(superuser: Client, password: string): Promise<void> {
  await superuser.query(`ALTER ROLE ${SERVICE_ROLE} PASSWORD ${superuser.escapeLiteral(password)}`);
}

/** Made when it is missing: beside its place and renamed, so that it is there whole or not at all. */
function passwordOf({ dataDir, user }: ServerOfCluster): string {
  const stored = readServicePassword(dataDir);
  if (stored !== null) return stored;
  const password = randomBytes(24).toString('base64url');
  const file = servicePasswordFile(dataDir);
  const half = `${file}.new`;
  // One that was left behind keeps the rights that it was made with.
  rmSync(half, { force: true });
  writeFileSync(half, password, { mode: 0o600, flush: true });
  if (user !== null) chownSync(half, user.uid, user.gid);
  renameSync(half, file);
  return password;
}
