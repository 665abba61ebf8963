import type { Turn, PatientProfile, Region, RubricCriterion, ScenarioRunStatus, SpokenRun } from '../../domain';
import type { ExaminerDocument } from './run-examiners.store';
import type { AttemptRef, JsonObject } from './scenario-run.changes';

export interface StoredTurn extends Turn {
  readonly continuation: unknown;
  readonly metadata: JsonObject;
}

/** The copy of the scenario that was made when the run was started: later edits do not reach it. */
export interface ScenarioSnapshot {
  readonly name: string;
  readonly content: JsonObject;
  readonly rubric_criteria: readonly RubricCriterion[];
}

/** How a scenario run is to be examined where it has that of its own: as one repeat of a labelled transcript, or as in the other runs of its set. */
export interface GivenExamination {
  /** Determines the order of the criteria and the choice of control questions. */
  readonly seed: number;
  /** Where its patient is; null when that is not known. */
  readonly region: Region | null;
}

/** Everything an actor needs to execute a claimed scenario run. */
export interface ExecutionRecord {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  readonly attempt: number;
  readonly status: ScenarioRunStatus;
  readonly maxTurns: number;
  readonly passThreshold: number;
  /** Where the patient is; null when that is not known. */
  readonly region: Region | null;
  /** How its patient sounds and who hears; null: the conversation is in text. */
  readonly spoken: SpokenRun | null;
  /** Of its examination; null for a random one. */
  readonly seed: number | null;
  readonly agentId: string;
  readonly agentProvider: string;
  /** Null when the agent was erased in the meantime. */
  readonly agentConfig: JsonObject | null;
  readonly scenarioId: string;
  readonly scenario: ScenarioSnapshot;
  /** The number of its trial in the run, from 1. */
  readonly trial: number;
  readonly patient: PatientProfile;
  /** How many of the turns another scenario run has held. */
  readonly keptTurns: number;
  /** What the patient says after them; null when the tester writes that too. */
  readonly givenMessage: string | null;
  /** The tester that played the whole conversation in another scenario run; null when the tester of this one plays. */
  readonly playedBy: ExaminerDocument | null;
  readonly turns: readonly StoredTurn[];
  /** What the agent did in place of its last reply; null where it replied, or nothing is known of it. */
  readonly closingActs: JsonObject | null;
  /** An attempt before this one held a conversation that this one goes on without. */
  readonly isRestarted: boolean;
  /** The turn after the recorded ones may have been sent by an attempt before this one. */
  readonly isInDoubt: boolean;
}

/** The record as claim-scenario-runs answers it. */
export interface ExecutionRow {
  readonly status: ScenarioRunStatus;
  readonly max_turns: number;
  readonly pass_threshold: number;
  readonly region: Region | null;
  readonly spoken: SpokenRun | null;
  readonly agent_id: string;
  readonly agent_provider: string;
  readonly agent_config: JsonObject | null;
  readonly scenario_id: string;
  readonly scenario: ScenarioSnapshot;
  readonly trial: number;
  readonly patient: PatientProfile;
  readonly kept_turns: number | null;
  readonly given_message: string | null;
  readonly played_by: ExaminerDocument | null;
  readonly examination: GivenExamination | null;
  readonly closing_acts: JsonObject | null;
  readonly is_restarted: boolean;
  readonly is_in_doubt: boolean;
  /** Null before the first. */
  readonly turns: readonly TurnRow[] | null;
}

/** A recorded turn; times are Dates from a column, and texts from a JSON document. */
export interface TurnRow {
  readonly turn: number;
  readonly patient_message: string;
  readonly patient_at: Date | string;
  readonly agent_message: string;
  readonly agent_at: Date | string;
  readonly latency_ms: number | null;
  readonly continuation: unknown;
  readonly metadata: JsonObject;
}

/** @throws Error when a row holds what no reader understands */
export function executionOf(
  { scenarioRunId, testRunId, attempt }: Omit<AttemptRef, 'owner'>,
  row: ExecutionRow,
): ExecutionRecord {
  return {
    scenarioRunId,
    testRunId,
    attempt,
    status: row.status,
    maxTurns: row.max_turns,
    passThreshold: row.pass_threshold,
    region: row.examination === null ? row.region : row.examination.region,
    spoken: row.spoken,
    seed: row.examination?.seed ?? null,
    agentId: row.agent_id,
    agentProvider: row.agent_provider,
    agentConfig: row.agent_config,
    scenarioId: row.scenario_id,
    scenario: row.scenario,
    trial: row.trial,
    patient: row.patient,
    keptTurns: row.kept_turns ?? 0,
    givenMessage: row.given_message,
    playedBy: row.played_by,
    turns: (row.turns ?? []).map(turnOf),
    closingActs: row.closing_acts,
    isRestarted: row.is_restarted,
    isInDoubt: row.is_in_doubt,
  };
}

/** @throws RangeError for a time that no clock shows */
export function turnOf(row: TurnRow): StoredTurn {
  return {
    turn: row.turn,
    patientMessage: row.patient_message,
    patientAt: new Date(row.patient_at).toISOString(),
    agentMessage: row.agent_message,
    agentAt: new Date(row.agent_at).toISOString(),
    latencyMs: row.latency_ms,
    continuation: row.continuation,
    metadata: row.metadata,
  };
}
