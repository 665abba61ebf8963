import { Injectable } from '@nestjs/common';
import type { ScenarioRunView } from '../../../contract/scenario-runs';
import type { EndedBy, Decision, Evidence } from '../../domain';
import { Database, isoTime, isUuid } from '../../platform/database';
import { turnOf, type JsonObject, type StoredTurn, type TurnRow, SHOWN_RUNS } from '../../engine/ledger';

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
  /** The kind of the check that decided it; absent where the judge did. */
  readonly check?: string;
}

/** What is said of a scenario run beside its row. */
type Computed = 'criteria_results' | 'effective' | 'duration_ms' | 'screenshot_url';

/** A scenario run as the API names and writes it. */
export interface ScenarioRunRecord extends Omit<ScenarioRunView, Computed> {
  readonly criteria_results: readonly StoredCriterionResult[] | null;
  /** By all reviews; null when there are none. */
  readonly reviewed_passed: boolean | null;
  readonly reviewed_score_percent: number | null;
  /** Who ended the conversation before it had all its turns. */
  readonly ended_by: EndedBy | null;
  readonly unanswered_message: string | null;
}

/** Where each field comes from, of a scenario run `s`, its scenario `c` and its newest review `r`. */
const COLUMNS: Readonly<Record<keyof ScenarioRunRecord, string>> = {
  id: 's.id',
  test_run_id: 's.test_run_id',
  scenario_id: 's.scenario_id',
  scenario_name: 's.scenario_name',
  scenario_revision: 's.scenario_revision',
  scenario_content_hash: 's.scenario_content_hash',
  scenario_category: 'c.category',
  scenario_severity: 'c.severity',
  source_scenario_run_id: 's.source_scenario_run_id',
  carried: 's.carried',
  kept_turns: 's.kept_turns',
  given_message: 's.given_message',
  trial: 's.trial',
  patient: 's.patient',
  status: 's.status',
  passed: 's.passed',
  score_percent: 's.score_percent',
  total_points: 's.total_points',
  max_points: 's.max_points',
  grade_summary: 's.grade_summary',
  criteria_results: 's.criteria_results',
  reviewed_passed: 'r.effective_passed',
  reviewed_score_percent: 'r.effective_score_percent',
  error_code: 's.error_code',
  error_message: 's.error_message',
  // One that no process has claimed yet waits for its first execution.
  attempt: 'greatest(1, s.attempt)',
  turns: 's.turns',
  started_at: isoTime('s.started_at'),
  completed_at: isoTime('s.completed_at'),
  canceled_at: isoTime('s.canceled_at'),
  created_at: isoTime('s.created_at'),
  metadata: 's.metadata',
  ended_by: 's.ended_by',
  unanswered_message: 's.unanswered_message',
};

const SELECTED = Object.entries(COLUMNS)
  .map(([name, source]) => `${source} AS ${name}`)
  .join(', ');

const NAMED = ['id', 'scenario_name', 'trial', 'status'] as const;
type NamedFields = (typeof NAMED)[number];

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

/** Scenario runs that follow each other in a run. */
export interface ScenarioRunPortion {
  readonly results: readonly ScenarioRunRecord[];
  /** The position of the last one; that of the question when there is none. */
  readonly last: number;
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
        `SELECT ${SELECTED} FROM ${FROM} WHERE s.test_run_id = $1 ${among} ORDER BY s.position LIMIT $2 OFFSET $3`,
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
  async listAfter(testRunId: string, position: number, limit: number): Promise<ScenarioRunPortion> {
    const rows = await this.database.query<ScenarioRunRecord & { readonly position: number }>(
      `SELECT ${SELECTED}, s.position FROM ${FROM} WHERE s.test_run_id = $1 AND s.position > $2
       ORDER BY s.position LIMIT $3`,
      [testRunId, position, limit],
    );
    // A record is shown as it is: what only orders the rows is no part of it.
    return { results: rows.map(({ position: _place, ...run }) => run), last: rows.at(-1)?.position ?? position };
  }

  /** Those that failed or came to no verdict, in the run's order: what a message links to. */
  notPassed(testRunId: string, limit: number): Promise<Pick<ScenarioRunRecord, NamedFields>[]> {
    return this.database.query(
      `SELECT ${NAMED.map((name) => `${COLUMNS[name]} AS ${name}`).join(', ')} FROM scenario_runs s
       WHERE s.test_run_id = $1 AND s.status IN ('failed', 'error') ORDER BY s.position LIMIT $2`,
      [testRunId, limit],
    );
  }

  async find(id: string): Promise<ScenarioRunRecord | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.query<ScenarioRunRecord>(
      `SELECT ${SELECTED} FROM ${FROM} WHERE s.id = $1 AND EXISTS (${RUN_OF_S})`,
      [id],
    );
    return row ?? null;
  }

  /**
   * How many bytes `turnsOf` would read of each, by its id; of one without turns nothing. No text is read but that of tool calls, which
   * are compressed, a hundredfold where they say the same again and again.
   */
  async sizesOf(scenarioRunIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ readonly id: string; readonly bytes: number }>(
      `SELECT t.scenario_run_id AS id, sum(octet_length(t.patient_message) + octet_length(t.agent_message)
                + coalesce(pg_column_size(t.continuation), 0)
                + CASE WHEN pg_column_size(t.metadata) > 2000 THEN octet_length(t.metadata::text)
                       ELSE pg_column_size(t.metadata) END)::float8 AS bytes
       FROM turns t JOIN scenario_runs s ON s.id = t.scenario_run_id AND s.conversation = t.conversation
       WHERE t.scenario_run_id = ANY($1::uuid[]) GROUP BY t.scenario_run_id`,
      [scenarioRunIds],
    );
    return new Map(rows.map(({ id, bytes }) => [id, bytes]));
  }

  /** What agents did in place of a last reply, by the id of the scenario run; nothing for the others. */
  async closingActsOf(scenarioRunIds: readonly string[]): Promise<Map<string, JsonObject>> {
    const rows = await this.database.query<{ readonly id: string; readonly closing_acts: JsonObject }>(
      'SELECT id, closing_acts FROM scenario_runs WHERE id = ANY($1::uuid[]) AND closing_acts IS NOT NULL',
      [scenarioRunIds],
    );
    return new Map(rows.map(({ id, closing_acts: acts }) => [id, acts]));
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
