import type { Client } from 'pg';

/** A read that a user waits for. */
export interface Document {
  readonly what: string;
  /** Another path each time, as different users look at different runs. */
  readonly path: (place: number) => string;
  /** Milliseconds at p99; null without a promise. */
  readonly goal: number | null;
}

const GOAL_MS = 50;
const LOOKED_AT = 200;

/** The reads of a service with full tables: lists, single runs, statistics, exports, and the first requests of the page. */
export async function documentsOf(client: Client): Promise<Document[]> {
  const runs = await column(
    client,
    `SELECT id FROM test_runs WHERE status = 'completed' ORDER BY md5(id::text) LIMIT $1`,
  );
  const graded = await column(
    client,
    `SELECT id FROM scenario_runs WHERE status IN ('passed', 'failed') ORDER BY id LIMIT $1`,
  );
  const scenarios = await column(
    client,
    `SELECT DISTINCT scenario_id AS id FROM scenario_runs WHERE test_run_id = (SELECT id FROM test_runs LIMIT 1) LIMIT $1`,
  );
  const [stored] = (await client.query<{ runs: number }>('SELECT count(*)::int AS runs FROM test_runs')).rows;
  const deepest = Math.max(0, (stored?.runs ?? 0) - 25);
  const api = '/api/v1';
  const run = (place: number): string => runs[place % runs.length] ?? '';
  const other = (place: number): string => runs[(place + 1) % runs.length] ?? '';
  const one = (list: readonly string[], place: number): string => list[place % list.length] ?? '';
  const goal = GOAL_MS;
  return [
    { what: 'list of runs, first page', path: () => `${api}/tests?limit=25`, goal },
    { what: 'list of runs, 100', path: (at) => `${api}/tests?limit=100&offset=${(at % 20) * 100}`, goal },
    {
      what: 'list of runs, last page',
      path: (at) => `${api}/tests?limit=25&offset=${Math.max(0, deepest - (at % 50))}`,
      goal,
    },
    {
      what: 'list of runs, completed',
      path: (at) => `${api}/tests?status=completed&limit=25&offset=${(at % 50) * 25}`,
      goal,
    },
    { what: 'list of runs, canceled', path: () => `${api}/tests?status=canceled&limit=25`, goal },
    { what: 'list of runs, derived from one', path: (at) => `${api}/tests?derived_from=${run(at)}&limit=100`, goal },
    { what: 'a run', path: (at) => `${api}/tests/${run(at)}`, goal },
    { what: 'its scenario runs', path: (at) => `${api}/scenario-runs?test_run_id=${run(at)}&limit=100`, goal },
    { what: 'a scenario run with its transcript', path: (at) => `${api}/scenario-runs/${one(graded, at)}`, goal },
    { what: 'statistics of a run', path: (at) => `${api}/tests/${run(at)}/statistics`, goal },
    { what: 'comparison of two runs', path: (at) => `${api}/tests/${run(at)}/comparison?before=${other(at)}`, goal },
    { what: 'history of a scenario', path: (at) => `${api}/scenarios/${one(scenarios, at)}/history`, goal },
    { what: 'review queue of a run', path: (at) => `${api}/tests/${run(at)}/review-queue?sample=10&seed=1`, goal },
    { what: 'report of a run', path: (at) => `${api}/tests/${run(at)}/report`, goal: null },
    { what: 'export of a run, JSON', path: (at) => `${api}/tests/${run(at)}/export?format=json`, goal: null },
    { what: 'export of a run, JUnit', path: (at) => `${api}/tests/${run(at)}/export?format=junit`, goal: null },
    { what: 'agents, with their baselines', path: () => `${api}/agents`, goal },
    { what: 'agreement with reviewers', path: () => `${api}/agreement`, goal },
    { what: 'live actors', path: () => `${api}/inspect/actors`, goal },
    { what: 'the page', path: () => '/', goal },
    { what: 'health', path: () => '/health', goal },
  ];
}

async function column(client: Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(sql, [LOOKED_AT]);
  return rows.map(({ id }) => id);
}
