import type { Transaction } from '../../src/platform/database';

/** Rows of the tables of runs that the session has read so far. */
export async function rowsRead(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `SELECT sum(COALESCE(idx_tup_fetch, 0) + seq_tup_read)::int AS rows
     FROM pg_stat_xact_user_tables WHERE relname IN ('scenario_runs', 'turns', 'run_log')`,
  );
  return row?.rows ?? 0;
}
