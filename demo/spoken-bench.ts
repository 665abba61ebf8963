import type { LineServer } from '../src/agents';
import { controlTextOf, openVoice, PatientVoice, SpeechError } from '../src/engine/speech';
import { Egress } from '../src/platform/egress';
import { DemoFailure } from './demo-failure';
import { EAR_MODEL, KnownEar } from './known-ear';
import { KnownSentences } from './known-sentences';
import { SENTENCES, startPhoneAgent } from './phone-agent';

const PATIENT = 'en-us';
const CLINICIAN = 'en-us+f3';
const MISSING =
  'The spoken demonstration speaks with the program espeak-ng, which is not installed here. Install it: ' +
  'sudo apt-get install espeak-ng (Debian, Ubuntu), or brew install espeak-ng (macOS).';

/** What a spoken demonstration has on this machine besides the service. */
export interface SpokenBench {
  readonly agent: LineServer;
  /** Settings of the service: its voice and its ear. */
  readonly environment: Readonly<Record<string, string>>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Starts the phone agent, and the ear that knows what it can say. @throws DemoFailure where espeak-ng is missing */
export async function startSpokenBench(signal: AbortSignal): Promise<SpokenBench> {
  const [patient, clinician] = [await voiceOf(PATIENT, signal), await voiceOf(CLINICIAN, signal)];
  const soundOf = async (voice: PatientVoice, sentence: string) => (await voice.say(sentence, signal)).sound;
  const control = controlTextOf('en').sentence;
  const known = [
    // The run begins with it: an ear that does not hear the patient would hear no agent either.
    { text: control, sound: await soundOf(patient, control) },
    ...(await Promise.all(SENTENCES.map(async (text) => ({ text, sound: await soundOf(clinician, text) })))),
  ];
  const agent = await startPhoneAgent((sentence) => soundOf(clinician, sentence));
  const sentences = new KnownSentences(known);
  const ear = await KnownEar.start((sound) => sentences.in(sound).join(' '));
  return {
    agent,
    environment: { SPEECH_VOICE: PATIENT, TRANSCRIPTION_URL: ear.baseUrl, TRANSCRIPTION_MODEL: EAR_MODEL },
    close: async () => {
      await Promise.all([agent.close(), ear.close(), patient.close(), clinician.close()]);
    },
  };
}

async function voiceOf(voice: string, signal: AbortSignal): Promise<PatientVoice> {
  const settings = { speech: null, voice, transcription: null };
  try {
    return new PatientVoice(await openVoice(settings, Egress.direct(), {}, signal));
  } catch (error) {
    if (error instanceof SpeechError) throw new DemoFailure(error.kind === 'engine_missing' ? MISSING : error.message);
    throw error;
  }
}
