import type { EntityManager } from 'typeorm';
import type { Queryable } from './connections';

/** What is to be written with something that is made, in its transaction: both are stored, or neither. */
export type WriteWith<Made> = (tx: Queryable, made: Made) => Promise<void>;

/** Nothing is to be written with it. */
export const ALONE = (): Promise<void> => Promise.resolve();

/** The statements of the ORM's transaction. */
export function statementsOf(manager: Pick<EntityManager, 'query'>): Queryable {
  return { query: (sql, params = []) => manager.query(sql, [...params]) };
}
