import { METRICS_VERSION } from '../../contract/speech-measures';
import type { SpokenView } from '../../contract/spoken';
import type { CallFacts } from '../../src/engine/speech/spoken-call';

/** How a spoken run is kept. @param changes what is otherwise in it */
export function spokenRun(changes: Partial<SpokenView> = {}): SpokenView {
  return {
    voice: null,
    rate: 1,
    line: 'wideband',
    noise: null,
    sounds: [],
    seed: 1,
    ear: null,
    voice_engine: { engine: 'espeak-ng', version: '1.51', voice: 'en-us', rate: 1 },
    timing_error_ms: 12,
    harness_version: '0.1.0',
    ...changes,
  };
}

/** What a call of a minute without an ear and without a recording tells of itself. */
export function callFacts(changes: Partial<CallFacts> = {}): CallFacts {
  return {
    metrics_version: METRICS_VERSION,
    minutes: 1,
    start_ms: 20,
    control_clip: { duration_ms: 900, voiced_ms: 700, level_dbfs: -20, word_error_rate: null, hearing: null },
    recording: null,
    ...changes,
  };
}
