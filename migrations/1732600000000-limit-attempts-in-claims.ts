import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Claims with a limit: a scenario run that was claimed `max_attempts` times ends in an error instead of being claimed again,
 * whatever kept its executions from ending. What is asked for does not count as under way: its owner is dead, or is the
 * claimant, who lost the answer to an earlier claim.
 *
 * `clean_release_attempt` names the attempt that last gave the row back knowing that the turn after the recorded ones was
 * not sent, neither by it nor before it. `conversation` is the attempt that began the conversation, also when the one
 * before it died in its first turn.
 *
 * At most `lock_wait_ms` are waited for a lock; 0: as long as a statement may take.
 */
export class LimitAttemptsInClaims1732600000000 implements MigrationInterface {
  readonly name = 'LimitAttemptsInClaims1732600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE scenario_runs ADD COLUMN clean_release_attempt integer;

      CREATE FUNCTION claim_scenario_runs_2(
        requests json, claimant uuid, lease_seconds float8, restarting_providers text[], claim_metadata json,
        max_attempts int, surrender json, lock_wait_ms int)
      RETURNS TABLE (ord int, kind text, attempt int, scenario_id uuid, scenario_name text, seq float8, at timestamptz,
                     counts json)
      LANGUAGE plpgsql
      SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
      AS $$
      #variable_conflict use_column
      BEGIN
        PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
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
          SELECT DISTINCT ON (s.id) r.ord, s.id, s.test_run_id, s.attempt >= max_attempts AS is_exhausted,
                 s.owner IS NOT NULL AND s.heartbeat_at >= moment.lease_start AS is_counted
          FROM request r CROSS JOIN moment
          JOIN scenario_runs s ON s.id = r.id AND (s.test_run_id = r.test_run_id) IS TRUE
          WHERE s.status IN ('pending', 'running', 'grading')
            AND (s.owner IS NULL OR s.owner = claimant OR s.heartbeat_at < moment.lease_start)
          ORDER BY s.id, r.ord
        ), room AS (
          SELECT t.id, t.concurrency_limit - count(s.id) + asked.counted AS room
          FROM (
            SELECT c.test_run_id, count(*) FILTER (WHERE c.is_counted) AS counted FROM candidate c GROUP BY c.test_run_id
          ) asked
          JOIN test_runs t ON t.id = asked.test_run_id AND t.status = 'running'
          CROSS JOIN moment
          LEFT JOIN scenario_runs s
            ON s.test_run_id = t.id AND s.status IN ('pending', 'running', 'grading') AND s.owner IS NOT NULL
            AND s.heartbeat_at >= moment.lease_start
          GROUP BY t.id, asked.counted
        ), placed AS (
          SELECT c.ord, c.id, c.test_run_id,
                 row_number() OVER (PARTITION BY c.test_run_id ORDER BY c.ord) <= COALESCE(room.room, 0) AS fits
          FROM candidate c LEFT JOIN room ON room.id = c.test_run_id
          WHERE NOT c.is_exhausted
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
            SELECT p.ord, p.id,
                   c.status = 'running' AND c.turns < t.max_turns AND t.agent_provider = ANY(restarting_providers)
                   AND (c.turns > 0 OR c.clean_release_attempt IS DISTINCT FROM c.attempt) AS starts
            FROM placed p JOIN scenario_runs c ON c.id = p.id JOIN test_runs t ON t.id = p.test_run_id
            WHERE p.fits
          ) again
          WHERE s.id = again.id
          RETURNING again.ord, s.id, s.test_run_id, s.attempt, s.scenario_id, s.scenario_name
        ), ended AS (
          UPDATE scenario_runs s SET
            status = 'error', owner = NULL, completed_at = moment.at, error_code = surrender->>'code',
            error_message = surrender->>'message', metadata = (s.metadata::jsonb || jsonb_build_object('attempts', s.attempt))::json
          FROM candidate c JOIN test_runs t ON t.id = c.test_run_id AND t.status = 'running', moment
          WHERE s.id = c.id AND c.is_exhausted
          RETURNING c.ord, s.id, s.test_run_id, s.attempt, s.scenario_id, s.scenario_name
        ), counted AS (
          -- The statement's snapshot is older than its own updates: these are the counts before them.
          SELECT e.ord, format('{"passed":%s,"failed":%s,"error":%s,"canceled":%s,"total":%s}', b.passed, b.failed,
                               b.error + row_number() OVER (PARTITION BY e.test_run_id ORDER BY e.ord), b.canceled,
                               b.total) AS counts
          FROM ended e CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE s.status = 'passed') AS passed,
                   count(*) FILTER (WHERE s.status = 'failed') AS failed,
                   count(*) FILTER (WHERE s.status = 'error') AS error,
                   count(*) FILTER (WHERE s.status = 'canceled') AS canceled,
                   count(*) AS total
            FROM scenario_runs s WHERE s.test_run_id = e.test_run_id
          ) b
        ), news AS (
          SELECT k.*, 'claimed' AS kind, 'scenario_started' AS type, NULL AS counts,
                 format('{"type":"scenario_started","scenario_run_id":"%s","scenario_id":"%s","scenario_name":%s,"attempt":%s}',
                        k.id, k.scenario_id, to_json(k.scenario_name), k.attempt) AS fields
          FROM taken k
          UNION ALL
          SELECT e.*, 'exhausted', 'scenario_error', n.counts,
                 format('{"type":"scenario_error","scenario_run_id":"%s","error_code":%s,"error":%s,"scenario_id":"%s","counts":%s}',
                        e.id, surrender->'code', surrender->'message', e.scenario_id, n.counts)
          FROM ended e JOIN counted n ON n.ord = e.ord
        ), event AS (
          SELECT n.*, t.last_seq + row_number() OVER (PARTITION BY n.test_run_id ORDER BY n.ord) AS seq
          FROM news n JOIN test_runs t ON t.id = n.test_run_id
        ), logged AS (
          INSERT INTO run_events (test_run_id, seq, type, at, fields)
          SELECT e.test_run_id, e.seq, e.type, moment.at, e.fields::json FROM event e CROSS JOIN moment
        ), numbered AS (
          UPDATE test_runs t SET last_seq = latest.seq
          FROM (SELECT e.test_run_id, max(e.seq) AS seq FROM event e GROUP BY e.test_run_id) latest
          WHERE t.id = latest.test_run_id
        )
        SELECT r.ord, COALESCE(e.kind, CASE WHEN p.ord IS NOT NULL THEN 'full' ELSE 'settled' END),
               e.attempt, e.scenario_id, e.scenario_name, e.seq::float8, moment.at, e.counts::json
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
