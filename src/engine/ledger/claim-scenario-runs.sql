-- Claims scenario runs: under the lock of their runs, as many as each run's concurrency limit has room for over all processes.
-- A claim raises the row's attempt, and its event is appended with it. A scenario run that was claimed max_attempts times ends
-- as `surrender` says instead of being claimed again. What is asked for does not count as under way: its owner is dead, or is
-- the claimant, who lost the answer to an earlier claim.
--
-- `conversation` is the attempt that began the conversation. Providers of the kinds restarting_providers begin it again with
-- each attempt, unless the one before gave the row back having said nothing.
--
-- A row of a derived run may come with turns of another conversation (kept_turns), with what its patient says after them
-- (given_message), and with the tester that played all of it (played_by), who is then named in place of the claimant's. One of a
-- run of scenarios, or of a calibration, has the seed and the region of its examination (examination).
--
-- Answers rows of two kinds: `kind` set (claimed, exhausted, full) for the request at `ord`, where a claimed one has the whole
-- record that it is executed from; `seq` set for each event. A request without a row is settled: final, gone or owned.
--
-- Rows are looked up by their ids, one by one, whatever the planner believes of the table: it plans by statistics, which may be of a
-- moment when there was next to nothing in it, and would then read all of it. Hence the OFFSET 0, past which it does not reorder.
--
-- Settings and lock_wait_ms: as of record_scenario_changes.
CREATE FUNCTION claim_scenario_runs(
  run_ids uuid[], ids uuid[], claimant uuid, lease_seconds float8, restarting_providers text[], claim_metadata json,
  max_attempts int, surrender json, lock_wait_ms int)
