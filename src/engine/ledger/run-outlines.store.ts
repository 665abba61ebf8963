import { Injectable } from '@nestjs/common';
import type { ScenarioRunStatus, TestRunStatus } from '../../domain';
import { Database } from '../../platform/database';

/** What an operator is told of a run: no words of a conversation, and nothing of an agent's config. */
export interface RunOutline {
  readonly status: TestRunStatus;
  readonly agentId: string;
  readonly agentProvider: string;
  readonly trials: number;
  /** Trials included. */
  readonly scenarioRuns: number;
  readonly createdAt: Date;
  /** Null while it has not started. */
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** How many scenario runs have ended in each error code. */
  readonly errors: Readonly<Record<string, number>>;
}

/** The same of a scenario run. */
export interface ScenarioRunOutline {
  readonly id: string;
  readonly testRunId: string;
  readonly scenarioId: string;
  readonly agentId: string;
  readonly agentProvider: string;
  readonly status: ScenarioRunStatus;
  readonly trial: number;
  readonly attempt: number;
  readonly turns: number;
  readonly scorePercent: number | null;
  readonly errorCode: string | null;
  /** Null when no process has begun it. */
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** Reads what logs and traces say of runs. */
@Injectable()
export class RunOutlinesStore {
  constructor(private readonly database: Database) {}

  /** Null when there is no such run any more. @throws the database's error */
  async ofRun(testRunId: string): Promise<RunOutline | null> {
    const [row] = await this.database.query<RunOutline>(
      `SELECT t.status, t.agent_id AS "agentId", t.agent_provider AS "agentProvider", t.trials,
              t.total_scenarios AS "scenarioRuns", t.created_at AS "createdAt", t.started_at AS "startedAt",
              t.completed_at AS "completedAt",
              (SELECT coalesce(json_object_agg(e.code, e.count), '{}')
               FROM (SELECT coalesce(error_code, 'internal') AS code, count(*)::int AS count FROM scenario_runs
                     WHERE test_run_id = t.id AND status = 'error' GROUP BY 1) e) AS errors
       FROM test_runs t WHERE t.id = $1`,
      [testRunId],
    );
    return row ?? null;
  }

  /** In no order; those that were deleted are missing. @throws the database's error */
  ofScenarioRuns(ids: readonly string[]): Promise<readonly ScenarioRunOutline[]> {
    return this.database.query<ScenarioRunOutline>(
      `SELECT s.id, s.test_run_id AS "testRunId", s.scenario_id AS "scenarioId", t.agent_id AS "agentId",
              t.agent_provider AS "agentProvider", s.status, s.trial, s.attempt, s.turns,
              s.score_percent AS "scorePercent", s.error_code AS "errorCode", s.started_at AS "startedAt",
              s.completed_at AS "completedAt"
       FROM scenario_runs s JOIN test_runs t ON t.id = s.test_run_id WHERE s.id = ANY($1::uuid[])`,
      [ids],
    );
  }
}
