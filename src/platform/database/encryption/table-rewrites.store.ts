import { Injectable } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';
import { type Transaction, statementsOf } from '../connections';
import { Database } from '../database';

/** Tables up to this size are written anew at once, which holds others up for well under a second. */
const REWRITTEN_AT_ONCE_BYTES = 64 * 1024 * 1024;
const REWRITE_WAITS_MS = 1_000;

/** More rows of the table may be about to be sealed: it is rewritten once, after the last of them. */
const QUIET_SECONDS = 2;

interface Standing {
  /** As statements write it; null when there is no such table. */
  readonly name: string | null;
  readonly small: boolean;
  readonly file: string;
}

/** `left`: only an operator can rewrite the table, since it is large or not the service's own. */
export type Rewritten = 'rewritten' | 'left' | 'in use';

/**
 * Notes that a table's files hold plain text of what is sealed now, with the change that seals it. A rewrite that is under way
 * loses its claim: what is sealed now is still owed.
 */
export async function requestTableRewrite(tx: Transaction, table: string): Promise<void> {
  await tx.query(
    `INSERT INTO pending_table_rewrites (table_name, next_attempt_at) VALUES ($1, now() + make_interval(secs => $2))
     ON CONFLICT (table_name) DO UPDATE SET next_attempt_at = EXCLUDED.next_attempt_at, claim = NULL, attempts = 0`,
    [table, QUIET_SECONDS],
  );
}

/** Has tables written anew, so that what PostgreSQL keeps of rows as they were goes with the old files. */
@Injectable()
export class TableRewritesStore {
  constructor(private readonly database: Database) {}

  async rewrite(table: string): Promise<Rewritten> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      const before = await standingOf(runner, table);
      // There is no such table: the entry was not made by this service, as in a backup that was restored. There is nothing to clear away.
      if (before.name === null) return 'rewritten';
      await runner.query(`SET lock_timeout = ${REWRITE_WAITS_MS}`);
      const isDone = await runner.query(`VACUUM (${before.small ? 'FULL, ' : ''}ANALYZE) ${before.name}`).then(
        () => true,
        () => false,
      );
      await runner.query('RESET lock_timeout');
      if (!isDone) return 'in use';
      // For a table that is not the service's own PostgreSQL only issues a warning.
      return (await standingOf(runner, table)).file === before.file ? 'left' : 'rewritten';
    } finally {
      await runner.release();
    }
  }
}

/** Reads by the connection that rewrites it: when all others are in use, it waits for none of them. */
async function standingOf({ manager }: QueryRunner, table: string): Promise<Standing> {
  const [standing] = await statementsOf(manager).query<Standing>(
    `SELECT to_regclass(quote_ident($1))::text AS name, pg_total_relation_size(to_regclass(quote_ident($1))) <= $2 AS small,
       pg_relation_filenode(to_regclass(quote_ident($1)))::text AS file`,
    [table, REWRITTEN_AT_ONCE_BYTES],
  );
  if (standing === undefined) throw new Error(`Nothing is known of the table ${table}.`);
  return standing;
}
