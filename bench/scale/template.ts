import type { Client } from 'pg';

/** The tables in which a run is stored, each after those that it refers to; and those that must be filled before a run. */
export const RUN_TABLES = ['test_runs', 'scenario_runs', 'turns', 'run_log', 'run_examiners'] as const;
export const BASE_TABLES = ['agents', 'scenarios', 'scenario_revisions'] as const;
export type CopiedTable = (typeof RUN_TABLES)[number] | (typeof BASE_TABLES)[number];

/** Whole rows of runs that the service has really executed: columns of later versions will be in their templates. */
export interface Template {
  /** The runs that are copied in turn, by their ids; an id that is named twice is copied twice as often. */
  readonly runIds: readonly string[];
  /** The rows of each table as a JSON array. */
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

/** Reads the stored rows of finished runs, with all agents and scenarios. */
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
