import type { Disturbance, Line, NoiseKind } from '../../domain';
import type { Manner } from '../../../contract/scenario-speech';
import { sentenceSpans } from '../../examiners/rules';
import type { InterjectionKind, PressedKey } from '../../agents';
import { cough } from '../audio/cough';
import { disturbancesOf, type DisturbancePlan } from '../audio/disturbance-plan';
import { keypadTones } from '../audio/keypad-tones';
import { overLine } from '../audio/line';
import { babble, hum, mixed, pinkNoise, type Noise } from '../audio/noise';
import { patientTrack, type PatientTrack, type TrackPart } from '../audio/patient-track';
import { amplified, dbfsOf, meanSquare, resampled, type Sound } from '../../domain/sound';
import { branchOf, integerAt } from '../audio/seeded-values';
import { spokenText } from '../audio/spoken-text';
import { PATIENT_RATE, type PatientVoice } from './patient-voice';
import { BACKGROUND_SENTENCES, controlTextOf, phrasesOf } from './phrases';
import { RECORDED_RATE } from './recorded-rate';
import { SpeechError } from './speech-error';
import { MOST_SENTENCE_CHARACTERS } from './voice';

/** How the patient of a run sounds, whatever it says. */
export interface PatientSound {
  /** BCP 47. */
  readonly language: string;
  readonly line: Line;
  /** What is heard behind the patient, and how much louder the patient is, in dB. */
  readonly noise: { readonly kind: NoiseKind; readonly snrDb: number } | null;
  readonly sounds: readonly Disturbance[];
}

export interface UtteranceRequest extends PatientSound {
  /** As the tester wrote it. */
  readonly message: string;
  /** Pressed in place of saying the message; null: it is said. */
  readonly keys?: string | null;
  /** Of the run's seed, the scenario, the trial and the turn. */
  readonly seed: number;
  /** Of the scenario's patient; null: as people usually speak. */
  readonly manner?: Manner | null;
  /** What the scenario asks for in this turn, whatever the seed brings. */
  readonly certain?: readonly Disturbance[];
}

/** Times of an utterance, in ms from its beginning. */
export interface UtteredSpan {
  readonly from: number;
  readonly to: number;
}

/** What the patient says in a turn, as it leaves the line. */
export interface PatientUtterance {
  /** PATIENT_RATE samples a second: what is sent. */
  readonly samples: Int16Array;
  /** The same at RECORDED_RATE: what is kept. */
  readonly recorded: Int16Array;
  /** By their place in the message, from `p1`. One that holds no word is left out. */
  readonly sentences: readonly (UtteredSpan & { readonly id: string; readonly words: string })[];
  /** Inside sentences; `scriptedMs` is their length. */
  readonly pauses: readonly (UtteredSpan & { readonly scriptedMs: number })[];
  readonly disturbances: readonly (UtteredSpan & { readonly kind: 'pause' | 'cough' | 'aside' | 'noise' })[];
  /** Pressed in place of speaking, each at the end of its tone; the last tone ends the sound. */
  readonly keys: readonly PressedKey[];
  readonly interjection: {
    readonly kind: InterjectionKind;
    /** Since the agent's voice began. */
    readonly afterMs: number;
    readonly words: string;
    readonly samples: Int16Array;
    readonly recorded: Int16Array;
  } | null;
}

/** Between two sentences: what a listener hears as one turn, and shorter than any scripted pause. */
const BETWEEN_SENTENCES_MS = 250;
/** People who speak slowly think between sentences. */
const BETWEEN_SLOW_SENTENCES_MS = 1_000;
/** Chosen: people who are short of breath say three to five words at a time, and the breath takes about as long as a word or two. */
const BREATH = { words: 4, ms: 600 } as const;
/** Said by somebody who lies down, away from the telephone. */
const WEAK_DB = -10;
const AFTER_COUGH_MS = 200;
const AFTER_ASIDE_MS = 500;
/** Said away from the telephone. */
const ASIDE_DB = -8;
/** A third of an octave apart, so that one voice is several people. */
const BACKGROUND_PITCHES = [0.85, 1, 1.15];

/** The place of each value in those of a turn's seed, apart from those of `disturbancesOf`. */
const DRAW = { line: 10, noise: 11, sound: 12, phrase: 13, interjectionLine: 14 } as const;

/**
 * The sound of a message, and when each part of it is heard: the same samples for the same request, where the voice says a sentence with
 * the same samples each time.
 * @throws SpeechError, also for a message without a word
 */
