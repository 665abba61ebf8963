import type { Sound } from '../../../src/domain/sound/pcm';
import { PatientVoice } from '../../../src/engine/speech/patient-voice';
import { Voice } from '../../../src/engine/speech/voice';
import { tone } from '../audio/constructed-sound';

const RATE = 24_000;

/** Says each sentence as a tone of 20 ms a character; keeps what it was given. */
export class ToneVoice extends Voice {
  readonly identity = { engine: 'test', version: '1', voice: 'v', rate: 1 };
  readonly asked: string[] = [];

  synthesize(sentence: string): Promise<Sound> {
    this.asked.push(sentence);
    return Promise.resolve(tone(400, 20 * Math.min(200, sentence.length), RATE));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export function toneVoice(language = 'en'): { readonly voice: PatientVoice; readonly asked: readonly string[] } {
  const inner = new ToneVoice();
  return { voice: new PatientVoice(inner, { language }), asked: inner.asked };
}
