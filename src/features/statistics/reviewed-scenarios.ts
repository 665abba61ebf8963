import type { Queryable } from '../../platform/database/connections';

/** A scenario of a run of which somebody has reviewed a scenario run. */
export interface ReviewedScenario {
  readonly scenario_id: string;
  /** Trials, and those of them that passed by the judge. */
  readonly graded: number;
  readonly passed: number;
  /** Those that pass where the reviews stand in for the judge. */
  readonly passed_by_review: number;
  /** Trials that were reviewed, and those of them with another verdict than the judge's. */
  readonly reviewed: number;
  readonly changed: number;
}

/** Those of a run; all others are as the judge has them. */
export function readReviewed(database: Queryable, testRunId: string): Promise<ReviewedScenario[]> {
  return database.query<ReviewedScenario>(REVIEWED, [testRunId]);
}

const REVIEWED = `
  WITH verdicts AS (
    SELECT s.scenario_id, s.status = 'passed' AS passed, last.effective_passed FROM scenario_runs s
    LEFT JOIN LATERAL (
      SELECT effective_passed FROM reviews WHERE scenario_run_id = s.id ORDER BY number DESC LIMIT 1
    ) last ON true
    WHERE s.test_run_id = $1 AND s.status IN ('passed', 'failed')
  )
  SELECT scenario_id, count(*)::int AS graded, count(*) FILTER (WHERE passed)::int AS passed,
         count(*) FILTER (WHERE COALESCE(effective_passed, passed))::int AS passed_by_review,
         count(effective_passed)::int AS reviewed, count(*) FILTER (WHERE effective_passed <> passed)::int AS changed
  FROM verdicts GROUP BY scenario_id HAVING count(effective_passed) > 0`;
