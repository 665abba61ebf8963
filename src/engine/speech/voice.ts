import type { Sound } from '../../domain/sound';

/** What is kept with a run of the voice that spoke in it. */
export interface VoiceIdentity {
  /** `espeak-ng`, or the host of the speech server. */
  readonly engine: string;
  /** Of the engine, or the model of a server. */
  readonly version: string;
  readonly voice: string;
  /** How fast it speaks, as a multiple of its usual rate: 0.5 to 2. */
  readonly rate: number;
}

/** Port: an engine that makes sound of text. */
export abstract class Voice {
  abstract readonly identity: VoiceIdentity;

  /**
   * @param sentence in the words to be said (`spokenText`), at most 2,000 characters
   * @returns mono sound at the engine's own rate, with whatever silence the engine leaves around it
   * @throws SpeechError
   */
  abstract synthesize(sentence: string, signal: AbortSignal): Promise<Sound>;

  /** Ends what is under way. Idempotent. */
  abstract close(): Promise<void>;
}

export const MOST_SENTENCE_CHARACTERS = 2_000;
/** The longest sound of a sentence that is read, whatever the sentence. */
export const LONGEST_SENTENCE_SECONDS = 120;
export const RATES = { least: 0.5, most: 2 } as const;
