import { resampled } from '../../src/domain/sound';
import { spokenText } from '../../src/engine/audio';
import { trimmed } from '../../src/engine/audio/patient-track';
import { EspeakVoice } from '../../src/engine/speech/espeak.voice';
import { LINE_RATE } from '../../src/agents/media-stream/stream-messages';

const never = new AbortController().signal;

/** Sentences as espeak-ng says them, at the rate of a telephone line. Each is said once: the ear knows them all. */
export class KnownSounds {
  private readonly sounds = new Map<string, Promise<Int16Array>>();

  private constructor(private readonly voice: EspeakVoice) {}

  /** @throws SpeechError where espeak-ng is missing */
  static async open(voice: string, rate: number): Promise<KnownSounds> {
    return new KnownSounds(await EspeakVoice.open({ voice, rate }, never));
  }

  /** Trimmed of the silence around it. */
  of(sentence: string): Promise<Int16Array> {
    const known = this.sounds.get(sentence);
    if (known !== undefined) return known;
    const made = this.make(sentence);
    this.sounds.set(sentence, made);
    return made;
  }

  private async make(sentence: string): Promise<Int16Array> {
    return trimmed(resampled(await this.voice.synthesize(spokenText(sentence, 'en'), never), LINE_RATE)).samples;
  }
}
