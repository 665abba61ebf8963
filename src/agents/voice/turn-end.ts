import type { InterjectionKind } from '../provider';
import type { Heard } from './sound-clocks';

/** The agent is silent for so long: the floor is the patient's. Longer than people pause, shorter than they wait. */
export const SILENCE_MS = 1_200;
/** An agent that was spoken into and fell silent may go on: it has 3 s (VOICE 6, `paused_and_resumed`), and the way here. */
const RESUMES_MS = 3_200;
/** An agent that was told something while it spoke, and fell silent, may answer. Far longer is no answer any more. */
const ANSWERS_MS = 8_000;
/** It fell silent because it was spoken into when it did so within this time (VOICE 6, yield). */
const YIELDS_MS = 2_000;
const FALSE_YIELDS_MS = 1_000;
/** A cough or a click is shorter; the shortest words are not. */
const LEAST_WORDS_MS = 300;

export interface SpokenSoFar {
  /** The patient's turn. */
  readonly said: Heard;
  /** What the patient said into the answer; null when it has said nothing. */
  readonly interjection: (Heard & { readonly kind: InterjectionKind }) | null;
  /** What the agent has said since the turn began, in order; not empty. */
  readonly heard: readonly Heard[];
  /** How long the agent may take to begin, in ms. */
  readonly beginsMs: number;
}

/** From when on the agent has the floor no more, unless it says something before; machine ms. */
export function floorIsOursAt({ said, interjection, heard, beginsMs }: SpokenSoFar): number {
  const silentSince = Math.max(...heard.map(({ to }) => to));
  if (interjection?.kind === 'interruption') return afterInterruption(interjection, heard, silentSince);
  if (interjection !== null) return afterBackchannel(interjection, silentSince);
  // It spoke into the patient's turn and no further, or made a sound at its end: an answer is yet to come.
  const isGoingOn = heard.some((span) => span.to > said.to && !isBlip(span, said));
  if (!isGoingOn) return said.to + beginsMs;
  const isAnswer = heard.some(({ from, to }) => from >= said.to || to - said.to > FALSE_YIELDS_MS);
  return silentSince + (isAnswer ? SILENCE_MS : RESUMES_MS);
}

/** Whether the agent may have said less than it meant to, since it was spoken into: it was interrupted, or fell silent at a backchannel. */
export function isBrokenOffBy(
  { from, kind }: NonNullable<SpokenSoFar['interjection']>,
  heard: readonly Heard[],
): boolean {
  return kind === 'interruption' || !heard.some((span) => span.from <= from && span.to > from + FALSE_YIELDS_MS);
}

/** What was heard holds words, and not only a sound made while the patient spoke. */
export function holdsWords(heard: readonly Heard[], said: Heard): boolean {
  return heard.some((span) => !isBlip(span, said));
}

/** A sound that began while the patient spoke, too short for words. */
export function isBlip({ from, to }: Heard, said: Heard): boolean {
  return from < said.to && to - from < LEAST_WORDS_MS;
}

/** An interruption is answered, by an agent that fell silent or by one that first says what it had to say. */
function afterInterruption({ from, to }: Heard, heard: readonly Heard[], silentSince: number): number {
  const isAnswered = heard.some((span) => span.from > from && span.to > to);
  const isTalkedThrough = silentSince - from > YIELDS_MS && silentSince > to;
  if (isAnswered || isTalkedThrough) return silentSince + SILENCE_MS;
  return Math.max(silentSince, to) + ANSWERS_MS;
}

function afterBackchannel({ from, to }: Heard, silentSince: number): number {
  const hasStopped = silentSince - from <= FALSE_YIELDS_MS;
  return hasStopped ? Math.max(silentSince, to) + RESUMES_MS : silentSince + SILENCE_MS;
}
