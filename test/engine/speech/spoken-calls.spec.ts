import type { SpokenRun } from '../../../src/domain';
import { SpokenCalls } from '../../../src/engine/speech/spoken-calls';
import { settingsFrom } from '../../../src/platform/config/settings';
import type { HttpStub } from '../../fakes/http-stub';
import { startSpeechServer } from '../../fakes/speech-server';

let server: HttpStub;
let calls: SpokenCalls;
beforeAll(async () => {
  server = await startSpeechServer();
});
beforeEach(() => {
  const { speech, egress } = settingsFrom({ SPEECH_URL: `${server.origin}/v1`, SPEECH_MODEL: 'kokoro' });
  calls = new SpokenCalls({ speech, egress });
});
afterEach(() => calls.close());
afterAll(() => server.close());

const spoken: SpokenRun = {
  ...{ voice: null, rate: 1, line: 'wideband', noise: null, sounds: [], seed: 7, ear: null, timing_error_ms: null },
  voice_engine: { engine: '127.0.0.1', version: 'kokoro', voice: 'alloy', rate: 1 },
  harness_version: '0.1.0',
};
const open = (signal: AbortSignal, testRunId = 'a run') =>
  calls.open(
    {
      ...{ testRunId, spoken, language: 'en', scenarioId: 'a scenario', speech: {}, attempt: 1, trial: 1 },
      ...{ keep: null, onGap: () => undefined },
    },
    signal,
  );

it('the control sentence is given up at once when the last conversation that waits for it is canceled', async () => {
  server.next(() => undefined);
  const [one, other] = [new AbortController(), new AbortController()];
  const openings = [open(one.signal), open(other.signal)];
  const ends = Promise.allSettled(openings);
  await server.until(() => server.inFlight === 1);
  one.abort();
  await expect(openings[0]).rejects.toMatchObject({ kind: 'canceled' });
  expect(server.inFlight).toBe(1);
  other.abort();
  await server.until(() => server.inFlight === 0);
  expect(await ends).toMatchObject([{ status: 'rejected' }, { status: 'rejected', reason: { kind: 'canceled' } }]);
}, 60_000);

it('it is said anew for a conversation that comes after that, and once for all that come together', async () => {
  server.next(() => undefined);
  const given = new AbortController();
  const first = open(given.signal);
  await server.until(() => server.inFlight === 1);
  given.abort();
  const before = server.requests.length;
  const later = [open(new AbortController().signal), open(new AbortController().signal)];
  await expect(first).rejects.toMatchObject({ kind: 'canceled' });
  // Whether this voice is the one of the run is another matter.
  await Promise.allSettled(later);
  expect(server.requests.length - before).toBe(1);
}, 60_000);
