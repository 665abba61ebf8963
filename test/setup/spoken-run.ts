import type { SpokenView } from '../../contract/spoken';

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
