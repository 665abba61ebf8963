import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { CommitInDoubt, isConnectionError } from './unavailable';

export interface Queryable {
  /** Rows as the driver reads them: bigint as string, timestamps as Date, json parsed. */
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** Statements of one transaction. Not to be used after the work that was given it has settled. */
export type Transaction = Queryable;

/** Statements and transactions over the connections of one pool. */
export class Connections implements Queryable {
  constructor(private readonly pool: Pool) {}

  async query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(sql, [...params]);
    // The driver cannot know a statement's columns; the caller, who wrote the statement, does.
    return rows as Row[];
  }

  /**
   * Commits what the work wrote, or nothing when it throws.
   * @throws CommitInDoubt when the connection broke during the commit: it may have been done, or may yet be
   */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    // The pool listens on idle connections only; without a listener a broken one would end the process.
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    const tx: Transaction = {
      query: async <Row>(sql: string, params: readonly unknown[] = []) => {
        const { rows } = await client.query(sql, [...params]);
        return rows as Row[];
      },
    };
    try {
      await client.query('BEGIN');
      const result = await work(tx);
      await client.query('COMMIT').catch((error: unknown) => {
        throw isConnectionError(error) ? new CommitInDoubt(error) : error;
      });
      return result;
    } catch (error) {
      // Nothing that is said on it would be answered: a caller that hears of it need not wait for a second time.
      if (isConnectionError(error)) broken ??= error instanceof Error ? error : new Error('The connection broke.');
      else
        await client.query('ROLLBACK').catch((failure: unknown) => {
          broken ??= failure instanceof Error ? failure : new Error('The rollback failed.', { cause: failure });
        });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }
}

/** A statement written in the transaction that makes something: both are stored, or neither. */
export type WriteWith<Made> = (tx: Queryable, made: Made) => Promise<void>;

/** Writes nothing with it. */
export const ALONE = (): Promise<void> => Promise.resolve();

/** The statements of the ORM's transaction. */
export function statementsOf(manager: Pick<EntityManager, 'query'>): Queryable {
  return { query: (sql, params = []) => manager.query(sql, [...params]) };
}
