import type { RecordingPeaks, SpokenTimeline } from '../../../contract/recordings';
import type { SpeechMeasures } from '../../../contract/speech-measures';
import { call, callForFile } from './client';

export type { RecordingPeaks, SpokenTimeline } from '../../../contract/recordings';
export type TimedEntry = SpokenTimeline['entries'][number];
export type TimedSentence = TimedEntry['sentences'][number];
export type MeasuredMoment = SpokenTimeline['marks'][number];

/** When something was said, in ms since the call began. */
export interface CallSpan {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** A conversation of some minutes has 20 MB. */
const WITHIN_MS = 120_000;
/** More would not be seen: a second is some pixels wide. */
const PEAKS_A_SECOND = 20;

/** The measures of a whole run are derived when they are read. */
export function getSpeechMeasures(id: string, signal: AbortSignal): Promise<SpeechMeasures> {
  return call('GET /api/v1/tests/{id}/speech', { path: { id }, query: {}, signal });
}

export function getTimeline(id: string, signal: AbortSignal): Promise<SpokenTimeline> {
  return call('GET /api/v1/scenario-runs/{id}/speech', { path: { id }, query: {}, signal });
}

export function getPeaks(id: string, signal: AbortSignal): Promise<RecordingPeaks> {
  return call('GET /api/v1/scenario-runs/{id}/peaks', {
    path: { id },
    query: { per_second: PEAKS_A_SECOND },
    signal,
    withinMs: WITHIN_MS,
  });
}

/** A WAV file, the patient on the left and the agent on the right. @param part null for the whole @throws ApiError */
export function getRecording(id: string, part: CallSpan | null, signal: AbortSignal): Promise<Blob> {
  const query = part === null ? '' : `?from=${Math.max(0, Math.floor(part.from_ms))}&to=${Math.ceil(part.to_ms)}`;
  // An audio element could not send the service key.
  return callForFile(`/api/v1/scenario-runs/${id}/recording.wav${query}`, { signal, withinMs: WITHIN_MS });
}
