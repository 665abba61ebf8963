import type { ScenarioRunMetadata, TurnMetadata } from '../../../contract/scenario-run-metadata';
import {
  type EndedBy,
  type Turn,
  type Ending,
  boundedFailure,
  decisionLetters,
  type Failure,
  type Verdict,
  type RunEventFields,
  type ScenarioRunStatus,
} from '../../domain';
import { storableText, toStorableJson } from '../../platform/storable-text';
import { settledBy, storedFieldsOf, type EventDraft } from './run-log';
import { examinersOf, findingsOf, type Examiners, type Findings } from './findings';

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
        readonly exchange: Turn;
        readonly continuation: unknown;
        readonly metadata: TurnMetadata;
        /** The last turn of its conversation: grading starts with it, in the same change. */
        readonly startsGrading?: boolean;
        /** Who ended the conversation with it before it had all its turns; only with startsGrading. */
        readonly endedBy?: EndedBy | null;
      }
    | {
        readonly kind: 'gradingStart';
        /** Who ended the conversation before it had all its turns. */
        readonly endedBy?: EndedBy | null;
        /** What the patient said last, when the agent did not reply to it. */
        readonly unansweredMessage?: string | null;
        /** What the agent did in place of a reply to it. */
        readonly closingActs?: JsonObject;
      }
    | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly metadata: ScenarioRunMetadata }
    | { readonly kind: 'failure'; readonly failure: Failure; readonly metadata: ScenarioRunMetadata }
    | {
        readonly kind: 'release';
        /** The last turn that may have been sent, by this attempt or before it. */
        readonly sentTurns: number;
      }
  );

/** `canceled` also when the run was deleted: there is nothing left to write to. */
export type ChangeOutcome = 'committed' | 'superseded' | 'canceled';

/** What a change sets, by the column names that record-scenario-changes reads; what is left out stays as it is. */
interface RowChange {
  /** The statuses in which the row takes the change. */
  readonly allowed_from: readonly ScenarioRunStatus[];
  readonly status?: ScenarioRunStatus;
  /** The status is a final one: the row is complete. */
  readonly is_final?: true;
  /** The row has no owner any more. */
  readonly releases?: true;
  readonly sent_turns?: number;
  readonly turn?: number;
  readonly patient_message?: string;
  readonly patient_at?: string;
  readonly agent_message?: string;
  readonly agent_at?: string;
  readonly latency_ms?: number | null;
  readonly continuation?: unknown;
  readonly turn_metadata?: JsonObject;
  readonly ended_by?: EndedBy;
  readonly unanswered_message?: string;
  readonly closing_acts?: JsonObject;
  readonly passed?: boolean;
  readonly score_percent?: number;
  readonly total_points?: number;
  readonly max_points?: number;
  readonly grade_summary?: string;
  readonly criteria_results?: readonly JsonObject[];
  readonly decisions?: string;
  readonly error_code?: string;
  readonly error_message?: string;
  readonly metadata?: JsonObject;
  readonly examiners?: Examiners;
  readonly findings?: Findings;
}

/** How a row stands that refused a change of its own attempt. */
export interface RefusingRow {
  readonly status: ScenarioRunStatus;
  readonly owner: string | null;
  readonly turns: number;
}

/** Everything there is to a change: what it makes of the row, which events it has, and how its row looks once it is stored. */
export interface ChangeDescription {
  readonly row: RowChange;
  readonly events: readonly EventDraft[];
  /** Whether a row that refuses the change holds it already: the answer to its first commit was lost on the way. */
  readonly isRecorded: (row: RefusingRow) => boolean;
}

