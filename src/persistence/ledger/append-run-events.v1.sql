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
-- The counts are kept beside last_seq. They are those of the rows while counted_seq equals last_seq, which no writer that
-- does not keep them leaves so: then they are counted from the rows again. By then the rows hold what these events tell of.
--
-- Plans are made once a session, for any size of the tables, hence the settings: planning costs twice as much as executing,
-- and rows are found by their index.
CREATE FUNCTION append_run_events_1(
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
  ), added AS (
    SELECT e.run_id, count(*) AS events, count(e.settled) > 0 AS settles, max(e.passed) AS passed, max(e.failed) AS failed,
           max(e.error) AS error, max(e.canceled) AS canceled
    FROM entry e GROUP BY e.run_id
  ), run AS MATERIALIZED (
    SELECT t.id, t.last_seq, t.last_seq + a.events AS next_seq, t.total_scenarios AS total,
           k.is_kept OR a.settles AS is_counted,
           CASE WHEN k.is_kept THEN t.passed_count ELSE r.passed - a.passed END AS passed,
           CASE WHEN k.is_kept THEN t.failed_count ELSE r.failed - a.failed END AS failed,
           CASE WHEN k.is_kept THEN t.error_count ELSE r.error - a.error END AS error,
           CASE WHEN k.is_kept THEN t.canceled_count ELSE r.canceled - a.canceled END AS canceled,
           a.passed AS more_passed, a.failed AS more_failed, a.error AS more_error, a.canceled AS more_canceled
    FROM added a
    JOIN test_runs t ON t.id = a.run_id
    CROSS JOIN LATERAL (SELECT t.counted_seq = t.last_seq AS is_kept) k
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE s.status = 'passed') AS passed,
             count(*) FILTER (WHERE s.status = 'failed') AS failed,
             count(*) FILTER (WHERE s.status = 'error') AS error,
             count(*) FILTER (WHERE s.status = 'canceled') AS canceled
      FROM scenario_runs s WHERE s.test_run_id = t.id AND a.settles AND NOT k.is_kept
    ) r
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
      last_seq = run.next_seq,
      counted_seq = CASE WHEN run.is_counted THEN run.next_seq ELSE t.counted_seq END,
      passed_count = CASE WHEN run.is_counted THEN run.passed + run.more_passed ELSE t.passed_count END,
      failed_count = CASE WHEN run.is_counted THEN run.failed + run.more_failed ELSE t.failed_count END,
      error_count = CASE WHEN run.is_counted THEN run.error + run.more_error ELSE t.error_count END,
      canceled_count = CASE WHEN run.is_counted THEN run.canceled + run.more_canceled ELSE t.canceled_count END
    FROM run WHERE t.id = run.id
  )
  SELECT e.place::int, e.seq::float8, moment.at, e.whole FROM event e CROSS JOIN moment ORDER BY e.place;
END $$;
