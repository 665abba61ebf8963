import { Injectable } from '@nestjs/common';
import type { ScenarioRunView } from '../../../contract/scenario-runs';
import type { TestRunListItem } from '../../../contract/test-runs';
import { Database } from '../../platform/database';

type OfRun = 'status' | 'agent_id' | 'agent_provider' | 'trials' | 'total_scenarios';

/** What an operator is told of a run: no words of a conversation, and nothing of an agent's config. */
export interface RunOutline extends Pick<TestRunListItem, OfRun> {
  readonly created_at: Date;
  /** Null while it has not started. */
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  /** How many scenario runs have ended in each error code. */
  readonly errors: Readonly<Record<string, number>>;
}

type OfScenarioRun =
  'id' | 'test_run_id' | 'scenario_id' | 'status' | 'trial' | 'attempt' | 'turns' | 'score_percent' | 'error_code';

/** The same of a scenario run. */
export interface ScenarioRunOutline
  extends Pick<ScenarioRunView, OfScenarioRun>, Pick<TestRunListItem, 'agent_id' | 'agent_provider'> {
  /** Null when no process has begun it. */
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
}

/** Reads what logs and traces say of runs. */
@Injectable()
export class RunOutlinesStore {
  constructor(private readonly database: Database) {}

  /** Null when there is no such run any more. @throws the database's error */
  async ofRun(testRunId: string): Promise<RunOutline | null> {
    const [row] = await this.database.query<RunOutline>(
      `SELECT t.status, t.agent_id, t.agent_provider, t.trials, t.total_scenarios, t.created_at, t.started_at, t.completed_at,
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
      `SELECT s.id, s.test_run_id, s.scenario_id, t.agent_id, t.agent_provider, s.status, s.trial, s.attempt, s.turns,
              s.score_percent, s.error_code, s.started_at, s.completed_at
       FROM scenario_runs s JOIN test_runs t ON t.id = s.test_run_id WHERE s.id = ANY($1::uuid[])`,
      [ids],
    );
  }
}
