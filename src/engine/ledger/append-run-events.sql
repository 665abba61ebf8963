-- Numbers and stores events of runs that the caller has locked (test_runs … FOR UPDATE), in their places. Every event of a
-- run is appended here and nowhere else: by the ledger's transactions, and by the functions that record and claim.
--
-- Each array has one element an event:
--   scenario_run_ids          whom it tells of; null for the run itself
--   conversations, turns      the recorded turn that holds what was said; null, as either array may be, when `fields` says all
--   settled                   the final status that the scenario run has just got; null for any other event
--   fields                    the event as JSON text
-- An event that settles by passing, failing or an error also says, as its last fields, the scenario's id and the counts right
-- after it: `whole` answers its text.
--
-- The counts of a run are kept beside last_seq: whatever settles a scenario run appends the event of it, in the same transaction.
--
-- Plans are made once a session, for any size of the tables, hence the settings: planning costs twice as much as executing,
-- and rows are found by their index.
CREATE FUNCTION append_run_events(
  run_ids uuid[], types text[], scenario_run_ids uuid[], conversations int[], turns int[], settled text[], fields text[])
RETURNS TABLE (place int, seq float8, at timestamptz, whole text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH moment AS MATERIALIZED (
    SELECT clock_timestamp()::timestamptz(3) AS at
  ), entry AS MATERIALIZED (
    SELECT e.*,
           row_number() OVER so_far AS number,
           count(*) FILTER (WHERE e.settled = 'passed') OVER so_far AS passed,
           count(*) FILTER (WHERE e.settled = 'failed') OVER so_far AS failed,
           count(*) FILTER (WHERE e.settled = 'error') OVER so_far AS error,
           count(*) FILTER (WHERE e.settled = 'canceled') OVER so_far AS canceled
    FROM unnest(run_ids, types, scenario_run_ids, conversations, turns, settled, fields) WITH ORDINALITY
      AS e(run_id, type, scenario_run_id, conversation, turn, settled, fields, place)
    WINDOW so_far AS (PARTITION BY e.run_id ORDER BY e.place)
  ), run AS MATERIALIZED (
    SELECT t.id, t.last_seq, t.total_scenarios AS total,
           t.passed_count AS passed, t.failed_count AS failed, t.error_count AS error, t.canceled_count AS canceled,
           a.events, a.passed AS more_passed, a.failed AS more_failed, a.error AS more_error, a.canceled AS more_canceled
    FROM (
      SELECT e.run_id, count(*) AS events, max(e.passed) AS passed, max(e.failed) AS failed, max(e.error) AS error,
             max(e.canceled) AS canceled
      FROM entry e GROUP BY e.run_id
    ) a
    JOIN test_runs t ON t.id = a.run_id
  ), event AS MATERIALIZED (
    SELECT e.*, run.last_seq + e.number AS seq,
           CASE WHEN e.settled <> 'canceled' THEN
             left(e.fields, -1) || ',"scenario_id":"' || s.scenario_id || '","counts":{"passed":' || run.passed + e.passed
             || ',"failed":' || run.failed + e.failed || ',"error":' || run.error + e.error
             || ',"canceled":' || run.canceled + e.canceled || ',"total":' || run.total || '}}'
           END AS whole
    FROM entry e
    JOIN run ON run.id = e.run_id
    LEFT JOIN scenario_runs s ON s.id = CASE WHEN e.settled <> 'canceled' THEN e.scenario_run_id END
  ), logged AS (
    INSERT INTO run_log (test_run_id, seq, type, at, fields, scenario_run_id, conversation, turn)
    SELECT e.run_id, e.seq, e.type, moment.at, COALESCE(e.whole, e.fields)::json, e.scenario_run_id, e.conversation, e.turn
    FROM event e CROSS JOIN moment
  ), numbered AS (
    UPDATE test_runs t SET
      last_seq = run.last_seq + run.events,
      passed_count = run.passed + run.more_passed,
      failed_count = run.failed + run.more_failed,
      error_count = run.error + run.more_error,
      canceled_count = run.canceled + run.more_canceled
    FROM run WHERE t.id = run.id
  )
  SELECT e.place::int, e.seq::float8, moment.at, e.whole FROM event e CROSS JOIN moment ORDER BY e.place;
END $$;
