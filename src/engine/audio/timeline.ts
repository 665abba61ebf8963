/** A stretch of a call in ms on the one clock of the call; `to` is its end. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A turn of the patient as it was heard: from the start of its first sentence to the end of its last. */
export interface PatientTurn extends Stretch {
  /** False where the clock or the path was disturbed: the turn stands in the timeline and in no figure about time. */
  readonly reliable: boolean;
  /** Pauses that the script put inside or between its sentences. */
  readonly pauses: readonly ScriptedPause[];
}

export interface ScriptedPause extends Stretch {
  /** Its length as the script has it, by which pauses are grouped. */
  readonly scriptedMs: number;
}

/** What the patient says while the agent speaks. */
export interface Interjection extends Stretch {
  readonly kind: 'interruption' | 'backchannel';
  readonly reliable: boolean;
  /** Whether the agent had more to say when it stopped; null where its own text does not tell. */
  readonly agentUnfinished: boolean | null;
}

/** A call as it was heard at the patient's ear. Turns and interjections are in order; none of the patient's stretches overlap. */
export interface Timeline {
  /** When the patient's track could first be heard. */
  readonly start: number;
  readonly end: number;
  readonly turns: readonly PatientTurn[];
  readonly interjections: readonly Interjection[];
  /** Voiced segments of the agent as they were detected, in order and apart. */
  readonly agent: readonly Stretch[];
}

/** A gap shorter than this is part of what is around it: a pause for breath. */
const MERGED_GAP_MS = 300;

/** Stretches with the short gaps between them filled: what a listener hears as one. They are given in order. */
export function withoutShortGaps(stretches: readonly Stretch[]): Stretch[] {
  return united(stretches, MERGED_GAP_MS);
}

/** What at least one of the stretches covers, in order and apart. */
export function unionOf(stretches: readonly Stretch[]): Stretch[] {
  return united(
    stretches.toSorted((one, other) => one.from - other.from),
    0,
  );
}

/** What both cover. Each list is in order and its stretches are apart. */
export function overlapOf(some: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = [];
  let [at, beside] = [0, 0];
  for (let one = some[at], other = others[beside]; one !== undefined && other !== undefined;) {
    const both = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
    if (both.from < both.to) found.push(both);
    if (one.to < other.to) one = some[(at += 1)];
    else other = others[(beside += 1)];
  }
  return found;
}

/** In ms; each moment counts as often as it is covered. */
export function durationOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0);
}

function united(ordered: readonly Stretch[], gap: number): Stretch[] {
  const result: Stretch[] = [];
  for (const { from, to } of ordered) {
    const last = result.at(-1);
    const isNear = last !== undefined && (from <= last.to || from - last.to < gap);
    if (isNear) result[result.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else result.push({ from, to });
  }
  return result;
}
