import type { FakeMessage } from '../fakes/fake-agent';
import { startStreamingModel } from '../fakes/streaming-model';
import { PIPECAT_KEY, startPipecatServer, type PipecatServer } from '../setup/pipecat-server';
import { SpokenCalls, interjectionOf, type TestCall } from '../setup/spoken-calls';
import { requireVoicePeers } from '../setup/voice-peers';
import { unaborted } from '../agents/provider.contract';

requireVoicePeers();

/**
 * A real bot of pipecat-ai, spoken with in a LiveKit room: its turn detection, its interruptions and what it tells over RTVI. espeak-ng is
 * its speech; it understands how long it was spoken to.
 */
const GREETING = 'Good morning, this is the clinic.';
/** More than ten seconds of espeak-ng. */
const LONG = 'Take it with water every morning and every evening, and never on an empty stomach. '.repeat(3);

let calls: SpokenCalls;
let model: Awaited<ReturnType<typeof startStreamingModel>>;
let server: PipecatServer;
let call: TestCall;

beforeAll(async () => {
  calls = await SpokenCalls.start();
  model = await startStreamingModel({ answer });
  server = await startPipecatServer(calls.livekit, model.baseUrl, { GREETING }, 'test/peers/pipecat_speaks.py');
  call = await calls.callPipecat(server.baseUrl, {
    config: { api_key: PIPECAT_KEY, turn_timeout_ms: 60_000 },
    interjection: (message) => {
      if (message.includes('interrupt')) return interjectionOf('interruption', 2_500, 1_500);
      return message.includes('agree') ? interjectionOf('backchannel', 2_500, 300) : null;
    },
  });
});
afterAll(async () => {
  await call?.session.close();
  await server?.close();
  await model?.close();
  await calls?.close();
});

function answer(messages: readonly FakeMessage[]): string {
  const turns = messages.filter(({ role }) => role === 'user').length;
  return `Reply ${turns}. ${turns === 2 || turns === 4 ? LONG : ''}`;
}

const say = (message: string) => call.session.send(message, unaborted());

test('it greets, answers what it heard, and tells what it said and understood', async () => {
  expect(call.session.greeting).toBe(GREETING);
  const { content, spoken } = await say('My chest hurts since this morning.');
  expect(content.trim()).toBe('Reply 1.');
  expect(spoken?.understood).toMatch(/^something of \d\.\d seconds$/);
  expect(spoken?.heard.length).toBeGreaterThan(0);
  expect(spoken?.latencyMs).toBeGreaterThan(400);
  expect(call.session.metadata()).toMatchObject({ protocol: 'voice', bot_library: 'pipecat-ai 1.14.0' });
}, 240_000);

test('it yields to an interruption, and answers it in the same turn', async () => {
  const { content, spoken } = await say('What do I take? I will interrupt you.');
  const { from = 0, to = 0 } = spoken?.interjection ?? {};
  expect(to - from).toBeCloseTo(1_500, 0);
  const heard = spoken?.heard ?? [];
  const spokenInto = heard.find((span) => span.from < from && span.to > from);
  console.info(`yield ${Math.round((spokenInto?.to ?? NaN) - from)} ms after the interruption began`);
  expect(spokenInto?.to).toBeLessThan(from + 4_000);
  expect(heard.at(-1)?.from).toBeGreaterThan(to);
  expect(content).toMatch(/^Reply 2\. [\s\S]*Reply 3\./);
  expect(spoken?.understood).toMatch(/seconds[\s\S]*something of 1\.\d seconds/);
}, 240_000);

test('its speech detection takes a backchannel for an interruption', async () => {
  const { content, spoken } = await say('I only agree to what you say.');
  const { from = 0, to = 0 } = spoken?.interjection ?? {};
  expect(to - from).toBeCloseTo(300, 0);
  const spokenInto = spoken?.heard.find((span) => span.from < from && span.to > from);
  expect(spokenInto?.to).toBeLessThan(from + 3_000);
  expect(spoken?.isBrokenOff).toBe(true);
  expect(content).toMatch(/^Reply 4\. /);
}, 240_000);

test('it goes on with the conversation', async () => {
  const { content } = await say('Thank you, good bye.');
  expect(content.trim()).toMatch(/^Reply \d\.$/);
}, 240_000);
