/**
 * Spoken conversations without any transport: the patient's track and what disturbs it, where the agent speaks, who had the floor when, and
 * how sound is stored. Pure functions of samples and times.
 */

// Sound.
export { UnusableAudio, silence, amplified, type Sound, type Span } from '../../domain/sound';
export { encodeMuLaw, decodeMuLaw, encodeALaw, decodeALaw } from '../../domain/sound';
export { resampled } from '../../domain/sound';
export { readWav, writeWav, monoOf, type WavAudio } from './wav';

// What the patient says, and what lies between the patient and the agent.
export { patientTrack, speechLevel, type PatientTrack, type TrackPart } from './patient-track';
export { seedOf } from './seeded-values';
export { disturbancesOf, type DisturbancePlan } from './disturbance-plan';
export { cough } from './cough';
export { keypadTones } from './keypad-tones';
export { pinkNoise, hum, babble, mixed, type Noise } from './noise';
export { overLine } from './line';

// What was said when.
export { LevelMeter, type StepEnergy } from './level-meter';
export { speechIn, speechSpans } from './speech-detection';
export { type Timeline, type PatientTurn, type Interjection, type Stretch, type ScriptedPause } from './timeline';
export {
  turnTakingOf,
  longestTolerated,
  type TurnTaking,
  type TurnAnswer,
  type BackchannelOutcome,
  type InterjectionAnswer,
} from './turn-taking';
export { floorSharesOf, timeToEscalationMs, wordsAMinute, type FloorShares } from './floor-shares';
export { type Count, type Spread } from './figures';
export { wordErrors, wordErrorRate, TooManyWords, type WordErrors } from './word-errors';
export { entityErrors, type EntityErrors, type EntityMention, type HeardTurn } from './entity-errors';
export { type EntityKind } from './spoken-entities';
export { spokenText, comparableWords } from './spoken-text';

// How it is stored.
export { piecesOf, soundOfPiece, type RecordingPiece } from './recording-pieces';
