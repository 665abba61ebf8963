import type { SpeechSettings } from '../../platform/config';
import type { Egress } from '../../platform/egress';
import { Ear } from './ear';
import { EspeakVoice, USUAL_ESPEAK_VOICE } from './espeak.voice';
import { OpenAiTranscriber } from './openai.transcriber';
import { OpenAiVoice, USUAL_SERVER_VOICE } from './openai.voice';
import { SpeechError } from './speech-error';
import { RATES, type Voice } from './voice';

export interface VoiceChoice {
  /** A name that the engine knows; null: that of the settings, or the engine's usual one. */
  readonly voice?: string | null;
  /** A multiple of the usual rate, 0.5 to 2. */
  readonly rate?: number;
  /** What the voice is named by, for sentences: a setting, or the field of a request. */
  readonly namedBy?: string;
}

/**
 * The patient's voice: that of the speech server, or espeak-ng where none is set.
 * @throws SpeechError where espeak-ng is not installed, or a voice is unknown
 */
export async function openVoice(
  settings: SpeechSettings,
  egress: Egress,
  { voice = null, rate = 1, namedBy = 'SPEECH_VOICE' }: VoiceChoice,
  signal: AbortSignal,
): Promise<Voice> {
  if (!(rate >= RATES.least && rate <= RATES.most)) {
    throw new SpeechError(
      'request_refused',
      `A rate of ${rate} is not spoken: it must be ${RATES.least} to ${RATES.most}.`,
    );
  }
  const chosen = voice ?? settings.voice;
  if (settings.speech === null) return EspeakVoice.open({ voice: chosen ?? USUAL_ESPEAK_VOICE, rate, namedBy }, signal);
  return new OpenAiVoice(settings.speech, { voice: chosen ?? USUAL_SERVER_VOICE, rate, egress });
}

/** The examiner's ear; null where no transcriber is set: then the agent's own account counts, checked against its sound. */
export function openEar({ transcription }: SpeechSettings, egress: Egress, language = 'en'): Ear | null {
  return transcription === null ? null : new Ear(new OpenAiTranscriber(transcription, { egress }), language);
}
