import type { Connections, Transaction } from '../database/connections';
import type { ClaimedJob, JobTable } from './job-kind';

/** The rows of a table as jobs: claimed by one process at a time, under a lease, and written to under the claim alone. */
export class JobRows {
  constructor(
    private readonly connections: Pick<Connections, 'query' | 'transaction'>,
    private readonly table: JobTable,
    private readonly leaseMs: number,
  ) {}

  /** Claims at most so many of the jobs that are due; in the order in which they became due. */
  claim(limit: number): Promise<readonly ClaimedJob[]> {
    const { name, key, due = dueOf(this.table) } = this.table;
    return this.connections.query<ClaimedJob>(
      `WITH due AS (${due}), claimed AS (
         UPDATE ${name} j SET claim = gen_random_uuid(), attempts = j.attempts + 1, next_attempt_at = now() + ${MILLISECONDS('$2')}
         FROM due WHERE j.${key} = due.key RETURNING j.${key}::text AS key, j.claim, j.attempts AS attempt, due.due_at)
       SELECT key, claim, attempt FROM claimed ORDER BY due_at, key`,
      [limit, this.leaseMs],
    );
  }

  /** False when the claim is lost. One row a statement: a statement over several could wait for another in a circle. */
  async renew({ key, claim }: ClaimedJob): Promise<boolean> {
    const renewed = await this.connections.query(
      `UPDATE ${this.table.name} SET next_attempt_at = now() + ${MILLISECONDS('$3')}
       WHERE ${this.table.key} = $1 AND claim = $2 RETURNING 1`,
      [key, claim, this.leaseMs],
    );
    return renewed.length > 0;
  }

  /** The job is over. False, with nothing written, when the claim is lost. */
  end(job: ClaimedJob, write: Write = NOTHING): Promise<boolean> {
    const { name, key, keepsRows } = this.table;
    const over = keepsRows ? `UPDATE ${name} SET claim = NULL, next_attempt_at = NULL` : `DELETE FROM ${name}`;
    return this.settle(`${over} WHERE ${key} = $1 AND claim = $2 RETURNING 1`, job, [], write);
  }

  /**
   * The job is due again after so long. False, with nothing written, when the claim is lost.
   * @param isCounted whether the attempt was made
   */
  putOff(job: ClaimedJob, afterMs: number, isCounted: boolean, write: Write = NOTHING): Promise<boolean> {
    return this.settle(
      `UPDATE ${this.table.name} SET claim = NULL, attempts = attempts - $3::int, next_attempt_at = now() + ${MILLISECONDS('$4')}
       WHERE ${this.table.key} = $1 AND claim = $2 RETURNING 1`,
      job,
      [isCounted ? 0 : 1, afterMs],
      write,
    );
  }

  private settle(sql: string, { key, claim }: ClaimedJob, values: readonly unknown[], write: Write): Promise<boolean> {
    return this.connections.transaction(async (tx) => {
      const settled = await tx.query(sql, [key, claim, ...values]);
      if (settled.length === 0) return false;
      await write(tx);
      return true;
    });
  }
}

type Write = (tx: Transaction) => Promise<void>;

const NOTHING: Write = () => Promise.resolve();

const MILLISECONDS = (parameter: string): string => `make_interval(secs => ${parameter}::float8 / 1000)`;

function dueOf({ name, key }: JobTable): string {
  return `SELECT ${key} AS key, next_attempt_at AS due_at FROM ${name} WHERE next_attempt_at <= now()
          ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED`;
}