export function describe(change: ScenarioRunChange): ChangeDescription {
  const { scenarioRunId: scenario_run_id } = change;
  switch (change.kind) {
    case 'turn': {
      const { exchange, continuation, metadata, startsGrading = false, endedBy = null } = change;
      const grading = gradingStarted({ endedBy, unansweredMessage: null });
      return {
        row: {
          allowed_from: ['running'],
          turn: exchange.turn,
          patient_message: exchange.patientMessage,
          patient_at: exchange.patientAt,
          agent_message: exchange.agentMessage,
          agent_at: exchange.agentAt,
          latency_ms: exchange.latencyMs,
          continuation,
          turn_metadata: metadata,
          ...(startsGrading ? { status: 'grading', ...grading } : {}),
        },
        events: [
          transcriptUpdate(scenario_run_id, exchange),
          ...(startsGrading ? [{ type: 'grading_started', scenario_run_id, ...grading } as const] : []),
        ],
        isRecorded: ({ turns, status }) => turns >= exchange.turn && (!startsGrading || status === 'grading'),
      };
    }
    case 'gradingStart': {
      const grading = gradingStarted(change);
      return {
        row: {
          allowed_from: ['running'],
          status: 'grading',
          ...grading,
          // The event does not tell it, as that of a turn does not.
          ...(change.closingActs && { closing_acts: change.closingActs }),
        },
        events: [{ type: 'grading_started', scenario_run_id, ...grading }],
        isRecorded: ({ status }) => status === 'grading',
      };
    }
    case 'verdict': {
      const { passed, scorePercent: score_percent, totalPoints, maxPoints, summary, criteria } = change.verdict;
      const status = passed ? 'passed' : 'failed';
      return {
        row: {
          allowed_from: ['grading'],
          status,
          is_final: true,
          releases: true,
          passed,
          score_percent,
          total_points: totalPoints,
          max_points: maxPoints,
          grade_summary: summary,
          criteria_results: criteria.map(({ maxPoints: max_points, repliesRead, ...result }) => ({
            max_points,
            ...(repliesRead === undefined ? {} : { replies_read: repliesRead }),
            ...result,
          })),
          decisions: decisionLetters(criteria.map(({ decision }) => decision)),
          metadata: change.metadata,
          ...counted(marksOf(criteria), change.metadata),
        },
        events: [
          { type: 'grading_complete', scenario_run_id, passed, score_percent },
          { type: 'scenario_complete', scenario_run_id, status },
        ],
        isRecorded: (row) => row.status === status,
      };
    }
    case 'failure': {
      const { code: error_code, message } = boundedFailure(change.failure);
      const error = storableText(message);
      return {
        row: {
          allowed_from: ['running', 'grading'],
          status: 'error',
          is_final: true,
          releases: true,
          error_code,
          error_message: error,
          metadata: change.metadata,
          ...counted([], change.metadata),
        },
        events: [{ type: 'scenario_error', scenario_run_id, error_code, error }],
        isRecorded: ({ status }) => status === 'error',
      };
    }
    case 'release':
      return {
        row: { allowed_from: ['running', 'grading'], releases: true, sent_turns: change.sentTurns },
        events: [],
        isRecorded: ({ owner }) => owner === null,
      };
  }
}

/** What statistics read in place of marks and metadata. */
function counted(
  marks: Parameters<typeof findingsOf>[0],
  metadata: ScenarioRunMetadata,
): Pick<RowChange, 'examiners' | 'findings'> {
  const [examiners, findings] = [examinersOf(metadata), findingsOf(marks, metadata)];
  return { ...(examiners && { examiners }), ...(findings && { findings }) };
}

function marksOf(criteria: Verdict['criteria']): Parameters<typeof findingsOf>[0] {
  return criteria.map(({ criterion, tags, decision, maxPoints: points, disputed }) => ({
    criterion,
    tags,
    decision,
    points,
    disputed,
  }));
}

/** The JSON object that record-scenario-changes takes for a change, but for its place in the batch. */
export function textOf(change: AttemptRef, { row, events }: ChangeDescription): string {
  return toStorableJson({
    id: change.scenarioRunId,
    test_run_id: change.testRunId,
    attempt: change.attempt,
    owner: change.owner,
    event_types: events.map(({ type }) => type),
    event_settled: events.map(settledBy),
    event_fields: events.map((event) => JSON.stringify(storedFieldsOf(event))),
    // Last on purpose: V8 (Node 20) defines what follows a spread one property at a time, at a microsecond each.
    ...row,
  });
}

/** What is kept of an end that came before the conversation had all its turns, in the row and in the event alike. */
function gradingStarted({ endedBy, unansweredMessage }: Partial<Ending>): {
  readonly ended_by?: EndedBy;
  readonly unanswered_message?: string;
} {
  if (endedBy === null || endedBy === undefined) return {};
  if (unansweredMessage === null || unansweredMessage === undefined) return { ended_by: endedBy };
  return { ended_by: endedBy, unanswered_message: storableText(unansweredMessage) };
}

/** What an event holds of a recorded turn. */
interface SpokenTurn {
  readonly turn: number;
  readonly patientMessage: string;
  readonly agentMessage: string;
  readonly latencyMs: number | null;
}

type TranscriptUpdate = Extract<RunEventFields, { type: 'transcript_update' }>;

/** The event of a turn, the same when it is published and when it is read back: the turn holds its text, the log does not. */
export function transcriptUpdate(scenarioRunId: string, spoken: SpokenTurn): TranscriptUpdate {
  return {
    type: 'transcript_update',
    scenario_run_id: scenarioRunId,
    turn: spoken.turn,
    patient_message: storableText(spoken.patientMessage),
    agent_message: storableText(spoken.agentMessage),
    latency_ms: spoken.latencyMs,
  };
}