export async function utteranceOf(
  voice: PatientVoice,
  request: UtteranceRequest,
  signal: AbortSignal,
): Promise<PatientUtterance> {
  const { message, keys = null, language, seed } = request;
  const pressed = keys === null ? null : keypadTones(keys, PATIENT_RATE);
  const sentences = pressed === null ? sentencesIn(message, language) : [];
  if (pressed === null && sentences.length === 0) {
    throw new SpeechError('request_refused', 'The message of the patient holds no word, so it cannot be said.');
  }
  const plan = disturbancesOf(new Set(request.sounds), sentences.length, seed, new Set(request.certain));
  const track =
    pressed === null
      ? patientTrack(await partsOf(voice, sentences, plan, request, signal), PATIENT_RATE)
      : { sound: pressed.sound, sentences: [], pauses: [], sounds: [] };
  const noiseLevel = await noiseLevelOf(voice, request, signal);
  const behind = await backgroundOf(voice, request, signal);
  const heard = (sound: Sound, branch: number, noise: number) =>
    overLine(
      withNoise(sound, behind(sound.samples.length, branchOf(seed, noise)), noiseLevel),
      request.line,
      branchOf(seed, branch),
    );
  const sound = heard(track.sound, DRAW.line, DRAW.noise);
  return {
    samples: sound.samples,
    recorded: resampled(sound, RECORDED_RATE).samples,
    ...placesOf(track, sentences, request.noise !== null),
    keys: (pressed?.keys ?? []).map(({ key, to }) => ({ key, afterMs: inMs(to) })),
    interjection: await interjectionOf(
      voice,
      plan,
      request,
      (said) => heard(said, DRAW.interjectionLine, DRAW.interjectionLine + 1),
      signal,
    ),
  };
}

interface SpeakableSentence {
  readonly id: string;
  readonly words: string;
}

/** As reviewers and judges number them; those without a word are not said. */
function sentencesIn(message: string, language: string): SpeakableSentence[] {
  return sentenceSpans(message).flatMap(({ start, end }, at) => {
    const words = spokenText(message.slice(start, end), language);
    return /[\p{L}\p{N}]/u.test(words) ? [{ id: `p${at + 1}`, words }] : [];
  });
}

async function partsOf(
  voice: PatientVoice,
  sentences: readonly SpeakableSentence[],
  plan: DisturbancePlan,
  { language, seed, manner = null }: UtteranceRequest,
  signal: AbortSignal,
): Promise<TrackPart[]> {
  const spoken = await Promise.all(
    sentences.map(({ id, words }, at) => {
      const pauseMs = plan.pause?.sentence === at ? plan.pause.ms : null;
      return sentenceParts(voice, id, words, { pauseMs, manner }, signal);
    }),
  );
  const before =
    plan.sound === null ? [] : await soundParts(voice, plan.sound.name, language, branchOf(seed, DRAW.sound), signal);
  return spoken.flatMap((parts, at): TrackPart[] => [
    ...(at === 0
      ? []
      : [{ kind: 'pause', ms: manner === 'slow' ? BETWEEN_SLOW_SENTENCES_MS : BETWEEN_SENTENCES_MS } as const]),
    ...(plan.sound?.beforeSentence === at ? before : []),
    ...parts,
  ]);
}

interface SentenceManner {
  /** A pause in its middle; null for none. */
  readonly pauseMs: number | null;
  readonly manner: Manner | null;
}

/** A sentence in the pieces in which it is said. */
async function sentenceParts(
  voice: PatientVoice,
  id: string,
  words: string,
  { pauseMs, manner }: SentenceManner,
  signal: AbortSignal,
): Promise<TrackPart[]> {
  const halves = pauseMs === null ? [words] : halvesOf(words);
  const parts: TrackPart[] = [];
  for (const [at, half] of halves.entries()) {
    if (at > 0 && pauseMs !== null) parts.push({ kind: 'pause', ms: pauseMs });
    for (const [breath, said] of (manner === 'breathless' ? breathsOf(half) : [half]).entries()) {
      if (breath > 0) parts.push({ kind: 'pause', ms: BREATH.ms });
      for (const piece of piecesOf(said, MOST_SENTENCE_CHARACTERS)) {
        const sound = await voice.sayWords(piece, signal);
        parts.push({ kind: 'speech', id, sound: manner === 'weak' ? amplified(sound, WEAK_DB) : sound });
      }
    }
  }
  return parts;
}

/** The words that are said in one breath; a last one alone belongs to the breath before. */
function breathsOf(words: string): string[] {
  const all = words.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const breaths: string[] = [];
  for (let from = 0; from < all.length;) {
    const to = all.length - from - BREATH.words <= 1 ? all.length : from + BREATH.words;
    breaths.push(all.slice(from, to).join(' '));
    from = to;
  }
  return breaths.length === 0 ? [words] : breaths;
}

async function soundParts(
  voice: PatientVoice,
  name: 'cough' | 'aside',
  language: string,
  seed: number,
  signal: AbortSignal,
): Promise<TrackPart[]> {
  if (name === 'cough') {
    return [
      { kind: 'sound', name, sound: cough(PATIENT_RATE, seed) },
      { kind: 'pause', ms: AFTER_COUGH_MS },
    ];
  }
  const phrases = phrasesOf(language)?.aside ?? [];
  const phrase = phrases[integerAt(seed, 0, phrases.length)];
  if (phrase === undefined) return [];
  const { sound } = await voice.say(phrase, signal);
  return [
    { kind: 'sound', name, sound: amplified(sound, ASIDE_DB) },
    { kind: 'pause', ms: AFTER_ASIDE_MS },
  ];
}

