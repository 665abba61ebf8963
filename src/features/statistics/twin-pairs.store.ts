import { Injectable } from '@nestjs/common';
import type { SpokenView } from '../../../contract/spoken';
import type { ErrorCode, ScenarioRunStatus, TestRunStatus } from '../../domain';
import { SHOWN_RUNS } from '../../engine/ledger';
import { Database, isoTime } from '../../platform/database';
import type { MatchedScenario, ScenarioOutcome } from './matched-scenarios';

/** Pairs of conversations whose two ended alike. */
export interface PairedOutcome {
  readonly before: ScenarioRunStatus;
  readonly before_error: ErrorCode | null;
  readonly after: ScenarioRunStatus;
  readonly after_error: ErrorCode | null;
  readonly count: number;
}

/** A scenario of two twins with the pairs of conversations that both have a verdict of: `graded` is their number on either side. */
export interface PairedScenario extends MatchedScenario {
  /** As the scenario has it now; null when it is gone. */
  readonly severity: string | null;
}

/** A run of a family of twins. */
export interface FamilyMember {
  readonly id: string;
  readonly test_run_id: string;
  readonly status: TestRunStatus;
  /** How it was held; null in text. */
  readonly spoken: SpokenView | null;
  readonly created_at: string;
}

/** Reads twins pair by pair: of each conversation that a run plans, its twin holds the one in the same place. */
@Injectable()
export class TwinPairsStore {
  constructor(private readonly database: Database) {}

  /** How the conversations of two twins ended, place by place: how many pairs of each kind there are. */
  async outcomes(beforeId: string, afterId: string): Promise<readonly PairedOutcome[]> {
    return this.database.query<PairedOutcome>(OUTCOMES, [beforeId, afterId]);
  }

  /** How scenarios fared in two twins, over the pairs with two verdicts; those without such a pair are missing. In the run's order. */
  async scenarios(beforeId: string, afterId: string): Promise<PairedScenario[]> {
    const rows = await this.database.query<ScenarioRow>(SCENARIOS, [beforeId, afterId]);
    return rows.map(({ scenario_id, scenario_name, category, severity, ...row }) => ({
      scenario_id,
      scenario_name,
      category,
      severity,
      before: outcomeOf(row, row.passed_before, row.score_before, row.violations_before),
      after: outcomeOf(row, row.passed_after, row.score_after, row.violations_after),
    }));
  }

  /** All runs of a family that were not deleted. @param first the id that its twins have as `twin_of` */
  async family(first: string): Promise<readonly FamilyMember[]> {
    return this.database.query<FamilyMember>(
      `SELECT id, label AS test_run_id, status, spoken, ${isoTime('created_at')} AS created_at
       FROM ${SHOWN_RUNS} t WHERE id = $1::uuid OR twin_of = $1::uuid`,
      [first],
    );
  }
}

interface ScenarioRow {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly category: string | null;
  readonly severity: string | null;
  readonly position: number;
  readonly graded: number;
  readonly passed_before: number;
  readonly passed_after: number;
  readonly score_before: number | null;
  readonly score_after: number | null;
  readonly violations_before: number;
  readonly violations_after: number;
}

function outcomeOf(
  { position, graded }: Pick<ScenarioRow, 'position' | 'graded'>,
  passed: number,
  score: number | null,
  violations: number,
): ScenarioOutcome {
  return { position, graded, passed, score, violations: violations / graded };
}

/**
 * Conversations of both twins. They are brought together by grouping them by their places: a join would look through the whole of one run for
 * each row of the other while the planner's statistics are from before both.
 */
const OF_BOTH = `(SELECT *, test_run_id = $1 AS of_before FROM scenario_runs WHERE test_run_id IN ($1, $2)) s`;

const OUTCOMES = `
  SELECT before, before_error, after, after_error, count(*)::int AS count FROM (
    SELECT min(status) FILTER (WHERE of_before) AS before, min(error_code) FILTER (WHERE of_before) AS before_error,
           min(status) FILTER (WHERE NOT of_before) AS after, min(error_code) FILTER (WHERE NOT of_before) AS after_error
    FROM ${OF_BOTH} GROUP BY position HAVING count(*) = 2
  ) pairs GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 2, 3, 4`;

// Scores are summed as those of one run are: of tenths, which add up to the same in any order.
const SCENARIOS = `
  SELECT fared.*, c.category, c.severity FROM (
    SELECT scenario_id, min(scenario_name COLLATE "C") AS scenario_name, min(position) AS position, count(*)::int AS graded,
           count(*) FILTER (WHERE passed_before)::int AS passed_before,
           count(*) FILTER (WHERE passed_after)::int AS passed_after,
           sum(tenths_before) FILTER (WHERE scored) / (10 * count(*) FILTER (WHERE scored)) AS score_before,
           sum(tenths_after) FILTER (WHERE scored) / (10 * count(*) FILTER (WHERE scored)) AS score_after,
           coalesce(sum(violations_before), 0)::int AS violations_before,
           coalesce(sum(violations_after), 0)::int AS violations_after
    FROM (
      SELECT position, (min(scenario_id::text) FILTER (WHERE of_before))::uuid AS scenario_id,
             min(scenario_name COLLATE "C") FILTER (WHERE of_before) AS scenario_name,
             bool_or(status = 'passed') FILTER (WHERE of_before) AS passed_before,
             bool_or(status = 'passed') FILTER (WHERE NOT of_before) AS passed_after,
             min(round(score_percent * 10)) FILTER (WHERE of_before) AS tenths_before,
             min(round(score_percent * 10)) FILTER (WHERE NOT of_before) AS tenths_after,
             count(score_percent) = 2 AS scored,
             sum(json_array_length(findings->'violations')) FILTER (WHERE of_before) AS violations_before,
             sum(json_array_length(findings->'violations')) FILTER (WHERE NOT of_before) AS violations_after
      FROM ${OF_BOTH} WHERE status IN ('passed', 'failed') GROUP BY position HAVING count(*) = 2
    ) pairs GROUP BY scenario_id
  ) fared LEFT JOIN scenarios c ON c.id = fared.scenario_id ORDER BY fared.position`;
