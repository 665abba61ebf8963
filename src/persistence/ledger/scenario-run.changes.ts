import type { Exchange } from '../../../machines/conversation';
import type { Failure } from '../../../machines/failure';
import type { Verdict } from '../../../machines/rubric';
import type { Counts, RunEventFields } from '../../../machines/run-events';
import type { ScenarioRunStatus } from '../../../machines/statuses';
import { NO_COUNTS } from './run-counts';

/** Names one execution of a scenario run; every write carries it and is refused when it is stale (invariant 3). */
export interface AttemptRef {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  /** The process that claimed it. */
  readonly owner: string;
  readonly attempt: number;
}

/** Documents kept as JSON beside a turn or a scenario run. */
export type JsonObject = Readonly<Record<string, unknown>>;

export type ScenarioRunChange = AttemptRef &
  (
    | {
        readonly kind: 'turn';
        readonly exchange: Exchange;
        readonly continuation: unknown;
        readonly metadata: JsonObject;
        /** The last turn of its conversation: grading starts with it, in the same change. */
        readonly startsGrading?: boolean;
      }
    | { readonly kind: 'gradingStart' }
    | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly metadata: JsonObject }
    | { readonly kind: 'failure'; readonly failure: Failure; readonly metadata: JsonObject }
    | {
        readonly kind: 'handBack';
        /** The last turn that may have been sent, by this attempt or before it. */
        readonly sentTurns: number;
      }
  );

/** `canceled` also when the run was deleted: there is nothing left to write to. */
export type ChangeOutcome = 'committed' | 'superseded' | 'canceled';

/** The row a change becomes, but for its place in the batch; the function in the database reads it with json_to_recordset. */
export interface ChangeRecord {
  readonly id: string;
  readonly test_run_id: string;
  readonly attempt: number;
  readonly owner: string;
  readonly allowed_from: readonly ScenarioRunStatus[];
  readonly status?: ScenarioRunStatus;
  readonly is_final: boolean;
  readonly releases: boolean;
  readonly sent_turns?: number;
  readonly turn?: number;
  readonly patient_message?: string;
  readonly patient_at?: string;
  readonly agent_message?: string;
  readonly agent_at?: string;
  readonly latency_ms?: number;
  readonly continuation?: unknown;
  readonly turn_metadata?: JsonObject;
  readonly passed?: boolean;
  readonly score_percent?: number;
  readonly total_points?: number;
  readonly max_points?: number;
  readonly grade_summary?: string;
  readonly criteria_results?: readonly JsonObject[];
  readonly error_code?: string;
  readonly error_message?: string;
  readonly metadata?: JsonObject;
}

export function recordOf(change: ScenarioRunChange): ChangeRecord {
  const isFinal = isOutcome(change);
  return {
    id: change.scenarioRunId,
    test_run_id: change.testRunId,
    attempt: change.attempt,
    owner: change.owner,
    is_final: isFinal,
    releases: isFinal || change.kind === 'handBack',
    // Last on purpose: V8 (Node 20) defines what follows a spread one property at a time, at a microsecond each.
    ...effectOf(change),
  };
}

type Effect = Omit<ChangeRecord, 'id' | 'test_run_id' | 'attempt' | 'owner' | 'is_final' | 'releases'>;

function effectOf(change: ScenarioRunChange): Effect {
  switch (change.kind) {
    case 'turn': {
      const { exchange } = change;
      return {
        allowed_from: ['running'],
        ...(change.startsGrading === true ? { status: 'grading' } : {}),
        turn: exchange.turn,
        patient_message: exchange.patientMessage,
        patient_at: exchange.patientAt,
        agent_message: exchange.agentMessage,
        agent_at: exchange.agentAt,
        latency_ms: exchange.latencyMs,
        continuation: change.continuation,
        turn_metadata: change.metadata,
      };
    }
    case 'gradingStart':
      return { allowed_from: ['running'], status: 'grading' };
    case 'verdict': {
      const { verdict } = change;
      return {
        allowed_from: ['grading'],
        status: verdict.passed ? 'passed' : 'failed',
        passed: verdict.passed,
        score_percent: verdict.scorePercent,
        total_points: verdict.totalPoints,
        max_points: verdict.maxPoints,
        grade_summary: verdict.summary,
        criteria_results: verdict.criteria.map(({ maxPoints, ...result }) => ({ max_points: maxPoints, ...result })),
        metadata: change.metadata,
      };
    }
    case 'failure':
      return {
        allowed_from: ['running', 'grading'],
        status: 'error',
        error_code: change.failure.code,
        error_message: change.failure.message,
        metadata: change.metadata,
      };
    case 'handBack':
      return { allowed_from: ['running', 'grading'], sent_turns: change.sentTurns };
  }
}

/** Tells whether a refused change is already in the row: the answer to its first commit was lost on the way. */
export function isAlreadyRecorded(
  change: ScenarioRunChange,
  row: { readonly status: ScenarioRunStatus; readonly owner: string | null; readonly turns: number },
): boolean {
  switch (change.kind) {
    case 'turn':
      return row.turns >= change.exchange.turn && (change.startsGrading !== true || row.status === 'grading');
    case 'gradingStart':
      return row.status === 'grading';
    case 'verdict':
      return row.status === (change.verdict.passed ? 'passed' : 'failed');
    case 'failure':
      return row.status === 'error';
    case 'handBack':
      return row.owner === null;
  }
}

export function isOutcome(change: ScenarioRunChange): boolean {
  return change.kind === 'verdict' || change.kind === 'failure';
}

/** The events that tell of a committed change, in their order. `counts` are those of the run right after it. */
export function eventsOf(change: ScenarioRunChange, scenarioId: string, counts: Counts): RunEventFields[] {
  const { scenarioRunId: scenario_run_id } = change;
  switch (change.kind) {
    case 'turn':
      return [
        {
          type: 'transcript_update',
          scenario_run_id,
          turn: change.exchange.turn,
          patient_message: change.exchange.patientMessage,
          agent_message: change.exchange.agentMessage,
          latency_ms: change.exchange.latencyMs,
        },
        ...(change.startsGrading === true ? [{ type: 'grading_started', scenario_run_id } as const] : []),
      ];
    case 'gradingStart':
      return [{ type: 'grading_started', scenario_run_id }];
    case 'verdict': {
      const { passed, scorePercent: score_percent } = change.verdict;
      return [
        { type: 'grading_complete', scenario_run_id, passed, score_percent },
        {
          type: 'scenario_complete',
          scenario_run_id,
          status: passed ? 'passed' : 'failed',
          scenario_id: scenarioId,
          counts,
        },
      ];
    }
    case 'failure':
      return [
        {
          type: 'scenario_error',
          scenario_run_id,
          error_code: change.failure.code,
          error: change.failure.message,
          scenario_id: scenarioId,
          counts,
        },
      ];
    case 'handBack':
      return [];
  }
}

/** An event before its change is applied. */
export interface EventDraft {
  readonly place: number;
  readonly type: RunEventFields['type'];
  /** Whether the database adds what only it knows, as the last fields: the scenario's id and the run's counts. */
  readonly counted: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function eventDraftsOf(change: ScenarioRunChange): EventDraft[] {
  return eventsOf(change, '', NO_COUNTS).map((event, place) => {
    if (!('counts' in event)) return { place, type: event.type, counted: false, fields: event };
    const { scenario_id: _id, counts: _counts, ...fields } = event;
    return { place, type: event.type, counted: true, fields };
  });
}
