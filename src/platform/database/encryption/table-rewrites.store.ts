import { Injectable } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';
import { type Transaction, statementsOf } from '../connections';
import { Database } from '../database';

/** Tables up to this size are written anew at once, which holds others up for well under a second. */
const REWRITTEN_AT_ONCE_BYTES = 64 * 1024 * 1024;
const REWRITE_WAITS_MS = 1_000;

interface Pending {
  readonly table: string;
  readonly times: number;
}

interface Standing {
  /** As statements write it; null when there is no such table. */
  readonly name: string | null;
  readonly small: boolean;
  readonly file: string;
}

export interface Rewritten {
  /** Tables that only an operator can rewrite: they are large, or not the service's own. */
  readonly left: readonly string[];
  /** Tables that were in use: their rewrite is still pending. */
  readonly later: readonly string[];
}

/** Notes that a table's files hold plain text of what is sealed now, with the change that seals it. */
export async function requestTableRewrite(tx: Transaction, table: string): Promise<void> {
  await tx.query(
    `INSERT INTO pending_table_rewrites (table_name) VALUES ($1)
     ON CONFLICT (table_name) DO UPDATE SET times = pending_table_rewrites.times + 1`,
    [table],
  );
}

/** Has tables written anew, so that what PostgreSQL keeps of rows as they were goes with the old files. */
@Injectable()
export class TableRewritesStore {
  constructor(private readonly database: Database) {}

  /** Rewrites every pending table, also those noted by a process that was killed before it could. */
  async rewritePending(): Promise<Rewritten> {
    const owed = await this.database.query<Pending>(
      'SELECT table_name AS "table", times FROM pending_table_rewrites ORDER BY 1',
    );
    const left: string[] = [];
    const later: string[] = [];
    for (const { table, times } of owed) {
      const outcome = await this.rewrite(table);
      if (outcome === 'in use') {
        later.push(table);
        continue;
      }
      if (outcome === 'left') left.push(table);
      // What was sealed in the meantime is still pending.
      await this.database.query('DELETE FROM pending_table_rewrites WHERE table_name = $1 AND times = $2', [
        table,
        times,
      ]);
    }
    return { left, later };
  }

  private async rewrite(table: string): Promise<'rewritten' | 'left' | 'in use'> {
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
