import type { Queryable } from '../../platform/database';
import { SHOWN_RUNS, SPOKEN_CONDITIONS } from '../../engine/ledger';
import { MOST_ELSEWHERE } from '../../../contract/statistics';

/** A scenario that the same agent config both passed and failed under the same conditions. */
export interface FlakyScenario {
  readonly scenario_id: string;
  readonly scenario_name: string;
  /** Verdicts in this run and the others that were looked at. */
  readonly passed: number;
  readonly failed: number;
}

/**
 * Those of a run, by its own verdicts and those of the newest other runs of the same agent config. None when the run does not say what
 * was examined.
 * @param unstable scenarios of the run whose trials disagree
 */
export function readFlaky(
  database: Queryable,
  testRunId: string,
  unstable: readonly string[],
): Promise<FlakyScenario[]> {
  return database.query<FlakyScenario>(FLAKY, [testRunId, unstable]);
}

/** A verdict that was carried into other runs is one verdict. */
const OBSERVATION = 'CASE WHEN s.carried THEN s.source_scenario_run_id ELSE s.id END';

/** Run by run, each by its index: of the oldest that is looked at only the first conversations. All of the run itself, which has no limit. */
const LOOKED_AT = `s.test_run_id = l.id AND s.position <= COALESCE(l.room, 2147483647) AND s.status IN ('passed', 'failed')`;

/**
 * Most scenarios fare alike everywhere: those are sorted out by their verdicts alone, before anything is compared in which they were
 * given. That is compared by hashes of 64 bits: of one scenario few are compared with each other, and 20,000 numbers are sorted in memory.
 */
const FLAKY = `
  WITH this AS (
    SELECT id, agent_config_hash, agent_version, max_turns, pass_threshold, region, ${SPOKEN_CONDITIONS} AS sound FROM ${SHOWN_RUNS} t
    WHERE id = $1 AND agent_config_hash IS NOT NULL AND derivation IS DISTINCT FROM 'fork'
  ), elsewhere AS MATERIALIZED (
    SELECT id, ${MOST_ELSEWHERE} - (so_far - total_scenarios) AS room FROM (
      SELECT t.id, t.total_scenarios, sum(t.total_scenarios) OVER (ORDER BY t.created_at DESC, t.id) AS so_far
      FROM ${SHOWN_RUNS} t JOIN this ON t.agent_config_hash = this.agent_config_hash AND t.id <> this.id
        AND t.agent_version IS NOT DISTINCT FROM this.agent_version AND t.max_turns = this.max_turns
        AND t.pass_threshold = this.pass_threshold AND t.region IS NOT DISTINCT FROM this.region
        AND ${SPOKEN_CONDITIONS} IS NOT DISTINCT FROM this.sound AND t.derivation IS DISTINCT FROM 'fork'
        AND t.passed_count + t.failed_count > 0
    ) others WHERE so_far - total_scenarios < ${MOST_ELSEWHERE}
  ), looked AS MATERIALIZED (
    SELECT id, room FROM elsewhere UNION ALL SELECT id, NULL FROM this
  ), wavering AS MATERIALIZED (
    SELECT unnest($2::uuid[]) AS scenario_id
    UNION
    SELECT s.scenario_id FROM looked l CROSS JOIN LATERAL (
      SELECT s.scenario_id, s.status FROM scenario_runs s WHERE ${LOOKED_AT} OFFSET 0
    ) s WHERE EXISTS (SELECT FROM elsewhere)
    GROUP BY s.scenario_id HAVING bool_or(s.status = 'passed') AND bool_or(s.status = 'failed')
  ), observed AS (
    SELECT s.scenario_id, s.scenario_revision, hashtextextended(s.scenario_content_hash, 0) AS content,
           hashtextextended(s.patient::text, 0) AS patient, hashtextextended(s.examiners::text, 0) AS examiners, s.status,
           ${OBSERVATION} AS observation,
           min(s.position) FILTER (WHERE s.test_run_id = $1) AS position,
           min(s.scenario_name) FILTER (WHERE s.test_run_id = $1) AS scenario_name
    FROM looked l CROSS JOIN LATERAL (
      SELECT s.* FROM scenario_runs s WHERE ${LOOKED_AT} AND s.scenario_content_hash IS NOT NULL AND s.examiners IS NOT NULL OFFSET 0
    ) s WHERE s.scenario_id IN (SELECT scenario_id FROM wavering)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), alike AS (
    SELECT scenario_id, min(scenario_name) AS scenario_name, min(position) AS position,
           count(*) FILTER (WHERE status = 'passed') AS passed, count(*) FILTER (WHERE status = 'failed') AS failed
    FROM observed
    GROUP BY scenario_id, scenario_revision, content, patient, examiners
  )
  SELECT scenario_id, min(scenario_name COLLATE "C") AS scenario_name, sum(passed)::int AS passed, sum(failed)::int AS failed
  FROM alike WHERE position IS NOT NULL AND passed > 0 AND failed > 0 GROUP BY scenario_id ORDER BY min(position)`;
