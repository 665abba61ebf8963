import { Injectable } from '@nestjs/common';
import type { ScenarioRunStatus, SpokenRun, TestRunStatus } from '../../domain';
import { SHOWN_RUNS } from '../../engine/ledger';
import { Database, isUuid } from '../../platform/database';
import type { StoredCriterionResult } from '../runs/scenario-runs.store';

/** A run, as far as its voice goes. */
export interface SpokenTestRun {
  readonly id: string;
  readonly status: TestRunStatus;
  readonly total: number;
  /** Null: it was in text. */
  readonly spoken: SpokenRun | null;
}

/** A conversation of a run, before its turns are read. */
export interface ListedConversation {
  readonly id: string;
  readonly position: number;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly status: ScenarioRunStatus;
}

/** What is measured of it, as it is stored; `spoken` of a turn is not checked yet. */
export interface StoredConversation {
  readonly id: string;
  readonly start_ms: number | null;
  readonly language: string | null;
  readonly card: string;
  readonly red_flags: unknown;
  readonly criteria_results: readonly StoredCriterionResult[] | null;
  readonly turns: readonly {
    readonly turn: number;
    readonly said: string;
    readonly replied: string;
    readonly spoken: unknown;
  }[];
}

/** Longer texts are cut where they are stored: of what a turn says no more is measured. */
export interface TextLimits {
  readonly turn: number;
  readonly card: number;
}

/** Reads what the measures of a spoken run are made of. */
@Injectable()
export class SpokenConversationsStore {
  constructor(private readonly database: Database) {}

  /** Null: there is no such run. */
  async run(idOrLabel: string): Promise<SpokenTestRun | null> {
    const [row] = await this.database.query<SpokenTestRun>(
      `SELECT t.id, t.status, t.total_scenarios AS total, t.spoken FROM ${SHOWN_RUNS} t WHERE ${isUuid(idOrLabel) ? 't.id = $1' : 't.label = $1'}`,
      [idOrLabel],
    );
    return row ?? null;
  }

  /** Those with a turn that was spoken, in the run's order. */
  list(testRunId: string): Promise<ListedConversation[]> {
    return this.database.query<ListedConversation>(
      `SELECT s.id, s.position, s.scenario_id, s.scenario_name, s.trial, s.status FROM scenario_runs s
       WHERE s.test_run_id = $1 AND s.turns > 0 ORDER BY s.position`,
      [testRunId],
    );
  }

  /** In no particular order. Of the metadata of turns nothing else is read: tool calls may be long. */
  read(ids: readonly string[], { turn, card }: TextLimits): Promise<StoredConversation[]> {
    return this.database.query<StoredConversation>(
      `SELECT s.id, s.patient->>'language' AS language, s.criteria_results,
         CASE WHEN json_typeof(s.metadata->'spoken'->'start_ms') = 'number' THEN (s.metadata->'spoken'->>'start_ms')::float8 END AS start_ms,
         left(concat_ws(E'\\n', s.scenario->'content'->>'chief_complaint', s.scenario->'content'->>'script'), ${card}) AS card,
         s.scenario->'content'->'red_flags' AS red_flags,
         coalesce((SELECT json_agg(json_build_object('turn', t.turn, 'said', left(t.patient_message, ${turn + 1}),
             'replied', left(t.agent_message, ${turn + 1}), 'spoken', t.metadata->'spoken') ORDER BY t.turn)
           FROM turns t WHERE t.scenario_run_id = s.id AND t.conversation = s.conversation), '[]') AS turns
       FROM scenario_runs s WHERE s.id = ANY($1::uuid[])`,
      [ids],
    );
  }
}
