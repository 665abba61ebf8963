import { seedOf } from '../../src/engine/audio';
import { EspeakVoice } from '../../src/engine/speech/espeak.voice';
import { utteranceOf } from '../../src/engine/speech/patient-utterance';
import { PatientVoice } from '../../src/engine/speech/patient-voice';

const never = new AbortController().signal;

/** What the patient of a spoken run says with espeak-ng over the telephone, made anew: samples at 16,000 a second. */
export async function patientSoundOf(
  message: string,
  { scenario_id, turn, seed }: { readonly scenario_id: string; readonly turn: number; readonly seed: number },
): Promise<Int16Array> {
  const voice = new PatientVoice(await EspeakVoice.open({ voice: 'en-us', rate: 1 }, never));
  const request = {
    message,
    language: 'en',
    line: 'phone',
    noise: null,
    sounds: [],
    seed: seedOf(seed, scenario_id, 1, turn),
  } as const;
  return (await utteranceOf(voice, request, never)).recorded;
}
