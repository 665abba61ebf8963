import { Client } from 'pg';

const SCENARIO_RUNS_EACH = 6;

/** Fills the tables with finished runs of six scenario runs each, copied from one that was really executed. */
export async function storeFinishedRuns(databaseUrl: string, count: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO test_runs (id, label, name, status, agent_id, agent_name, agent_provider, total_scenarios, max_turns,
         concurrency_limit, pass_threshold, started_at, completed_at, created_at, last_seq, attempt)
       SELECT gen_random_uuid(), 'run_bench_' || n, NULL, 'completed', t.agent_id, t.agent_name, t.agent_provider, $2,
              t.max_turns, t.concurrency_limit, t.pass_threshold, t.started_at, t.completed_at,
              now() - n * interval '1 minute', 0, 1
       FROM (SELECT * FROM test_runs WHERE status = 'completed' ORDER BY created_at LIMIT 1) t, generate_series(1, $1) n`,
      [count, SCENARIO_RUNS_EACH],
    );
    await client.query(
      `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, scenario_name, scenario, rubric_kinds, status, attempt, turns,
         passed, score_percent, total_points, max_points, grade_summary, criteria_results, decisions, metadata, started_at,
         completed_at)
       SELECT gen_random_uuid(), t.id, s.scenario_id, n, s.scenario_name, s.scenario, s.rubric_kinds, s.status, 1, s.turns, s.passed,
              s.score_percent, s.total_points, s.max_points, s.grade_summary, s.criteria_results, s.decisions, s.metadata, s.started_at,
              s.completed_at
       FROM test_runs t, generate_series(1, $1) n,
            (SELECT * FROM scenario_runs WHERE status IN ('passed', 'failed') LIMIT 1) s
       WHERE t.label LIKE 'run\\_bench\\_%'`,
      [SCENARIO_RUNS_EACH],
    );
    // Autovacuum does this some time after so many rows; here it must not fall into a measurement.
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
