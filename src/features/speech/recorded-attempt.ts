/**
 * The attempt of a scenario run `s` whose recording is that of its conversation: each turn names the attempt that held it. A conversation that
 * was begun anew keeps none of what was recorded before; one that is only marked by a later attempt keeps all. Without a turn it is the last.
 */
export const RECORDED_ATTEMPT = `COALESCE(
  (SELECT (u.metadata->'spoken'->>'attempt')::int FROM turns u
   WHERE u.scenario_run_id = s.id AND u.conversation = s.conversation AND u.turn = 1),
  CASE WHEN s.turns > 0 THEN s.conversation ELSE s.attempt END)`;