RETURNS TABLE (ord int, kind text, attempt int, execution json, seq float8, at timestamptz, fields text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
  full_ords int[];
  news_ords int[];
  news_kinds text[];
  news_runs uuid[];
  news_rows uuid[];
  news_types text[];
  news_settled text[];
  news_fields text[];
BEGIN
  PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
  PERFORM FROM test_runs WHERE id = ANY(run_ids) ORDER BY id FOR UPDATE;

  WITH moment AS MATERIALIZED (
    SELECT clock_timestamp()::timestamptz(3) AS at, now() - make_interval(secs => lease_seconds) AS lease_start
  ), candidate AS MATERIALIZED (
    SELECT DISTINCT ON (s.id) r.ord::int AS ord, s.id, s.test_run_id, s.attempt >= max_attempts AS is_exhausted,
           s.owner IS NOT NULL AND s.heartbeat_at >= moment.lease_start AS is_counted
    FROM unnest(run_ids, ids) WITH ORDINALITY AS r(test_run_id, id, ord) CROSS JOIN moment
    CROSS JOIN LATERAL (SELECT * FROM scenario_runs WHERE id = r.id OFFSET 0) s
    WHERE s.status IN ('pending', 'running', 'grading')
      AND s.test_run_id = r.test_run_id
      AND (s.owner IS NULL OR s.owner = claimant OR s.heartbeat_at < moment.lease_start)
    ORDER BY s.id, r.ord
  ), room AS MATERIALIZED (
    SELECT t.id, t.concurrency_limit - under_way.number + asked.counted AS room
    FROM (
      SELECT c.test_run_id, count(*) FILTER (WHERE c.is_counted) AS counted FROM candidate c GROUP BY c.test_run_id
    ) asked
    JOIN test_runs t ON t.id = asked.test_run_id AND t.status = 'running'
    CROSS JOIN moment
    CROSS JOIN LATERAL (
      -- What waits has no owner. By an expression, and without a status that an index' condition could match, so that only
      -- scenario_runs_owned serves: with any other one a claim would go through all that waits, or has ended, whenever the statistics
      -- are of another moment.
      SELECT count(*) AS number FROM scenario_runs s
      WHERE s.test_run_id::text = t.id::text AND s.owner IS NOT NULL AND s.heartbeat_at >= moment.lease_start
        AND s.status || '' IN ('running', 'grading')
    ) under_way
  ), placed AS MATERIALIZED (
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
      metadata = CASE WHEN s.played_by IS NULL THEN claim_metadata
                      ELSE (claim_metadata::jsonb || jsonb_build_object('tester', s.played_by))::json END,
      conversation = CASE WHEN again.starts THEN s.attempt + 1 ELSE s.conversation END,
      turns = CASE WHEN again.starts THEN 0 ELSE s.turns END
    FROM (
      SELECT p.ord, p.id,
             c.status = 'running' AND c.turns < t.max_turns AND t.agent_provider = ANY(restarting_providers)
             AND (c.turns > 0 OR c.clean_release_attempt IS DISTINCT FROM c.attempt) AS starts
      FROM placed p CROSS JOIN LATERAL (SELECT * FROM scenario_runs WHERE id = p.id OFFSET 0) c
      JOIN test_runs t ON t.id = p.test_run_id
      WHERE p.fits
    ) again
    WHERE s.id = again.id AND s.id = ANY(ARRAY(SELECT p.id FROM placed p WHERE p.fits))
    RETURNING again.ord, s.id, s.test_run_id, s.attempt, s.scenario_id, s.scenario_name, s.trial
  ), ended AS (
    UPDATE scenario_runs s SET
      status = 'error', owner = NULL, completed_at = moment.at, error_code = surrender->>'code',
      error_message = surrender->>'message', metadata = (s.metadata::jsonb || jsonb_build_object('attempts', s.attempt))::json
    FROM candidate c JOIN test_runs t ON t.id = c.test_run_id AND t.status = 'running', moment
    WHERE s.id = c.id AND c.is_exhausted AND s.id = ANY(ARRAY(SELECT e.id FROM candidate e WHERE e.is_exhausted))
    RETURNING c.ord, s.id, s.test_run_id
  ), news AS (
    SELECT k.ord, 'claimed' AS kind, k.test_run_id, k.id, 'scenario_started' AS type, NULL AS settled,
           format('{"type":"scenario_started","scenario_run_id":"%s","scenario_id":"%s","scenario_name":%s,"trial":%s,"attempt":%s}',
                  k.id, k.scenario_id, to_json(k.scenario_name), k.trial, k.attempt) AS fields
    FROM taken k
    UNION ALL
    SELECT e.ord, 'exhausted', e.test_run_id, e.id, 'scenario_error', 'error',
           format('{"type":"scenario_error","scenario_run_id":"%s","error_code":%s,"error":%s}',
                  e.id, surrender->'code', surrender->'message')
    FROM ended e
  )
  SELECT (SELECT array_agg(p.ord) FROM placed p WHERE NOT p.fits), array_agg(n.ord), array_agg(n.kind),
         array_agg(n.test_run_id), array_agg(n.id), array_agg(n.type), array_agg(n.settled), array_agg(n.fields)
  INTO full_ords, news_ords, news_kinds, news_runs, news_rows, news_types, news_settled, news_fields
  FROM (SELECT * FROM news ORDER BY ord) n;

  RETURN QUERY
  SELECT f.ord, 'full', NULL::int, NULL::json, NULL::float8, NULL::timestamptz, NULL FROM unnest(full_ords) AS f(ord);

  RETURN QUERY
  SELECT n.ord, n.kind, s.attempt,
         CASE WHEN n.kind = 'claimed' THEN json_build_object(
           'status', s.status, 'max_turns', t.max_turns, 'pass_threshold', t.pass_threshold, 'region', t.region,
           'spoken', t.spoken,
           'agent_id', t.agent_id, 'agent_provider', t.agent_provider, 'agent_config', a.config, 'scenario', s.scenario,
           'scenario_id', s.scenario_id, 'trial', s.trial, 'patient', s.patient,
           'kept_turns', s.kept_turns, 'given_message', s.given_message, 'played_by', s.played_by,
           'examination', s.examination, 'closing_acts', s.closing_acts,
           'is_restarted', s.conversation > 1,
           'is_in_doubt', s.attempt > 1 AND s.clean_release_attempt IS DISTINCT FROM s.attempt - 1,
           'turns', CASE WHEN s.turns > 0 THEN (
             SELECT json_agg(json_build_object(
                      'turn', u.turn, 'patient_message', u.patient_message, 'patient_at', u.patient_at,
                      'agent_message', u.agent_message, 'agent_at', u.agent_at, 'latency_ms', u.latency_ms,
                      'continuation', u.continuation, 'metadata', u.metadata) ORDER BY u.turn)
             FROM turns u WHERE u.scenario_run_id = s.id AND u.conversation = s.conversation
           ) END)
         END,
         NULL::float8, NULL::timestamptz, NULL
  FROM unnest(news_ords, news_kinds, news_rows) AS n(ord, kind, id)
  CROSS JOIN LATERAL (SELECT * FROM scenario_runs WHERE id = n.id OFFSET 0) s
  JOIN test_runs t ON t.id = s.test_run_id
  LEFT JOIN agents a ON a.id = t.agent_id;

  RETURN QUERY
  SELECT news_ords[e.place], NULL, NULL::int, NULL::json, e.seq, e.at, COALESCE(e.whole, news_fields[e.place])
  FROM append_run_events(news_runs, news_types, news_rows, NULL, NULL, news_settled, news_fields) e
  WHERE news_ords IS NOT NULL;
END $$;
