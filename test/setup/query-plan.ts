import type { Database } from '../../src/platform/database';

/** The row that EXPLAIN (ANALYZE, FORMAT JSON) answers with. */
export interface QueryPlan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

interface PlanNode {
  /** In each of its loops. */
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Of all steps of the plan. */
export function mostRowsRead(row: QueryPlan | undefined): number {
  return row === undefined ? Number.POSITIVE_INFINITY : mostIn(row['QUERY PLAN'][0].Plan);
}

function mostIn(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = (node['Actual Rows'] + removed) * node['Actual Loops'];
  return Math.max(own, ...(node.Plans ?? []).map(mostIn));
}

/** The same database, which also has each statement that reads explained: `mostRows` says what the largest step of any of them looked at. */
export function explaining(database: Database): { readonly explained: Database; readonly mostRows: () => number } {
  let most = 0;
  const query = async <Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> => {
    const [plan] = await database.query<QueryPlan>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, params);
    most = Math.max(most, mostRowsRead(plan));
    return database.query<Row>(sql, params);
  };
  const explained = new Proxy(database, {
    get: (target, name, receiver) => (name === 'query' ? query : Reflect.get(target, name, receiver)),
  });
  return { explained, mostRows: () => most };
}
