import type { ScenarioRunMetadata } from '../../../contract/scenario-run-metadata';
import { Injectable } from '@nestjs/common';
import type { EndedBy, ErrorCode, PatientProfile, Decision, Evidence, ScenarioRunStatus } from '../../domain';
import { Database, isUuid } from '../../platform/database';
import { turnOf, type StoredTurn, type TurnRow, SHOWN_RUNS } from '../../engine/ledger';

export interface StoredCriterionResult {
  readonly criterion: string;
  readonly tags: readonly string[];
  readonly decision: Decision;
  readonly points: number;
  readonly max_points: number;
  readonly rationale: string;
  readonly evidence: readonly Evidence[];
  /** Absent in what was graded before omissions had a proof of their own. */
  readonly absence?: boolean;
  readonly replies_read?: number;
  readonly votes?: readonly Decision[];
  readonly disputed?: boolean;
}

export interface ScenarioRunRecord {
  readonly id: string;
  readonly test_run_id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  /** Null in runs of releases that did not keep them. */
  readonly scenario_revision: number | null;
  readonly scenario_content_hash: string | null;
  /** As the scenario has them now; null when it is gone. */
  readonly scenario_category: string | null;
  readonly scenario_severity: string | null;
  /** In a derived run: the one that it began from, or in which a carried verdict was given. */
  readonly source_scenario_run_id: string | null;
  readonly carried: boolean;
  readonly kept_turns: number | null;
  readonly given_message: string | null;
  readonly trial: number;
  readonly patient: PatientProfile;
  readonly status: ScenarioRunStatus;
  readonly passed: boolean | null;
  readonly score_percent: number | null;
  readonly total_points: number | null;
  readonly max_points: number | null;
  readonly grade_summary: string | null;
  readonly criteria_results: readonly StoredCriterionResult[] | null;
  /** By all reviews; null when there are none. */
  readonly reviewed_passed: boolean | null;
  readonly reviewed_score_percent: number | null;
  readonly error_code: ErrorCode | null;
  readonly error_message: string | null;
  readonly attempt: number;
  readonly turns: number;
  /** Who ended the conversation before it had all its turns. */
  readonly ended_by: EndedBy | null;
  readonly unanswered_message: string | null;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly canceled_at: Date | null;
  readonly created_at: Date;
  readonly metadata: ScenarioRunMetadata;
}

const COLUMNS = `s.id, s.test_run_id, s.scenario_id, s.scenario_name, s.trial, s.patient, s.status, s.passed, s.score_percent, s.total_points,
  s.max_points, s.grade_summary, s.criteria_results, s.error_code, s.error_message, s.attempt, s.turns, s.started_at,
  s.completed_at, s.canceled_at, s.created_at, s.metadata, s.ended_by, s.unanswered_message,
  s.source_scenario_run_id, s.carried, s.kept_turns, s.given_message, s.scenario_revision, s.scenario_content_hash, c.category AS scenario_category, c.severity AS scenario_severity,
  r.effective_passed AS reviewed_passed, r.effective_score_percent AS reviewed_score_percent`;

const FROM = `scenario_runs s LEFT JOIN scenarios c ON c.id = s.scenario_id
  LEFT JOIN LATERAL (
    SELECT effective_passed, effective_score_percent FROM reviews WHERE scenario_run_id = s.id ORDER BY number DESC LIMIT 1
  ) r ON true`;

/** Nothing of a deleted run is shown, although some of it may still be there. */
const RUN_OF_S = `SELECT FROM ${SHOWN_RUNS} t WHERE t.id = s.test_run_id`;

export interface ScenarioRunPage {
  readonly limit: number;
  readonly offset: number;
  /** Null: all of the run. */
  readonly scenarioIds: readonly string[] | null;
}

export interface PlacedScenarioRun extends ScenarioRunRecord {
  readonly position: number;
}

/** Reads scenario runs and their turns. */
@Injectable()
export class ScenarioRunsStore {
  constructor(private readonly database: Database) {}

  /** Trial by trial, each in the order in which the run was given its scenarios. */
  async list(
    testRunId: string,
    { limit, offset, scenarioIds }: ScenarioRunPage,
  ): Promise<{ results: readonly ScenarioRunRecord[]; total: number }> {
    const among = scenarioIds === null ? '' : 'AND s.scenario_id = ANY($4::uuid[])';
    const chosen = scenarioIds === null ? [] : [scenarioIds];
    const [results, [count]] = await Promise.all([
      this.database.query<ScenarioRunRecord>(
        `SELECT ${COLUMNS} FROM ${FROM} WHERE s.test_run_id = $1 ${among} ORDER BY s.position LIMIT $2 OFFSET $3`,
        [testRunId, limit, offset, ...chosen],
      ),
      this.database.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM scenario_runs s WHERE s.test_run_id = $1 ${among.replace('$4', '$2')}`,
        [testRunId, ...chosen],
      ),
    ]);
    return { results, total: count?.total ?? 0 };
  }

  /** As many as `limit` at most after a position, in the run's order: of a large run each page costs as much as the first. */
  listAfter(testRunId: string, position: number, limit: number): Promise<PlacedScenarioRun[]> {
    return this.database.query<PlacedScenarioRun>(
      `SELECT ${COLUMNS}, s.position FROM ${FROM} WHERE s.test_run_id = $1 AND s.position > $2
       ORDER BY s.position LIMIT $3`,
      [testRunId, position, limit],
    );
  }

  async find(id: string): Promise<ScenarioRunRecord | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.query<ScenarioRunRecord>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE s.id = $1 AND EXISTS (${RUN_OF_S})`,
      [id],
    );
    return row ?? null;
  }

  /** How many bytes `turnsOf` would read of each, by its id; of one without turns nothing. Costs no more than their number: no text is read. */
  async sizesOf(scenarioRunIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ readonly id: string; readonly bytes: number }>(
      `SELECT t.scenario_run_id AS id, sum(octet_length(t.patient_message) + octet_length(t.agent_message)
                + coalesce(pg_column_size(t.continuation), 0) + pg_column_size(t.metadata))::float8 AS bytes
       FROM turns t JOIN scenario_runs s ON s.id = t.scenario_run_id AND s.conversation = t.conversation
       WHERE t.scenario_run_id = ANY($1::uuid[]) GROUP BY t.scenario_run_id`,
      [scenarioRunIds],
    );
    return new Map(rows.map(({ id, bytes }) => [id, bytes]));
  }

  /** The turns of each scenario run's current conversation, by its id. */
  async turnsOf(scenarioRunIds: readonly string[]): Promise<Map<string, StoredTurn[]>> {
    const rows = await this.database.query<TurnRow & { readonly scenario_run_id: string }>(
      `SELECT t.scenario_run_id, t.turn, t.patient_message, t.patient_at, t.agent_message, t.agent_at, t.latency_ms,
              t.continuation, t.metadata
       FROM turns t JOIN scenario_runs s ON s.id = t.scenario_run_id AND s.conversation = t.conversation
       WHERE t.scenario_run_id = ANY($1::uuid[]) ORDER BY t.scenario_run_id, t.turn`,
      [scenarioRunIds],
    );
    const turns = new Map<string, StoredTurn[]>();
    for (const row of rows) {
      const sofar = turns.get(row.scenario_run_id) ?? [];
      sofar.push(turnOf(row));
      turns.set(row.scenario_run_id, sofar);
    }
    return turns;
  }
}