async function interjectionOf(
  voice: PatientVoice,
  { whileAgentSpeaks }: DisturbancePlan,
  { language, seed }: UtteranceRequest,
  overTheLine: (sound: Sound) => Sound,
  signal: AbortSignal,
): Promise<PatientUtterance['interjection']> {
  if (whileAgentSpeaks === null) return null;
  const { kind, afterMs } = whileAgentSpeaks;
  const phrases = phrasesOf(language)?.[kind] ?? [];
  const phrase = phrases[integerAt(branchOf(seed, DRAW.phrase), 0, phrases.length)];
  if (phrase === undefined) return null;
  const { words, sound } = await voice.say(phrase, signal);
  const heard = overTheLine(sound);
  // What the voice keeps is not given away.
  return { kind, afterMs, words, samples: heard.samples.slice(), recorded: resampled(heard, RECORDED_RATE).samples };
}

/** Each half has a word; a sentence of one word stays whole. The first comma near the middle is where people pause. */
function halvesOf(words: string): string[] {
  const middle = words.length / 2;
  const spaces = [...words.matchAll(/\s+/gu)].map(({ index }) => index);
  const distance = (at: number) => Math.abs(at - middle) - (/[,;:]/.test(words[at - 1] ?? '') ? middle / 2 : 0);
  const best = spaces.toSorted((one, other) => distance(one) - distance(other))[0];
  const halves = best === undefined ? [words] : [words.slice(0, best), words.slice(best).trim()];
  return halves.every((half) => /[\p{L}\p{N}]/u.test(half)) ? halves : [words];
}

/** The words in pieces of so many characters at most, cut at white space where there is some. */
function piecesOf(words: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = words;
  while (rest.length > most) {
    const space = rest.lastIndexOf(' ', most);
    const cut = space > 0 ? space : most - 1;
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut).trim();
  }
  return [...pieces, rest].filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** The level of the noise in dBFS: by the voice alone, so that it is the same in all of a run. */
async function noiseLevelOf(
  voice: PatientVoice,
  { noise, language }: PatientSound,
  signal: AbortSignal,
): Promise<number> {
  if (noise === null) return -Infinity;
  const { sound } = await voice.say(controlTextOf(language).sentence, signal);
  return dbfsOf(meanSquare(sound.samples)) - noise.snrDb;
}

type Background = (length: number, seed: number) => Noise | null;

async function backgroundOf(voice: PatientVoice, { noise }: PatientSound, signal: AbortSignal): Promise<Background> {
  if (noise === null) return () => null;
  switch (noise.kind) {
    case 'pink':
      return (length, seed) => pinkNoise(length, seed);
    case 'hum':
      return (length, seed) => hum(length, PATIENT_RATE, seed);
    case 'babble': {
      const voices = await backgroundVoices(voice, signal);
      return (length, seed) => babble(voices, length, PATIENT_RATE, seed);
    }
  }
}

/** One voice at several pitches, and at as many speeds. */
async function backgroundVoices(voice: PatientVoice, signal: AbortSignal): Promise<Sound[]> {
  const said = await Promise.all(BACKGROUND_SENTENCES.map((sentence) => voice.say(sentence, signal)));
  return said.map(({ sound }, at) => {
    const pitch = BACKGROUND_PITCHES[at % BACKGROUND_PITCHES.length] ?? 1;
    return resampled({ samples: sound.samples, rate: Math.round(PATIENT_RATE * pitch) }, PATIENT_RATE);
  });
}

function withNoise(sound: Sound, noise: Noise | null, dbfs: number): Sound {
  return noise === null ? sound : mixed(sound, noise, dbfs).sound;
}

const inMs = (samples: number) => (samples * 1_000) / PATIENT_RATE;
const spanOf = ({ from, to }: UtteredSpan): UtteredSpan => ({ from: inMs(from), to: inMs(to) });

function placesOf(
  { sound, sentences, pauses, sounds }: PatientTrack,
  said: readonly SpeakableSentence[],
  hasNoise: boolean,
): Pick<PatientUtterance, 'sentences' | 'pauses' | 'disturbances'> {
  const words = new Map(said.map((sentence) => [sentence.id, sentence.words]));
  const scripted = pauses.filter(({ inside }) => inside !== null).map(spanOf);
  return {
    sentences: sentences.map(({ id, ...span }) => ({ id, ...spanOf(span), words: words.get(id) ?? '' })),
    pauses: scripted.map((span) => ({ ...span, scriptedMs: Math.round(span.to - span.from) })),
    disturbances: [
      ...scripted.map((span) => ({ kind: 'pause' as const, ...span })),
      ...sounds.map(({ name, ...span }) => ({
        kind: name === 'cough' ? ('cough' as const) : ('aside' as const),
        ...spanOf(span),
      })),
      ...(hasNoise ? [{ kind: 'noise' as const, ...spanOf({ from: 0, to: sound.samples.length }) }] : []),
    ].toSorted((one, other) => one.from - other.from),
  };
}
