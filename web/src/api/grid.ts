import type { GridOrder, GridView } from '../../../contract/grid';
import { call } from './client';

export type { GridCell, GridOrder, GridRow, GridView as Grid } from '../../../contract/grid';

interface GridPage {
  readonly order: GridOrder;
  readonly limit: number;
  /** From 0. */
  readonly page: number;
}

/** A page of the grid of these runs, columns in their order. */
export function readGrid(
  runIds: readonly string[],
  { order, limit, page }: GridPage,
  signal: AbortSignal,
): Promise<GridView> {
  const query = { test_run_id: [...runIds], order, limit, offset: page * limit };
  return call('GET /api/v1/grid', { query, signal });
}
