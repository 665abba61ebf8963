import {
  earlyEndIn,
  isMustPass,
  missedOf,
  isUsualPatient,
  patientName,
  type ScenarioRunStatus,
} from '../../../src/domain';
import type { ScenarioRun } from '../api/scenario-runs';
import type { LiveScenario } from '../live/live-run';

/** A line of the list of scenario runs. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: ScenarioRunStatus;
  readonly severity: string | null;
  readonly category: string | null;
  /** Null in a run of one trial. */
  readonly trial: number | null;
  /** Null for the usual patient. */
  readonly patient: string | null;
  readonly turns: number;
  readonly attempt: number;
  readonly score: number | null;
  /** Mean time of the agent's replies, in ms. */
  readonly latency: number | null;
  /** Cost of patient and judge in US dollars; null when there is none, or when it is not known. */
  readonly cost: number | null;
  /** Its verdict was given in another run. */
  readonly isCarried: boolean;
  readonly note: string | null;
  /** The stored row is final: its events add nothing. */
  readonly isFinal: boolean;
}

type Usage = NonNullable<ScenarioRun['metadata']['usage']>['judge'];

const HUNG_UP = 'the agent ended the conversation';

/** The line of a stored row. @param trials the number of trials of the run */
export function storedRow(run: ScenarioRun, trials: number): Row {
  const { usage: spent, timings } = run.metadata;
  return {
    id: run.id,
    name: run.scenario_name,
    status: run.status,
    severity: run.scenario_severity ?? null,
    category: run.scenario_category ?? null,
    trial: trials === 1 ? null : run.trial,
    patient: isUsualPatient(run.patient) ? null : patientName(run.patient),
    turns: run.turns,
    attempt: run.attempt,
    score: run.score_percent,
    latency: meanOf((timings?.turns ?? []).flatMap(({ agent_ms }) => agent_ms ?? [])),
    cost: costOf([spent?.tester, spent?.judge]),
    isCarried: run.carried === true,
    note: run.error_message ?? missedNote(run) ?? (earlyEndIn(run.metadata) === null ? null : HUNG_UP),
    isFinal: run.completed_at !== null || run.canceled_at !== null,
  };
}

/** A final row counts as it is; before that, the events are newer than the row. */
export function withEvents(row: Row, live: LiveScenario | undefined): Row {
  if (live === undefined || row.isFinal) return row;
  const { status, turns, attempt, score, error, hasHungUp, replies, repliesMs } = live;
  const latency = replies === 0 ? row.latency : repliesMs / replies;
  return { ...row, status, turns, attempt, score, latency, note: error ?? (hasHungUp ? HUNG_UP : doingOf(live)) };
}

/** What a conversation is doing: what it waits for, after what the agent said last. */
function doingOf({ status, said }: LiveScenario): string | null {
  if (status === 'grading') return 'the judge marks it';
  if (status !== 'running') return null;
  return said === null ? 'the patient opens the conversation' : `agent: “${said.trim()}”`;
}

/** Why a scenario failed, in one line: criteria that fail it on their own come first. One that passed may have missed something too. */
function missedNote({ status, criteria_results }: ScenarioRun): string | null {
  const [first, ...others] = missedOf(criteria_results);
  if (first === undefined) return null;
  if (status !== 'failed') return `${others.length + 1} missed`;
  const what = first.max_points < 0 ? 'must not' : isMustPass(first) ? 'must pass' : 'missed';
  return `${what}: ${first.criterion}${others.length === 0 ? '' : ` (and ${others.length} more missed)`}`;
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}

function costOf(parts: readonly Usage[]): number | null {
  const paid = parts.filter((part) => part !== null && part !== undefined).filter(({ calls }) => calls > 0);
  if (paid.length === 0) return null;
  return paid.reduce<number | null>(
    (sum, { cost_usd: cost }) => (sum === null || cost === null ? null : sum + cost),
    0,
  );
}
