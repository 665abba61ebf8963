import { Injectable } from '@nestjs/common';
import type { ScenarioRunStatus, TestRunStatus } from '../../domain';
import { Database, isUuid } from '../../platform/database';
import { LEASE_SECONDS } from '../../engine/ledger';

/** A scenario run or test run, as far as its actor is concerned. */
export interface ActorRow {
  readonly kind: 'scenario_run' | 'test_run';
  readonly id: string;
  readonly test_run_id: string;
  readonly test_run_label: string;
  readonly scenario_id: string | null;
  /** Of the scenario, or of the test run. */
  readonly name: string | null;
  readonly status: ScenarioRunStatus | TestRunStatus;
  /** 0 before the first one. */
  readonly attempt: number;
  /** The process whose lease on the row is running; null when no lease is. */
  readonly owner: string | null;
}

/** An event of a scenario run or test run, without what was said. */
export interface LoggedStep {
  readonly type: string;
  readonly at: Date;
  readonly attempt: number | null;
  readonly turn: number | null;
  readonly status: string | null;
  readonly error_code: string | null;
  /** Who ended the conversation before it had all its turns. */
  readonly ended_by: string | null;
}

/** When the messages of a recorded turn were ready. */
export interface TurnTimes {
  /** The attempt that began the conversation. */
  readonly conversation: number;
  readonly turn: number;
  readonly patient_at: Date;
  readonly agent_at: Date;
  /** What writing the patient's message took. */
  readonly tester_ms: number | null;
}

export interface ConversationFacts {
  readonly max_turns: number;
  /** What opening the session of the last attempt took; null when it was not opened, or is not known yet. */
  readonly connect_ms: number | null;
}

export interface LiveOwner {
  readonly owner: string;
  readonly actors: number;
}

const IS_LEASED = `owner IS NOT NULL AND heartbeat_at >= now() - make_interval(secs => ${LEASE_SECONDS})`;

const TEST_RUNS = `
  SELECT 'test_run' AS kind, t.id, t.id AS test_run_id, t.label AS test_run_label, NULL::uuid AS scenario_id, t.name,
         t.status, t.attempt, CASE WHEN ${IS_LEASED} THEN t.owner END AS owner, t.created_at, -1 AS position
  FROM test_runs t`;

const SCENARIO_RUNS = `
  SELECT 'scenario_run' AS kind, s.id, s.test_run_id, r.label AS test_run_label, s.scenario_id, s.scenario_name AS name,
         s.status, s.attempt, CASE WHEN s.owner IS NOT NULL
           AND s.heartbeat_at >= now() - make_interval(secs => ${LEASE_SECONDS}) THEN s.owner END AS owner,
         r.created_at, s.position
  FROM scenario_runs s JOIN test_runs r ON r.id = s.test_run_id`;

const LIVE = `
  SELECT * FROM (
    ${TEST_RUNS} WHERE t.status IN ('scheduled', 'pending', 'running')
    UNION ALL
    ${SCENARIO_RUNS} WHERE s.status IN ('pending', 'running', 'grading') AND s.owner IS NOT NULL
  ) everything WHERE owner IS NOT NULL`;

/**
 * Found by the index on the scenario run, not by reading the run's whole log.
 * Exported for the test that looks at what it reads.
 */
export const SCENARIO_RUN_STEPS = `
  SELECT type, at, (fields->>'attempt')::int AS attempt, (fields->>'turn')::int AS turn, fields->>'status' AS status,
         fields->>'error_code' AS error_code, fields->>'ended_by' AS ended_by
  FROM run_log WHERE scenario_run_id = $2 AND test_run_id = $1 ORDER BY seq`;

const RESULT = 'kind, id, test_run_id, test_run_label, scenario_id, name, status, attempt, owner';

/** Reads what inspection shows from rows and the event log: who has an actor where, and what became of those that ended. */
@Injectable()
export class InspectionStore {
  constructor(private readonly database: Database) {}

  /** What has an actor now: the newest runs first, each followed by its scenario runs in their order. */
  async listLive(
    testRunId: string | null,
    page: { limit: number; offset: number },
  ): Promise<{ actors: readonly ActorRow[]; total: number }> {
    const [actors, [count]] = await Promise.all([
      this.database.query<ActorRow>(
        `SELECT ${RESULT} FROM (${LIVE}) live WHERE $1::uuid IS NULL OR test_run_id = $1
         ORDER BY created_at DESC, test_run_id, position LIMIT $2 OFFSET $3`,
        [testRunId, page.limit, page.offset],
      ),
      this.database.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM (${LIVE}) live WHERE $1::uuid IS NULL OR test_run_id = $1`,
        [testRunId],
      ),
    ]);
    return { actors, total: count?.total ?? 0 };
  }

  /** The processes that have actors. */
  listOwners(): Promise<LiveOwner[]> {
    return this.database.query<LiveOwner>(
      `SELECT owner, count(*)::int AS actors FROM (${LIVE}) live GROUP BY owner ORDER BY owner`,
      [],
    );
  }

  /** By the UUID of a scenario run, or the UUID or label of a test run; null when there is neither. */
  async find(id: string): Promise<ActorRow | null> {
    const [row] = isUuid(id)
      ? await this.database.query<ActorRow>(
          `SELECT ${RESULT} FROM (${SCENARIO_RUNS} WHERE s.id = $1::uuid UNION ALL ${TEST_RUNS} WHERE t.id = $1::uuid) found`,
          [id],
        )
      : await this.database.query<ActorRow>(`SELECT ${RESULT} FROM (${TEST_RUNS} WHERE t.label = $1) found`, [id]);
    return row ?? null;
  }

  /** What the log holds of a scenario run, in order. */
  scenarioRunSteps(testRunId: string, scenarioRunId: string): Promise<LoggedStep[]> {
    return this.database.query<LoggedStep>(SCENARIO_RUN_STEPS, [testRunId, scenarioRunId]);
  }

  /** What the log holds of the test run itself, in order. */
  testRunSteps(testRunId: string): Promise<LoggedStep[]> {
    return this.database.query<LoggedStep>(
      `SELECT type, at, NULL::int AS attempt, NULL::int AS turn, NULL AS status, NULL AS error_code,
              NULL AS ended_by
       FROM run_log WHERE test_run_id = $1 AND type LIKE 'test\\_run\\_%' ORDER BY seq`,
      [testRunId],
    );
  }

  /** Of all conversations of a scenario run, those that were started again too. */
  turnTimes(scenarioRunId: string): Promise<TurnTimes[]> {
    return this.database.query<TurnTimes>(
      `SELECT conversation, turn, patient_at, agent_at, (metadata->>'tester_ms')::float8 AS tester_ms
       FROM turns WHERE scenario_run_id = $1 ORDER BY conversation, turn`,
      [scenarioRunId],
    );
  }

  async conversationFacts(scenarioRunId: string): Promise<ConversationFacts | null> {
    const [facts] = await this.database.query<ConversationFacts>(
      `SELECT r.max_turns, (s.metadata->'timings'->>'connect_ms')::float8 AS connect_ms
       FROM scenario_runs s JOIN test_runs r ON r.id = s.test_run_id WHERE s.id = $1`,
      [scenarioRunId],
    );
    return facts ?? null;
  }
}
