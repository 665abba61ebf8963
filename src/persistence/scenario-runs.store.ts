import { Injectable } from '@nestjs/common';
import type { Exchange } from '../../machines/conversation';
import type { ErrorCode } from '../../machines/failure';
import type { Decision, Evidence, RubricCriterion } from '../../machines/rubric';
import type { ScenarioRunStatus } from '../../machines/statuses';
import { Database, type Queryable } from './database';
import type { JsonObject } from './ledger/scenario-run.changes';
import { isUuid } from './uuid';

export interface StoredCriterionResult {
  readonly criterion: string;
  readonly tags: readonly string[];
  readonly decision: Decision;
  readonly points: number;
  readonly max_points: number;
  readonly rationale: string;
  readonly evidence: readonly Evidence[];
}

export interface ScenarioRunRecord {
  readonly id: string;
  readonly test_run_id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly status: ScenarioRunStatus;
  readonly passed: boolean | null;
  readonly score_percent: number | null;
  readonly total_points: number | null;
  readonly max_points: number | null;
  readonly grade_summary: string | null;
  readonly criteria_results: readonly StoredCriterionResult[] | null;
  readonly error_code: ErrorCode | null;
  readonly error_message: string | null;
  readonly attempt: number;
  readonly turns: number;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly canceled_at: Date | null;
  readonly created_at: Date;
  readonly metadata: JsonObject;
}

export interface StoredTurn extends Exchange {
  readonly continuation: unknown;
  readonly metadata: JsonObject;
}

/** The copy of the scenario that was made when the run was started: later edits do not reach it. */
export interface ScenarioSnapshot {
  readonly name: string;
  readonly content: JsonObject;
  readonly rubric_criteria: readonly RubricCriterion[];
}

/** Everything an actor needs to execute a claimed scenario run. */
export interface ExecutionRecord {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  readonly attempt: number;
  readonly status: ScenarioRunStatus;
  readonly maxTurns: number;
  readonly passThreshold: number;
  readonly agentId: string;
  readonly agentProvider: string;
  /** Null when the agent was erased meanwhile. */
  readonly agentConfig: JsonObject | null;
  readonly scenario: ScenarioSnapshot;
  readonly turns: readonly StoredTurn[];
  /** An attempt before this one held a conversation that this one goes on without. */
  readonly isRestarted: boolean;
  /** The turn after the recorded ones may have been sent by an attempt before this one. */
  readonly isInDoubt: boolean;
}

const COLUMNS = `s.id, s.test_run_id, s.scenario_id, s.scenario_name, s.status, s.passed, s.score_percent, s.total_points,
  s.max_points, s.grade_summary, s.criteria_results, s.error_code, s.error_message, s.attempt, s.turns, s.started_at,
  s.completed_at, s.canceled_at, s.created_at, s.metadata`;

interface TurnRow {
  readonly scenario_run_id: string;
  readonly turn: number;
  readonly patient_message: string;
  readonly patient_at: Date;
  readonly agent_message: string;
  readonly agent_at: Date;
  readonly latency_ms: number;
  readonly continuation: unknown;
  readonly metadata: JsonObject;
}

/** Reads scenario runs and their turns. */
@Injectable()
export class ScenarioRunsStore {
  constructor(private readonly database: Database) {}

  /** In the order in which the run was given its scenarios. */
  async list(
    testRunId: string,
    page: { limit: number; offset: number },
  ): Promise<{ results: readonly ScenarioRunRecord[]; total: number }> {
    const [results, [count]] = await Promise.all([
      this.database.query<ScenarioRunRecord>(
        `SELECT ${COLUMNS} FROM scenario_runs s WHERE s.test_run_id = $1 ORDER BY s.position LIMIT $2 OFFSET $3`,
        [testRunId, page.limit, page.offset],
      ),
      this.database.query<{ total: number }>(
        'SELECT count(*)::int AS total FROM scenario_runs WHERE test_run_id = $1',
        [testRunId],
      ),
    ]);
    return { results, total: count?.total ?? 0 };
  }

  async find(id: string): Promise<ScenarioRunRecord | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.query<ScenarioRunRecord>(
      `SELECT ${COLUMNS} FROM scenario_runs s WHERE s.id = $1`,
      [id],
    );
    return row ?? null;
  }

  /** The turns of each scenario run's current conversation, by its id. */
  async turnsOf(
    scenarioRunIds: readonly string[],
    connections: Queryable = this.database,
  ): Promise<Map<string, StoredTurn[]>> {
    const rows = await connections.query<TurnRow>(
      `SELECT t.scenario_run_id, t.turn, t.patient_message, t.patient_at, t.agent_message, t.agent_at, t.latency_ms,
              t.continuation, t.metadata
       FROM turns t JOIN scenario_runs s ON s.id = t.scenario_run_id AND s.conversation = t.conversation
       WHERE t.scenario_run_id = ANY($1::uuid[]) ORDER BY t.scenario_run_id, t.turn`,
      [scenarioRunIds],
    );
    const turns = new Map<string, StoredTurn[]>();
    for (const row of rows) {
      const sofar = turns.get(row.scenario_run_id) ?? [];
      sofar.push({
        turn: row.turn,
        patientMessage: row.patient_message,
        patientAt: row.patient_at.toISOString(),
        agentMessage: row.agent_message,
        agentAt: row.agent_at.toISOString(),
        latencyMs: row.latency_ms,
        continuation: row.continuation,
        metadata: row.metadata,
      });
      turns.set(row.scenario_run_id, sofar);
    }
    return turns;
  }

  /** What is needed to execute the given scenario runs; those that are gone are missing from the answer. */
  async loadExecutions(scenarioRunIds: readonly string[]): Promise<Map<string, ExecutionRecord>> {
    const rows = await this.database.engine.query<{
      id: string;
      test_run_id: string;
      attempt: number;
      status: ScenarioRunStatus;
      turns: number;
      max_turns: number;
      pass_threshold: number;
      agent_id: string;
      agent_provider: string;
      config: JsonObject | null;
      scenario: ScenarioSnapshot;
      is_restarted: boolean;
      is_in_doubt: boolean;
    }>(
      `SELECT s.id, s.test_run_id, s.attempt, s.status, s.turns, r.max_turns, r.pass_threshold, r.agent_id,
              r.agent_provider, a.config, s.scenario, s.conversation > 1 AS is_restarted,
              s.attempt > 1 AND s.clean_release_attempt IS DISTINCT FROM s.attempt - 1 AS is_in_doubt
       FROM scenario_runs s JOIN test_runs r ON r.id = s.test_run_id LEFT JOIN agents a ON a.id = r.agent_id
       WHERE s.id = ANY($1::uuid[])`,
      [scenarioRunIds],
    );
    const begun = rows.filter((row) => row.turns > 0).map((row) => row.id);
    const turns = begun.length > 0 ? await this.turnsOf(begun, this.database.engine) : new Map<string, StoredTurn[]>();
    return new Map(
      rows.map((row) => [
        row.id,
        {
          scenarioRunId: row.id,
          testRunId: row.test_run_id,
          attempt: row.attempt,
          status: row.status,
          maxTurns: row.max_turns,
          passThreshold: row.pass_threshold,
          agentId: row.agent_id,
          agentProvider: row.agent_provider,
          agentConfig: row.config,
          scenario: row.scenario,
          turns: turns.get(row.id) ?? [],
          isRestarted: row.is_restarted,
          isInDoubt: row.is_in_doubt,
        },
      ]),
    );
  }
}
