import { dbfsOf, joined, meanSquare, requireRate, silence, type Sound, type Span } from '../../domain/sound';

/** What the patient's track of one turn is made of, in the order in which it is heard. */
export type TrackPart =
  /** A sentence as it was synthesised. Parts with the same `id` that follow each other are one sentence, perhaps with pauses between. */
  | { readonly kind: 'speech'; readonly id: string; readonly sound: Sound }
  | { readonly kind: 'pause'; readonly ms: number }
  /** Something that is no sentence of the patient: a cough, words to somebody else. */
  | { readonly kind: 'sound'; readonly name: string; readonly sound: Sound };

interface PlacedSentence extends Span {
  readonly id: string;
}

interface PlacedPause extends Span {
  /** The sentence whose speech is on both sides of the pause; null between sentences. */
  readonly inside: string | null;
}

interface PlacedSound extends Span {
  readonly name: string;
}

/** A turn of the patient. All spans are in samples of `sound`, exact by construction. */
export interface PatientTrack {
  readonly sound: Sound;
  readonly sentences: readonly PlacedSentence[];
  readonly pauses: readonly PlacedPause[];
  readonly sounds: readonly PlacedSound[];
}

/** Engines leave silence around a sentence, with little more than rounding noise: 50 dB below the loudest sample, and 16 steps at least. */
const SILENT_SHARE = 0.003_16;
const SILENT_STEPS = 16;

/**
 * The parts one after the other. Speech is trimmed of the silence around it, so that a sentence begins and ends with sound.
 * @throws UnusableAudio where a part has another rate than the track
 */
export function patientTrack(parts: readonly TrackPart[], rate: number): PatientTrack {
  const sounds = parts.map((part) => soundOf(part, rate));
  const spans = spansOf(sounds);
  const placed = parts.map((part, at) => ({ part, span: spans[at] ?? { from: 0, to: 0 } }));
  return {
    sound: joined(sounds, rate),
    sentences: sentencesOf(placed),
    pauses: placed.flatMap(({ part, span }, at) => {
      if (part.kind !== 'pause') return [];
      const before = nearestSpeech(parts.slice(0, at).toReversed());
      const after = nearestSpeech(parts.slice(at + 1));
      return [{ ...span, inside: before !== null && before === after ? before : null }];
    }),
    sounds: placed.flatMap(({ part, span }) => (part.kind === 'sound' ? [{ ...span, name: part.name }] : [])),
  };
}

/** The level in dBFS of what is spoken, without the pauses around and between sentences. */
export function speechLevel({ sound, sentences, pauses }: PatientTrack): number {
  const spoken = sentences.flatMap((sentence) => without(sentence, pauses));
  return dbfsOf(meanSquare(sound.samples, spoken));
}

/** The sound without the silence before and after it; empty where all of it is silent. */
export function trimmed({ samples, rate }: Sound): Sound {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const threshold = Math.max(SILENT_STEPS, peak * SILENT_SHARE);
  const isAudible = (sample: number) => Math.abs(sample) > threshold;
  const from = samples.findIndex(isAudible);
  return { samples: from < 0 ? new Int16Array() : samples.slice(from, samples.findLastIndex(isAudible) + 1), rate };
}

function soundOf(part: TrackPart, rate: number): Sound {
  if (part.kind === 'pause') return silence(part.ms, rate);
  requireRate(part.sound, rate);
  return part.kind === 'speech' ? trimmed(part.sound) : part.sound;
}

function spansOf(sounds: readonly Sound[]): Span[] {
  let from = 0;
  return sounds.map(({ samples }) => {
    const span = { from, to: from + samples.length };
    from = span.to;
    return span;
  });
}

function sentencesOf(placed: readonly { readonly part: TrackPart; readonly span: Span }[]): PlacedSentence[] {
  const sentences: PlacedSentence[] = [];
  for (const { part, span } of placed) {
    if (part.kind !== 'speech') continue;
    const last = sentences.at(-1);
    if (last?.id === part.id) sentences[sentences.length - 1] = { ...last, to: span.to };
    else sentences.push({ id: part.id, ...span });
  }
  return sentences;
}

/** The sentence of the first part that is speech. */
function nearestSpeech(parts: readonly TrackPart[]): string | null {
  const part = parts.find(({ kind }) => kind === 'speech');
  return part?.kind === 'speech' ? part.id : null;
}

function without(span: Span, holes: readonly Span[]): Span[] {
  const left: Span[] = [];
  let from = span.from;
  for (const hole of holes) {
    if (hole.from < span.from || hole.to > span.to) continue;
    left.push({ from, to: hole.from });
    from = hole.to;
  }
  return [...left, { from, to: span.to }];
}
