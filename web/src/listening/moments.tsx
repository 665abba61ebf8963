import { asksForEscalation } from '../../../src/domain';
import type { CallSpan, MeasuredMoment, SpokenTimeline } from '../api/recordings';
import type { CriterionResult } from '../api/scenario-runs';

export type MomentKind = MeasuredMoment['kind'] | 'escalation';

/** What happened at one moment of a call. */
export interface Moment extends CallSpan {
  readonly kind: MomentKind;
  readonly turn: number;
  /** What became of it, as a clause; empty where the name says all. */
  readonly detail: string;
}

/** Names of moments, and in whose lane each stands. */
export const MOMENTS: Readonly<Record<MomentKind, { readonly name: string; readonly of: 'patient' | 'agent' }>> = {
  interruption: { name: 'Interruption', of: 'patient' },
  backchannel: { name: 'Backchannel', of: 'patient' },
  red_flag: { name: 'Red flag', of: 'patient' },
  premature_start: { name: 'Premature start', of: 'agent' },
  dead_air: { name: 'Dead air', of: 'agent' },
  escalation: { name: 'Escalation', of: 'agent' },
};

/** In the order of the call. @param results of the marked checklist; null where it is not to be seen */
export function momentsOf({ marks }: SpokenTimeline, results: readonly CriterionResult[] | null): readonly Moment[] {
  const measured = marks.map((mark) => ({ ...mark, detail: detailOf(mark) }));
  const escalation = escalationIn(results ?? []);
  return [...measured, ...(escalation === null ? [] : [escalation])].sort((one, other) => one.from_ms - other.from_ms);
}

/** The first words that earn the must-pass criterion about escalation. */
function escalationIn(results: readonly CriterionResult[]): Moment | null {
  const [first] = results
    .filter((result) => asksForEscalation(result) && result.decision !== 'NOT MET')
    .flatMap(({ evidence }) => evidence)
    .flatMap(({ turn, from_ms, to_ms }) =>
      from_ms === undefined || to_ms === undefined ? [] : [{ turn, from_ms, to_ms }],
    )
    .sort((one, other) => one.from_ms - other.from_ms);
  return first === undefined ? null : { kind: 'escalation', ...first, detail: 'the words that earn the criterion' };
}

const OUTCOMES: Readonly<Record<NonNullable<MeasuredMoment['outcome']>, string>> = {
  stopped: 'the agent stopped',
  talked_through: 'the agent talked through it',
  paused_and_resumed: 'the agent paused, and went on',
  gave_up: 'the agent gave up what it was saying',
  finished: 'the agent had said all',
  unknown: 'the agent stopped; whether it had more to say is not known',
  missed: 'the agent was not speaking',
  unreliable: 'the sound was disturbed on our side',
};

function detailOf({ kind, outcome, after_ms, from_ms, to_ms }: MeasuredMoment): string {
  if (kind === 'dead_air') return `${secondsText(to_ms - from_ms)} of silence`;
  if (kind === 'premature_start') return `the agent began ${secondsText(to_ms - from_ms)} before the patient had ended`;
  if (outcome === null) return '';
  const after = after_ms === null || outcome === 'talked_through' ? '' : ` after ${secondsText(after_ms)}`;
  return `${OUTCOMES[outcome]}${outcome === 'stopped' || outcome === 'gave_up' ? after : ''}`;
}

function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Outlines in a square of 16. */
const OUTLINES: Readonly<Record<MomentKind, string>> = {
  // A flash.
  interruption: 'M9 1.5 3.5 9H7.5L6.5 14.5 12.5 6.5H8.5Z',
  // Three dots.
  backchannel:
    'M2 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M6.5 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M11 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0',
  // A flag.
  red_flag: 'M3.5 1.5H5V2.5H13L11 5.75 13 9H5V14.5H3.5Z',
  // An arrow to before a bar.
  premature_start: 'M12 2.5H13.5V13.5H12ZM2.5 8 7.5 3.5V7H11V9H7.5V12.5Z',
  // An hourglass.
  dead_air: 'M3.5 1.5H12.5V3L9 8L12.5 13V14.5H3.5V13L7 8L3.5 3Z',
  // A cross.
  escalation: 'M6 2H10V6H14V10H10V14H6V10H2V6H6Z',
};

/** The sign of a kind of moment, in the colour of the text around it. */
export function MomentSign({ kind }: { readonly kind: MomentKind }) {
  return (
    <svg className={`moment-sign ${kind}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={OUTLINES[kind]} />
    </svg>
  );
}
