/**
 * The patient's voice and the examiner's ear, without a transport: text becomes sound, sound becomes text, and a control sentence shows that
 * both work before a run rings anybody. Resampling and lines take up to 65 ms a second of speech: rooms do that in a process of their own.
 */

export { SpeechError, SPEECH_ERROR_KINDS, type SpeechErrorKind } from './speech-error';

// The voice.
export { Voice, RATES, type VoiceIdentity } from './voice';
export { PatientVoice, PATIENT_RATE, type SpokenSentence } from './patient-voice';

// The ear.
export { Transcriber, type TranscriberIdentity } from './transcriber';
export { Ear, ownAccountOf, type HeardSegment, type HeardSound, type OwnAccount } from './ear';

// As the settings say.
export { openVoice, openEar, usualVoicesFor } from './from-settings';

// Who speaks and hears in a run.
export type { EnginesRequest, FoundEngines } from './speech-jobs';

export { controlClip, type ControlClip } from './control-clip';
export { controlTextOf, mainPartOf } from './phrases';
