import { userInfo } from 'node:os';
import type { Client } from 'pg';
import { withSession } from './session';

/** The role in the audit trail: a user who can work on the database itself needs no key. */
const ROLE = 'database';
const RESOURCE = 'backups';
const DONE = 200;
const FAILED = 500;

/** Longer than a command is busy or out of touch when all is well. */
const ALIVE_SECONDS = 30;
const RENEW_EVERY_MS = 10_000;

/**
 * Does the work with a line for it in the audit trail: written before, completed after. Where it cannot be written, the work is done all
 * the same, since a standby and a full disk are to be backed up, too.
 * @param tell hears why the trail does not have it, once the work is done
 */
export async function withAuditLine<Result>(
  url: string,
  command: string,
  work: () => Promise<Result>,
  tell: (error: unknown) => void,
): Promise<Result> {
  const missing: unknown[] = [];
  const number = await begun(url, command).catch((error: unknown) => {
    missing.push(error);
    return null;
  });
  const renewing = setInterval(() => {
    if (number !== null) renewed(url, number).catch(() => undefined);
  }, RENEW_EVERY_MS);
  const end = async (status: number): Promise<void> => {
    clearInterval(renewing);
    if (number !== null) await ended(url, number, status).catch((error: unknown) => void missing.push(error));
  };
  try {
    const result = await work();
    await end(DONE);
    for (const error of missing) tell(error);
    return result;
  } catch (error) {
    await end(FAILED);
    throw error;
  }
}

/** Adds a line for something that is over, as a restore is when there is a trail to write into. */
export async function addAuditLine(url: string, command: string): Promise<void> {
  const number = await begun(url, command);
  if (number !== null) await ended(url, number, DONE);
}

/** Null when there is no trail yet: no service has used the database. */
function begun(url: string, command: string): Promise<string | null> {
  return withPatience(url, async (client) => {
    const { rows: found } = await client.query<{ there: boolean }>(
      `SELECT to_regclass('audit_records') IS NOT NULL AS there`,
    );
    if (found[0]?.there !== true) return null;
    const { rows } = await client.query<{ number: string }>(
      `INSERT INTO audit_records (who, role, method, route, resource, alive_until)
       VALUES ($1, $2, 'COMMAND', $3, $4, now() + make_interval(secs => $5)) RETURNING number`,
      [user(), ROLE, command, RESOURCE, ALIVE_SECONDS],
    );
    return rows[0]?.number ?? null;
  });
}

const renewed = (url: string, number: string): Promise<unknown> =>
  withPatience(url, (client) =>
    client.query(
      `UPDATE audit_records SET alive_until = now() + make_interval(secs => $2) WHERE number = $1 AND status IS NULL`,
      [number, ALIVE_SECONDS],
    ),
  );

const ended = (url: string, number: string, status: number): Promise<unknown> =>
  withPatience(url, (client) =>
    client.query(`UPDATE audit_records SET status = $2, completed_at = now() WHERE number = $1 AND status IS NULL`, [
      number,
      status,
    ]),
  );

/** Waits only a little: a table that another session has locked does not keep a user from backing up. */
function withPatience<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  return withSession(url, async (client) => {
    await client.query(`SET lock_timeout = '1500ms'; SET statement_timeout = '10s'`);
    return work(client);
  });
}

/** The user of the operating system. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
