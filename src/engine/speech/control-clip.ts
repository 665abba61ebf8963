import type { Line } from '../../domain';
import { overLine } from '../audio/line';
import { dbfsOf, joined, meanSquare, silence, type Sound } from '../../domain/sound';
import { speechIn } from '../audio/speech-detection';
import { comparableWords } from '../audio/spoken-text';
import { wordErrorRate, wordErrors } from '../audio/word-errors';
import type { Ear } from './ear';
import type { PatientVoice } from './patient-voice';
import { controlTextOf } from './phrases';
import { SpeechError } from './speech-error';

/** Of one sentence of the patient, as it leaves the line and as the ear has it. */
export interface ControlClip {
  readonly sentence: string;
  readonly words: string;
  /** As it leaves the line. */
  readonly sound: Sound;
  readonly durationMs: number;
  /** How much of it the detector takes for speech. */
  readonly voicedMs: number;
  readonly levelDbfs: number;
  /** The share of samples at the limit of 16 bits. */
  readonly clippedShare: number;
  /** What the ear heard, and its share of wrong words, which is null in a language without a control sentence; null without an ear. */
  readonly heard: { readonly text: string; readonly wordErrorRate: number | null } | null;
}

export interface ControlClipOptions {
  readonly voice: PatientVoice;
  readonly line: Line;
  /** Null: runs are marked by the agent's own account. */
  readonly ear: Ear | null;
  /** Of the losses of the line. */
  readonly seed: number;
  /** BCP 47: that of the voice and the ear. */
  readonly language: string;
}

/** Silence before and after it for the ear, as a call has. */
const MARGIN_MS = 500;
const LEAST_VOICED_SHARE = 0.5;
const LEAST_DBFS = -50;
const MOST_CLIPPED_SHARE = 0.01;
/** Recognisers hear espeak-ng badly, but one that hears at all has more than half of these words. */
const MOST_WORD_ERRORS = 0.5;

/**
 * One sentence of the patient through the line and the ear of a run, before anything rings: an examiner that is deaf or mute would
 * otherwise find faults of the agent that are its own. In a language without a control sentence the ear has to hear words, whichever they are.
 * @throws SpeechError `control_clip_bad`, or what the voice or the ear throws
 */
export async function controlClip(
  { voice, line, ear, seed, language }: ControlClipOptions,
  signal: AbortSignal,
): Promise<ControlClip> {
  const { sentence, isCompared } = controlTextOf(language);
  const { words, sound: spoken } = await voice.say(sentence, signal);
  const sound = overLine(spoken, line, seed);
  const measured = measure(sound);
  const bad = (why: string) => new SpeechError('control_clip_bad', `The control sentence ${why}`);
  const { durationMs, voicedMs, levelDbfs, clippedShare } = measured;
  if (levelDbfs < LEAST_DBFS) {
    throw bad(
      `left the line ${line} at ${levelDbfs.toFixed(0)} dBFS, too quiet to be heard: choose another SPEECH_VOICE.`,
    );
  }
  if (voicedMs < LEAST_VOICED_SHARE * durationMs) {
    throw bad(
      `has ${voicedMs} ms of speech in ${durationMs} ms after the line ${line}: the voice makes noise or tones, so choose another SPEECH_VOICE.`,
    );
  }
  if (clippedShare > MOST_CLIPPED_SHARE) {
    throw bad(
      `is too loud: ${(clippedShare * 100).toFixed(1)} % of its samples are clipped; choose another SPEECH_VOICE, or turn the speech server down.`,
    );
  }
  const heard = ear === null ? null : await heardBy({ ear, words: isCompared ? words : null, sound, language }, signal);
  if (ear !== null && heard !== null) {
    const { engine, model } = ear.identity;
    const through = `by ${model} at ${engine}, through the line ${line}`;
    if (heard.text === '') {
      throw bad(`was not heard ${through}: check TRANSCRIPTION_URL and TRANSCRIPTION_MODEL.`);
    }
    if (heard.wordErrorRate !== null && heard.wordErrorRate > MOST_WORD_ERRORS) {
      const shown = JSON.stringify(heard.text.slice(0, 200));
      throw bad(
        `was heard ${through} as ${shown}: ${Math.round(heard.wordErrorRate * 100)} % of its words are wrong. Choose another TRANSCRIPTION_MODEL or SPEECH_VOICE.`,
      );
    }
  }
  return { sentence, words, sound, ...measured, heard };
}

function measure(sound: Sound): Pick<ControlClip, 'durationMs' | 'voicedMs' | 'levelDbfs' | 'clippedShare'> {
  const { samples, rate } = sound;
  // Without silence around it a tone is noise; with it, it would be speech.
  const spans = speechIn(sound);
  const inMs = (count: number) => Math.round((count * 1_000) / rate);
  const clipped = samples.reduce((count, sample) => count + (sample >= 32_767 || sample <= -32_768 ? 1 : 0), 0);
  return {
    durationMs: inMs(samples.length),
    voicedMs: inMs(spans.reduce((sum, { from, to }) => sum + to - from, 0)),
    levelDbfs: dbfsOf(meanSquare(samples)),
    clippedShare: samples.length === 0 ? 0 : clipped / samples.length,
  };
}

function inSilence(sound: Sound): Sound {
  const margin = silence(MARGIN_MS, sound.rate);
  return joined([margin, sound, margin], sound.rate);
}

interface ControlHearing {
  readonly ear: Ear;
  /** Null: what is heard is not compared. */
  readonly words: string | null;
  readonly sound: Sound;
  readonly language: string;
}

async function heardBy(
  { ear, words, sound, language }: ControlHearing,
  signal: AbortSignal,
): Promise<ControlClip['heard']> {
  const { text } = await ear.hear(inSilence(sound), signal);
  if (words === null) return { text, wordErrorRate: null };
  const errors = wordErrors(comparableWords(words, language), comparableWords(text.slice(0, 5_000), language));
  return { text, wordErrorRate: wordErrorRate([errors]) ?? 0 };
}
