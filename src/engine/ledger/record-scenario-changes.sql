-- Writes what actors decided, in one round trip: locks the runs, applies what the fence lets through, stores the turns and
-- appends the events. What is read after the lock was granted is read by a statement of its own, which sees everything that was
-- committed before.
--
-- run_ids and ids name the run and the scenario run of each change; `changes` holds the rest, with its place among them from 1
-- as `ord` (src/engine/ledger/scenario-run.changes.ts). At most lock_wait_ms are waited for a lock.
--
-- Answers one row for each change (`is_applied` set: how its scenario run stands now; all else null when it is gone), and one
-- for each event (`seq` set) of the change at `ord`, in their order.
--
-- Settings: as of append_run_events.
CREATE FUNCTION record_scenario_changes(run_ids uuid[], ids uuid[], changes json, lock_wait_ms int)
RETURNS TABLE (ord int, is_applied boolean, status text, attempt int, owner uuid, turns int, seq float8, at timestamptz,
               whole text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
  applied int[];
  event_ords int[];
  event_runs uuid[];
  event_types text[];
  event_rows uuid[];
  event_conversations int[];
  event_turns int[];
  event_settled text[];
  event_fields text[];
BEGIN
  PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
  PERFORM FROM test_runs WHERE id = ANY(run_ids) ORDER BY id FOR UPDATE;

  WITH moment AS MATERIALIZED (
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
      decisions = COALESCE(c.decisions, s.decisions),
      error_code = COALESCE(c.error_code, s.error_code),
      error_message = COALESCE(c.error_message, s.error_message),
      ended_by = COALESCE(c.ended_by, s.ended_by),
      unanswered_message = COALESCE(c.unanswered_message, s.unanswered_message),
      closing_acts = COALESCE(c.closing_acts, s.closing_acts),
      metadata = COALESCE(c.metadata, s.metadata),
      examiners = COALESCE(c.examiners, s.examiners),
      findings = COALESCE(c.findings, s.findings),
      completed_at = CASE WHEN c.is_final THEN moment.at ELSE s.completed_at END
    FROM moment, json_to_recordset(changes) AS c(
      ord int, id uuid, test_run_id uuid, attempt int, owner uuid, allowed_from text[], status text, is_final boolean,
      releases boolean, sent_turns int, turn int, patient_message text, patient_at timestamptz, agent_message text,
      agent_at timestamptz, latency_ms float8, continuation json, turn_metadata json, ended_by text, unanswered_message text, closing_acts json,
      passed boolean, score_percent float8, total_points float8, max_points float8, grade_summary text,
      criteria_results json, decisions text, error_code text, error_message text,
      metadata json, examiners json, findings json, event_types text[], event_settled text[], event_fields text[])
    -- IS TRUE: no index serves the run's id here, which would look at all its scenario runs.
    WHERE s.id = c.id AND (s.test_run_id = c.test_run_id) IS TRUE
      AND s.attempt = c.attempt AND s.owner = c.owner
      AND s.status = ANY(c.allowed_from)
      AND (c.turn IS NULL OR s.turns = c.turn - 1)
    RETURNING s.test_run_id AS run_id, s.conversation, c.*
  ), recorded AS (
    INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms,
                       continuation, metadata)
    SELECT f.id, f.conversation, f.turn, f.patient_message, f.patient_at, f.agent_message, f.agent_at, f.latency_ms,
           f.continuation, f.turn_metadata
    FROM fenced f WHERE f.turn IS NOT NULL
  )
  SELECT (SELECT array_agg(f.ord) FROM fenced f), array_agg(n.ord), array_agg(n.run_id), array_agg(n.type), array_agg(n.id),
         array_agg(n.conversation), array_agg(n.turn), array_agg(n.settled), array_agg(n.fields)
  INTO applied, event_ords, event_runs, event_types, event_rows, event_conversations, event_turns, event_settled, event_fields
  FROM (
    SELECT f.ord, f.id, f.run_id, e.type, e.settled, e.fields,
           CASE WHEN e.type = 'transcript_update' THEN f.conversation END AS conversation,
           CASE WHEN e.type = 'transcript_update' THEN f.turn END AS turn
    FROM fenced f
    CROSS JOIN LATERAL unnest(f.event_types, f.event_settled, f.event_fields) WITH ORDINALITY AS e(type, settled, fields, place)
    ORDER BY f.ord, e.place
  ) n;

  RETURN QUERY
  SELECT c.ord::int, COALESCE(c.ord = ANY(applied), false), s.status, s.attempt, s.owner, s.turns, NULL::float8,
         NULL::timestamptz, NULL
  FROM unnest(ids) WITH ORDINALITY AS c(id, ord) LEFT JOIN scenario_runs s ON s.id = c.id;

  RETURN QUERY
  SELECT event_ords[e.place], NULL::boolean, NULL, NULL::int, NULL::uuid, NULL::int, e.seq, e.at, e.whole
  FROM append_run_events(event_runs, event_types, event_rows, event_conversations, event_turns, event_settled,
                           event_fields) e
  WHERE event_ords IS NOT NULL;
END $$;
