import type { Client } from 'pg';

/** What a run is stored in, each table after those that it refers to; and what must be there before a run is. */
export const RUN_TABLES = ['test_runs', 'scenario_runs', 'turns', 'run_log', 'run_examiners'] as const;
export const BASE_TABLES = ['agents', 'scenarios', 'scenario_revisions'] as const;
export type CopiedTable = (typeof RUN_TABLES)[number] | (typeof BASE_TABLES)[number];

/** Rows of runs that the service has really executed, whole: what it stores tomorrow is in tomorrow's template. */
export interface Template {
  /** The runs that are copied in turn, by their ids; an id that is named twice is copied twice as often. */
  readonly runIds: readonly string[];
  /** Of each table its rows as a JSON array. */
  readonly rows: ReadonlyMap<CopiedTable, string>;
}

const OF_RUNS = 'test_run_id = ANY($1::uuid[])';
const OF_SCENARIO_RUNS = `scenario_run_id IN (SELECT id FROM scenario_runs WHERE ${OF_RUNS})`;
const CHOSEN: Readonly<Record<CopiedTable, string | null>> = {
  agents: null,
  scenarios: null,
  scenario_revisions: null,
  test_runs: 'id = ANY($1::uuid[])',
  scenario_runs: OF_RUNS,
  turns: OF_SCENARIO_RUNS,
  run_log: OF_RUNS,
  run_examiners: OF_RUNS,
};

/** Reads what was stored of finished runs, with every agent and scenario there is. */
export async function readTemplate(client: Client, runIds: readonly string[]): Promise<Template> {
  const rows = new Map<CopiedTable, string>();
  for (const table of [...BASE_TABLES, ...RUN_TABLES]) {
    const chosen = CHOSEN[table];
    const answer = await client.query<{ rows: string }>(
      `SELECT COALESCE(json_agg(t), '[]')::text AS rows FROM ${table} t ${chosen === null ? '' : `WHERE ${chosen}`}`,
      chosen === null ? [] : [[...new Set(runIds)]],
    );
    rows.set(table, answer.rows[0]?.rows ?? '[]');
  }
  return { runIds, rows };
}
