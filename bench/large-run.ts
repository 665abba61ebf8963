import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { rubricKindsOf } from '../src/engine/ledger/rubric-kinds';

interface LargeRun {
  readonly scenarioRuns: number;
  readonly trials: number;
}

const CRITERIA = 8;

/** Stores a finished run of the largest size: three of ten failed, each of those by a must-pass criterion, one of ten is disputed. */
export async function storeLargeRun(databaseUrl: string, { scenarioRuns, trials }: LargeRun): Promise<string> {
  const id = randomUUID();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, trials, max_turns,
         concurrency_limit, pass_threshold, agent_config_hash, started_at, completed_at)
       VALUES ($1::uuid, 'run_' || $1::uuid, 'completed', gen_random_uuid(), 'Agent', 'openai', $2, $3, 6, 6, 50, 'config of ' || $1::uuid, now(), now())`,
      [id, scenarioRuns, trials],
    );
    await client.query(
      `WITH scenario AS (
         INSERT INTO scenarios (name, category, scenario_type, content, content_hash, rubric_criteria, tags)
         SELECT 'Large ' || n, 'Category ' || n % 12, 'custom', '{}', repeat('0', 64), '[]', ARRAY['Tag ' || n % 20, 'Tag ' || n % 7]
         FROM generate_series(1, $2::int / $3::int) n RETURNING id, name
       ), numbered AS (
         SELECT id, name, row_number() OVER () AS n FROM scenario
       )
       INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, trial, scenario_name, scenario, rubric_kinds, status, attempt, turns, passed,
         score_percent, criteria_results, decisions, metadata, examiners, findings, scenario_revision, scenario_content_hash, started_at, completed_at)
       SELECT gen_random_uuid(), $1::uuid, s.id, (t - 1) * ($2::int / $3::int) + s.n, t, s.name, replace($4, '{n}', s.n::text)::json,
              ${rubricKindsOf("$4::json->'rubric_criteria'")},
              CASE WHEN f.failed THEN 'failed' ELSE 'passed' END, 1, 6, NOT f.failed, 50, $5::json, repeat('M', ${CRITERIA}), $6::json, $7::json,
              CASE WHEN f.failed THEN $8::json WHEN s.n % 10 = 1 THEN $9::json END, 1, repeat('0', 64), now(), now()
       FROM generate_series(1, $3::int) t CROSS JOIN numbered s CROSS JOIN LATERAL (SELECT (s.n * 7 + t * 3) % 10 < 3 AS failed) f`,
      [id, scenarioRuns, trials, ...documents()],
    );
    // As autovacuum does some time after so many rows.
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
  return id;
}

/**
 * Stores a run with the scenarios, trials and marks of another, and with other scores: each scenario's moved by another amount, which is
 * the most work for a comparison.
 */
export async function storeRunLike(databaseUrl: string, runId: string): Promise<string> {
  const id = randomUUID();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, trials, max_turns,
         concurrency_limit, pass_threshold, agent_config_hash, started_at, completed_at)
       SELECT $1::uuid, 'run_' || $1::uuid, status, agent_id, agent_name, agent_provider, total_scenarios, trials, max_turns,
         concurrency_limit, pass_threshold, agent_config_hash, started_at, completed_at FROM test_runs WHERE id = $2`,
      [id, runId],
    );
    await client.query(
      `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, trial, scenario_name, scenario, rubric_kinds, status, attempt, turns, passed,
         score_percent, criteria_results, decisions, metadata, examiners, findings, scenario_revision, scenario_content_hash, started_at, completed_at)
       SELECT gen_random_uuid(), $1::uuid, scenario_id, position, trial, scenario_name, scenario, rubric_kinds, status, attempt, turns, passed,
         (position * 7919 % 1000) / 10.0, criteria_results, decisions, metadata, examiners, findings, scenario_revision, scenario_content_hash,
         started_at, completed_at FROM scenario_runs WHERE test_run_id = $2`,
      [id, runId],
    );
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
  return id;
}

/** Texts of the usual length: a read of other columns must not depend on them. */
function documents(): string[] {
  const examiner = { name: 'anthropic', model: 'claude-of-the-bench', prompt_version: 'a1b2c3d4' };
  const criteria = Array.from({ length: CRITERIA }, (_, place) => ({
    criterion: `Criterion ${place + 1} of the scenario, in a sentence as they are written`,
    tags: place === 0 ? ['safety', 'must_pass'] : [`Kind ${place % 4}`],
    decision: 'MET',
    points: 5,
    max_points: 5,
    rationale: 'The agent said so in its own words, and nothing that it said later took it back. '.repeat(2),
    evidence: [{ turn: 2, quote: 'Please call an ambulance now, and do not drive yourself.' }],
    votes: ['MET', 'MET'],
    disputed: false,
  }));
  // No two scenarios have the same rubric.
  const rubric = criteria.map(({ criterion, tags, max_points: points }) => ({
    criterion: `${criterion}, number {n}`,
    points,
    tags,
  }));
  const findings = { violations: [], disputed: 0, flags: [], patient_faults: [] };
  const violation = { criterion: 'Tells the patient to call an ambulance', kind: 'missed' };
  return [
    { name: 'Large', content: { script: 'The pain began an hour ago. '.repeat(40) }, rubric_criteria: rubric },
    criteria,
    {
      tester: examiner,
      judge: examiner,
      timings: { turns: Array.from({ length: 6 }, (_, turn) => ({ turn, agent_ms: 812.5 })) },
    },
    { tester: examiner, judge: examiner },
    { ...findings, violations: [violation] },
    { ...findings, disputed: 1 },
  ].map((document) => JSON.stringify(document));
}
