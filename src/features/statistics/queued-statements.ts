import type { Queryable } from '../../platform/database/connections';

/** One connection for statements that their caller sends side by side: each waits for the one before, as the driver asks for. */
export function queuedStatements(connection: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: <Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> => {
      const answered = last.then(() => connection.query<Row>(sql, params));
      last = answered.catch(() => undefined);
      return answered;
    },
  };
}
