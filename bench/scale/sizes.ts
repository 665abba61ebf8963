import type { Client } from 'pg';
import type { ReportTable } from './table';

export const SIZE_HEADINGS = ['table', 'rows', 'rows and texts', 'indexes', 'bytes a row', 'of these indexes'];

const TABLES = ['test_runs', 'scenario_runs', 'turns', 'run_log', 'run_examiners'];

/** The size of the tables on the disk, in all and per row. */
export async function measureSizes(client: Client, table: ReportTable): Promise<void> {
  for (const name of TABLES) {
    const [size] = (
      await client.query<{ rows: number; data: number; indexes: number }>(
        `SELECT (SELECT count(*) FROM ${name})::float8 AS rows, pg_table_size($1::regclass)::float8 AS data,
                pg_indexes_size($1::regclass)::float8 AS indexes`,
        [name],
      )
    ).rows;
    if (size === undefined) continue;
    const { rows, data, indexes } = size;
    table.add(
      name,
      rows.toLocaleString('en'),
      megabytes(data),
      megabytes(indexes),
      `${Math.round((data + indexes) / rows).toLocaleString('en')} B`,
      `${Math.round(indexes / rows).toLocaleString('en')} B`,
    );
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MB`;
}
