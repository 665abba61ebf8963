import type { SpeechSettings } from '../../platform/config';
import type { Egress } from '../../platform/egress';
import { Ear } from './ear';
import { mainPartOf } from './phrases';
import { EspeakVoice, USUAL_ESPEAK_VOICE } from './espeak.voice';
import { OpenAiTranscriber } from './openai.transcriber';
import { OpenAiVoice, USUAL_SERVER_VOICE } from './openai.voice';
import type { RunProgram } from './program';
import { SpeechError } from './speech-error';
import { RATES, type Voice } from './voice';

export interface VoiceChoice {
  /** A name that the engine knows; null: that of the settings, or the engine's usual one. */
  readonly voice?: string | null;
  /** A multiple of the usual rate, 0.5 to 2. */
  readonly rate?: number;
  /** What the voice is named by, for sentences: a setting, or the field of a request. */
  readonly namedBy?: string;
  /** How a program that speaks is started; from this process where it is not given. */
  readonly runs?: RunProgram | undefined;
}

/**
 * The patient's voice: that of the speech server, or espeak-ng where none is set.
 * @throws SpeechError where espeak-ng is not installed, or a voice is unknown
 */
export async function openVoice(
  settings: SpeechSettings,
  egress: Egress,
  { voice = null, rate = 1, namedBy = 'SPEECH_VOICE', runs }: VoiceChoice,
  signal: AbortSignal,
): Promise<Voice> {
  if (!(rate >= RATES.least && rate <= RATES.most)) {
    throw new SpeechError(
      'request_refused',
      `A rate of ${rate} is not spoken: it must be ${RATES.least} to ${RATES.most}.`,
    );
  }
  const chosen = voice ?? settings.voice;
  if (settings.speech === null) {
    const named = { voice: chosen ?? USUAL_ESPEAK_VOICE, rate, namedBy };
    return EspeakVoice.open({ ...named, ...(runs !== undefined && { runs }) }, signal);
  }
  return new OpenAiVoice(settings.speech, { voice: chosen ?? USUAL_SERVER_VOICE, rate, egress });
}

/**
 * The voices to try, in this order, where a language is to be spoken and no voice is named. Those of servers speak many languages, and those of
 * espeak-ng one each.
 * @returns null is the voice of the settings, or the engine's usual one
 */
export function usualVoicesFor(language: string, { speech, voice }: SpeechSettings): (string | null)[] {
  if (speech !== null) return [null];
  if (voice !== null && mainPartOf(voice) === mainPartOf(language)) return [voice];
  if (language === 'en') return [voice === null ? null : USUAL_ESPEAK_VOICE];
  return [...new Set([language.toLowerCase(), mainPartOf(language)])];
}

/** The examiner's ear; null where no transcriber is set: then the agent's own account counts, checked against its sound. */
export function openEar({ transcription }: SpeechSettings, egress: Egress, language = 'en'): Ear | null {
  return transcription === null ? null : new Ear(new OpenAiTranscriber(transcription, { egress }), language);
}
