import { RECORDING_RATE, type RecordingPeaks } from '../../../contract/recordings';
import { othersTurn } from '../../platform/concurrency';
import { windowsOf } from './decoded-recording';
import type { Recording, RecordingsStore, Track } from './recordings.store';

const BOTH: readonly Track[] = ['patient', 'agent'];
/** 16 bits to 8. */
const STEP = 128;

/**
 * The greatest amplitude of each interval of both tracks, 0 to 255.
 * @param perSecond intervals a second, not always a whole number
 * @throws DamagedRecording
 */
export async function peaksOf(
  store: Pick<RecordingsStore, 'bytesOf'>,
  recording: Recording,
  part: { readonly from: number; readonly to: number },
  perSecond: number,
): Promise<Omit<RecordingPeaks, 'scenario_run_id'>> {
  const interval = RECORDING_RATE / perSecond;
  const count = Math.ceil((part.to - part.from) / interval);
  const peaks = { patient: new Uint8Array(count), agent: new Uint8Array(count) };
  for await (const { from, tracks } of windowsOf(store, recording, BOTH, part)) {
    await othersTurn();
    for (const track of BOTH) raise(peaks[track], tracks[track], from - part.from, interval);
  }
  return {
    from_ms: msOf(part.from),
    to_ms: msOf(part.to),
    per_second: perSecond,
    patient: [...peaks.patient],
    agent: [...peaks.agent],
  };
}

function raise(peaks: Uint8Array, samples: Int16Array, first: number, interval: number): void {
  for (let at = 0; at < samples.length; at += 1) {
    const level = Math.min(255, Math.floor(Math.abs(samples[at] ?? 0) / STEP));
    const place = Math.floor((first + at) / interval);
    if (level > (peaks[place] ?? 255)) peaks[place] = level;
  }
}

function msOf(samples: number): number {
  return Math.round((samples * 1_000) / RECORDING_RATE);
}
