import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * record_scenario_changes as before, and:
 * - who gives a row back says which turns may have been sent; when all of those are recorded, `clean_release_attempt` notes
 *   that the next attempt repeats nothing;
 * - at most `lock_wait_ms` are waited for a lock (0: as long as a statement may take), so that one run whose lock is held
 *   does not hold up the others of its batch;
 * - the owner is answered too: a refused release is told from one that was done already.
 *
 * `failed_supervisions` counts how often the supervision of a run ended by a failure; restarts and hand-overs do not count.
 */
export class ReleaseCleanly1732610000000 implements MigrationInterface {
  readonly name = 'ReleaseCleanly1732610000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE test_runs ADD COLUMN failed_supervisions integer NOT NULL DEFAULT 0;

      CREATE FUNCTION record_scenario_changes_2(changes json, lock_wait_ms int)
      RETURNS TABLE (ord int, scenario_id uuid, status text, attempt int, owner uuid, turns int, first_seq float8,
                     at timestamptz, counts json)
      LANGUAGE plpgsql
      SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
      AS $$
      #variable_conflict use_column
      BEGIN
        PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
        PERFORM FROM test_runs
        WHERE id IN (SELECT c.test_run_id FROM json_to_recordset(changes) AS c(test_run_id uuid))
        ORDER BY id FOR UPDATE;

        RETURN QUERY
        WITH change AS MATERIALIZED (
          SELECT * FROM json_to_recordset(changes) AS c(
            ord int, id uuid, test_run_id uuid, attempt int, owner uuid, allowed_from json, status text,
            is_final boolean, releases boolean, sent_turns int, turn int, patient_message text, patient_at timestamptz, agent_message text,
            agent_at timestamptz, latency_ms float8, continuation json, turn_metadata json, passed boolean,
            score_percent float8, total_points float8, max_points float8, grade_summary text, criteria_results json,
            error_code text, error_message text, metadata json, events json)
        ), moment AS MATERIALIZED (
          SELECT clock_timestamp()::timestamptz(3) AS at
        ), fenced AS (
          UPDATE scenario_runs s SET
            status = COALESCE(c.status, s.status),
            turns = COALESCE(c.turn, s.turns),
            heartbeat_at = now(),
            owner = CASE WHEN c.releases THEN NULL ELSE s.owner END,
            clean_release_attempt = CASE WHEN c.sent_turns <= s.turns THEN s.attempt ELSE s.clean_release_attempt END,
            passed = COALESCE(c.passed, s.passed),
            score_percent = COALESCE(c.score_percent, s.score_percent),
            total_points = COALESCE(c.total_points, s.total_points),
            max_points = COALESCE(c.max_points, s.max_points),
            grade_summary = COALESCE(c.grade_summary, s.grade_summary),
            criteria_results = COALESCE(c.criteria_results, s.criteria_results),
            error_code = COALESCE(c.error_code, s.error_code),
            error_message = COALESCE(c.error_message, s.error_message),
            metadata = COALESCE(c.metadata, s.metadata),
            completed_at = CASE WHEN c.is_final THEN moment.at ELSE s.completed_at END
          FROM change c, moment
          -- IS TRUE: no index serves the run's id here, which would look at all its scenario runs.
          WHERE s.id = c.id AND (s.test_run_id = c.test_run_id) IS TRUE
            AND s.attempt = c.attempt AND s.owner = c.owner
            AND s.status IN (SELECT json_array_elements_text(c.allowed_from))
            AND (c.turn IS NULL OR s.turns = c.turn - 1)
          RETURNING c.ord, s.id, s.test_run_id, s.scenario_id, s.conversation, c.is_final, s.status
        ), recorded AS (
          INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at,
                             latency_ms, continuation, metadata)
          SELECT f.id, f.conversation, c.turn, c.patient_message, c.patient_at, c.agent_message, c.agent_at,
                 c.latency_ms, c.continuation, c.turn_metadata
          FROM fenced f JOIN change c ON c.ord = f.ord WHERE c.turn IS NOT NULL
        ), outcome AS (
          SELECT f.ord, f.test_run_id,
                 count(*) FILTER (WHERE f.status = 'passed') OVER so_far AS passed,
                 count(*) FILTER (WHERE f.status = 'failed') OVER so_far AS failed,
                 count(*) FILTER (WHERE f.status = 'error') OVER so_far AS error
          FROM fenced f WHERE f.is_final
          WINDOW so_far AS (PARTITION BY f.test_run_id ORDER BY f.ord)
        ), standing AS (
          -- The statement's snapshot is older than its own updates: these are the counts before the changes.
          SELECT s.test_run_id,
                 count(*) FILTER (WHERE s.status = 'passed') AS passed,
                 count(*) FILTER (WHERE s.status = 'failed') AS failed,
                 count(*) FILTER (WHERE s.status = 'error') AS error,
                 count(*) FILTER (WHERE s.status = 'canceled') AS canceled,
                 count(*) AS total
          FROM scenario_runs s WHERE s.test_run_id IN (SELECT o.test_run_id FROM outcome o) GROUP BY s.test_run_id
        ), counted AS (
          SELECT o.ord, format('{"passed":%s,"failed":%s,"error":%s,"canceled":%s,"total":%s}', b.passed + o.passed,
                               b.failed + o.failed, b.error + o.error, b.canceled, b.total) AS counts
          FROM outcome o JOIN standing b ON b.test_run_id = o.test_run_id
        ), event AS (
          SELECT f.ord, f.test_run_id, e.type,
                 run.last_seq + row_number() OVER (PARTITION BY f.test_run_id ORDER BY f.ord, e.place) AS seq,
                 CASE WHEN e.counted
                   THEN left(e.fields, -1) || ',"scenario_id":"' || f.scenario_id || '","counts":' || n.counts || '}'
                   ELSE e.fields END AS fields
          FROM fenced f
          JOIN change c ON c.ord = f.ord
          JOIN test_runs run ON run.id = f.test_run_id
          CROSS JOIN LATERAL json_to_recordset(c.events) AS e(place int, type text, counted boolean, fields text)
          LEFT JOIN counted n ON n.ord = f.ord
        ), logged AS (
          INSERT INTO run_events (test_run_id, seq, type, at, fields)
          SELECT e.test_run_id, e.seq, e.type, moment.at, e.fields::json FROM event e, moment
        ), numbered AS (
          UPDATE test_runs t SET last_seq = latest.seq
          FROM (SELECT e.test_run_id, max(e.seq) AS seq FROM event e GROUP BY e.test_run_id) latest
          WHERE t.id = latest.test_run_id
        )
        SELECT c.ord, f.scenario_id, s.status, s.attempt, s.owner, s.turns,
               (SELECT min(e.seq) FROM event e WHERE e.ord = c.ord)::float8, moment.at, n.counts::json
        FROM change c CROSS JOIN moment
        LEFT JOIN fenced f ON f.ord = c.ord
        LEFT JOIN counted n ON n.ord = c.ord
        LEFT JOIN scenario_runs s ON s.id = c.id;
      END $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
