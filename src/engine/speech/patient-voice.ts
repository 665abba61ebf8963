import { createHash } from 'node:crypto';
import { Slots } from '../../platform/concurrency';
import { dbfsOf, meanSquare, resampled, type Sound, UnusableAudio } from '../../domain/sound';
import { trimmed } from '../audio/patient-track';
import { spokenText } from '../audio/spoken-text';
import { SpeechError } from './speech-error';
import { MOST_SENTENCE_CHARACTERS, type Voice, type VoiceIdentity } from './voice';

/** The rate of every sound of the patient, in samples a second: that of rooms. */
export const PATIENT_RATE = 48_000;

export interface PatientVoiceOptions {
  /** BCP 47; in English numbers and doses are written as words. */
  readonly language?: string;
  /** Samples that are kept: of one minute, 6 MB. */
  readonly cachedSeconds?: number;
}

/** Sentences made at a time: more would only wait for a processor, or for a server's limit. */
const AT_A_TIME = 4;
const CACHED_SECONDS = 300;
const MOST_CACHED = 1_000;
/** Slower than this nobody speaks, and a little time is left for what has few letters. */
const LEAST_CHARACTERS_A_SECOND = 2;
const SPARE_SECONDS = 5;
/** Quieter speech would be lost in the noise of a line. */
const LEAST_DBFS = -60;

/** A sentence of the patient as it is heard. */
export interface SpokenSentence {
  /** The words that were given to the engine: the reference for word errors. */
  readonly words: string;
  /** At 48,000 samples a second, beginning and ending with sound; empty for a sentence without a letter. */
  readonly sound: Sound;
}

/**
 * What the patient says, each sentence by itself: in words, without silence around it, at one rate, and once made kept for a while. With
 * an engine that says a sentence with the same samples each time, so does this.
 */
export class PatientVoice {
  private readonly slots = new Slots(AT_A_TIME, () => new SpeechError('canceled', 'The speech was canceled.'));
  private readonly cache: SoundCache;
  private readonly language: string;

  constructor(
    private readonly voice: Voice,
    { language = 'en', cachedSeconds = CACHED_SECONDS }: PatientVoiceOptions = {},
  ) {
    this.language = language;
    this.cache = new SoundCache(cachedSeconds * PATIENT_RATE);
  }

  get identity(): VoiceIdentity {
    return this.voice.identity;
  }

  /** @throws SpeechError */
  async say(sentence: string, signal: AbortSignal): Promise<SpokenSentence> {
    const words = spokenText(sentence, this.language);
    return { words, sound: await this.sayWords(words, signal) };
  }

  /**
   * @param words as `spokenText` writes them
   * @throws SpeechError
   */
  async sayWords(words: string, signal: AbortSignal): Promise<Sound> {
    if (words.length > MOST_SENTENCE_CHARACTERS) {
      throw new SpeechError(
        'request_refused',
        `A sentence of the patient has ${words.length} characters in words; at most ${MOST_SENTENCE_CHARACTERS} are spoken at a time: end it earlier.`,
      );
    }
    if (!/[\p{L}\p{N}]/u.test(words)) return { samples: new Int16Array(), rate: PATIENT_RATE };
    const key = this.keyOf(words);
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const release = await this.slots.take(signal);
    try {
      const sound = this.checked(words, await this.voice.synthesize(words, signal));
      this.cache.set(key, sound);
      return sound;
    } finally {
      release();
    }
  }

  /** Ends what is under way. Idempotent. */
  close(): Promise<void> {
    return this.voice.close();
  }

  /** The same for the same engine, voice, rate and text only. */
  private keyOf(words: string): string {
    const { engine, version, voice, rate } = this.identity;
    return createHash('sha256')
      .update(JSON.stringify([engine, version, voice, rate, words]))
      .digest('hex');
  }

  private checked(words: string, given: Sound): Sound {
    const { engine } = this.identity;
    const unusable = (why: string) => new SpeechError('answer_unusable', `The voice of ${engine} ${why}`);
    const spoken = trimmed(given);
    if (spoken.samples.length === 0) {
      throw unusable(
        'answered with silence for a sentence: check SPEECH_VOICE, and listen with `osce speech check --out`.',
      );
    }
    const seconds = spoken.samples.length / spoken.rate;
    const most = SPARE_SECONDS + words.length / (LEAST_CHARACTERS_A_SECOND * Math.min(1, this.identity.rate));
    if (seconds > most) {
      throw unusable(
        `spoke ${Math.round(seconds)} s for a sentence of ${words.length} characters: it said something else, or at another rate than its answer names.`,
      );
    }
    if (dbfsOf(meanSquare(spoken.samples)) < LEAST_DBFS) {
      throw unusable('is too quiet to be heard on a line: choose another with SPEECH_VOICE.');
    }
    try {
      return resampled(spoken, PATIENT_RATE);
    } catch (error) {
      if (!(error instanceof UnusableAudio)) throw error;
      throw new SpeechError('answer_unusable', `The voice of ${engine} cannot be used: ${error.message}`, {
        cause: error,
      });
    }
  }
}

/** Sounds by key, up to a number of samples: the oldest are forgotten first. */
class SoundCache {
  private readonly sounds = new Map<string, Sound>();
  private samples = 0;

  constructor(private readonly mostSamples: number) {}

  get(key: string): Sound | undefined {
    return this.sounds.get(key);
  }

  set(key: string, sound: Sound): void {
    this.forget(key);
    this.sounds.set(key, sound);
    this.samples += sound.samples.length;
    for (const oldest of this.sounds.keys()) {
      if (this.samples <= this.mostSamples && this.sounds.size <= MOST_CACHED) return;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.samples -= this.sounds.get(key)?.samples.length ?? 0;
    this.sounds.delete(key);
  }
}
