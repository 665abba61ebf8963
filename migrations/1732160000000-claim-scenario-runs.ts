import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Claims scenario runs in one statement: under the lock of their runs, as many as each run's concurrency limit has room for
 * over all processes. A claim raises the row's attempt, and its event is logged with it. Settings and naming as in
 * record_scenario_changes.
 */
export class ClaimScenarioRuns1732160000000 implements MigrationInterface {
  readonly name = 'ClaimScenarioRuns1732160000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION claim_scenario_runs_1(
        requests json, claimant uuid, lease_seconds float8, restarting_providers text[], claim_metadata json)
      RETURNS TABLE (ord int, kind text, attempt int, scenario_id uuid, scenario_name text, seq float8, at timestamptz)
      LANGUAGE plpgsql
      SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
      AS $$
      #variable_conflict use_column
      BEGIN
        PERFORM FROM test_runs
        WHERE id IN (SELECT r.test_run_id FROM json_to_recordset(requests) AS r(test_run_id uuid))
        ORDER BY id FOR UPDATE;

        RETURN QUERY
        WITH request AS MATERIALIZED (
          SELECT * FROM json_to_recordset(requests) AS r(ord int, id uuid, test_run_id uuid)
        ), moment AS MATERIALIZED (
          SELECT clock_timestamp()::timestamptz(3) AS at,
                 now() - make_interval(secs => lease_seconds) AS lease_start
        ), candidate AS (
          SELECT DISTINCT ON (s.id) r.ord, s.id, s.test_run_id
          FROM request r CROSS JOIN moment
          JOIN scenario_runs s ON s.id = r.id AND (s.test_run_id = r.test_run_id) IS TRUE
          WHERE s.status IN ('pending', 'running', 'grading')
            AND (s.owner IS NULL OR s.owner = claimant OR s.heartbeat_at < moment.lease_start)
          ORDER BY s.id, r.ord
        ), room AS (
          SELECT t.id, t.concurrency_limit - count(s.id) AS room
          FROM (SELECT DISTINCT c.test_run_id FROM candidate c) asked
          JOIN test_runs t ON t.id = asked.test_run_id AND t.status = 'running'
          CROSS JOIN moment
          LEFT JOIN scenario_runs s
            ON s.test_run_id = t.id AND s.status IN ('pending', 'running', 'grading') AND s.owner IS NOT NULL
            AND s.heartbeat_at >= moment.lease_start
          GROUP BY t.id
        ), placed AS (
          SELECT c.ord, c.id, c.test_run_id,
                 row_number() OVER (PARTITION BY c.test_run_id ORDER BY c.ord) <= COALESCE(room.room, 0) AS fits
          FROM candidate c LEFT JOIN room ON room.id = c.test_run_id
        ), taken AS (
          UPDATE scenario_runs s SET
            attempt = s.attempt + 1,
            owner = claimant,
            heartbeat_at = now(),
            status = CASE WHEN s.status = 'pending' THEN 'running' ELSE s.status END,
            started_at = COALESCE(s.started_at, now()),
            metadata = claim_metadata,
            conversation = CASE WHEN again.starts THEN s.attempt + 1 ELSE s.conversation END,
            turns = CASE WHEN again.starts THEN 0 ELSE s.turns END
          FROM (
            SELECT p.ord, p.id, c.status = 'running' AND c.turns > 0 AND c.turns < t.max_turns
                                AND t.agent_provider = ANY(restarting_providers) AS starts
            FROM placed p JOIN scenario_runs c ON c.id = p.id JOIN test_runs t ON t.id = p.test_run_id
            WHERE p.fits
          ) again
          WHERE s.id = again.id
          RETURNING again.ord, s.id, s.test_run_id, s.attempt, s.scenario_id, s.scenario_name
        ), event AS (
          SELECT k.*, t.last_seq + row_number() OVER (PARTITION BY k.test_run_id ORDER BY k.ord) AS seq
          FROM taken k JOIN test_runs t ON t.id = k.test_run_id
        ), logged AS (
          INSERT INTO run_events (test_run_id, seq, type, at, fields)
          SELECT e.test_run_id, e.seq, 'scenario_started', moment.at,
                 format('{"type":"scenario_started","scenario_run_id":"%s","scenario_id":"%s","scenario_name":%s,"attempt":%s}',
                        e.id, e.scenario_id, to_json(e.scenario_name), e.attempt)::json
          FROM event e CROSS JOIN moment
        ), numbered AS (
          UPDATE test_runs t SET last_seq = latest.seq
          FROM (SELECT e.test_run_id, max(e.seq) AS seq FROM event e GROUP BY e.test_run_id) latest
          WHERE t.id = latest.test_run_id
        )
        SELECT r.ord, CASE WHEN e.ord IS NOT NULL THEN 'claimed' WHEN p.ord IS NOT NULL THEN 'full' ELSE 'settled' END,
               e.attempt, e.scenario_id, e.scenario_name, e.seq::float8, moment.at
        FROM request r CROSS JOIN moment
        LEFT JOIN placed p ON p.ord = r.ord
        LEFT JOIN event e ON e.ord = r.ord;
      END $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
