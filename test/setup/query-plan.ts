/** The row that EXPLAIN (ANALYZE, FORMAT JSON) answers with. */
export interface QueryPlan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

interface PlanNode {
  /** In each of its loops. */
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Of all steps of the plan. */
export function mostRowsRead(row: QueryPlan | undefined): number {
  return row === undefined ? Number.POSITIVE_INFINITY : mostIn(row['QUERY PLAN'][0].Plan);
}

function mostIn(node: PlanNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return Math.max(own, ...(node.Plans ?? []).map(mostIn));
}
