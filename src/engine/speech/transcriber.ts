import type { Sound } from '../../domain/sound';

/** What is kept with a run of the ear that heard it. */
export interface TranscriberIdentity {
  /** The host of the server. */
  readonly engine: string;
  readonly model: string;
}

/** Port: makes text of sound. */
export abstract class Transcriber {
  abstract readonly identity: TranscriberIdentity;

  /**
   * @param sound mono, at most 30 s
   * @param language BCP 47: its first part is told to the model
   * @returns the words, trimmed; empty where none was heard
   * @throws SpeechError
   */
  abstract transcribe(sound: Sound, language: string, signal: AbortSignal): Promise<string>;

  /** Ends what is under way. Idempotent. */
  abstract close(): Promise<void>;
}

/** Whisper hears 30 s at a time; other servers refuse files above some size. */
export const LONGEST_CLIP_SECONDS = 30;
