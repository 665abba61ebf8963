import type { FakeMessage } from '../fakes/fake-agent';
import { startStreamingModel } from '../fakes/streaming-model';
import { PythonAgent, requireVoicePeers, startLiveKitTextAgent } from '../setup/voice-peers';
import { SpokenCalls, interjectionOf, type TestCall } from '../setup/spoken-calls';
import { unaborted } from '../agents/provider.contract';

requireVoicePeers();

/**
 * A real agent of livekit-agents, spoken with: its turn detection, its interruptions and its transcriptions. espeak-ng is its speech; it
 * understands how long it was spoken to.
 */
const GREETING = 'Good morning, this is the clinic.';
/** More than ten seconds of espeak-ng. */
const LONG = 'Take it with water every morning and every evening, and never on an empty stomach. '.repeat(3);

let calls: SpokenCalls;
let model: Awaited<ReturnType<typeof startStreamingModel>>;
let agent: PythonAgent;
let call: TestCall;

beforeAll(async () => {
  calls = await SpokenCalls.start();
  model = await startStreamingModel({ answer });
  agent = await startLiveKitTextAgent(calls.livekit, model.baseUrl, { GREETING }, 'test/peers/livekit_speaks.py');
  call = await agent.during(
    calls.call(null, {
      config: { turn_timeout_ms: 60_000 },
      interjection: (message) => {
        // livekit-agents ignores what it hears in the first 3 s of its own speech, and what is shorter than 0.5 s.
        if (message.includes('interrupt')) return interjectionOf('interruption', 4_000, 1_500);
        return message.includes('agree') ? interjectionOf('backchannel', 4_000, 250) : null;
      },
    }),
  );
});
afterAll(async () => {
  await call.session.close();
  await agent.close();
  await model.close();
  await calls.close();
});

function answer(messages: readonly FakeMessage[]): string {
  const turns = messages.filter(({ role }) => role === 'user').length;
  return `Reply ${turns}. ${turns === 2 || turns === 4 ? LONG : ''}`;
}

const say = (message: string) => agent.during(call.session.send(message, unaborted()));

test('it greets, answers what it heard, and tells what it understood', async () => {
  expect(call.session.greeting).toBe(GREETING);
  const { content, spoken } = await say('My chest hurts since this morning.');
  expect(content.trim()).toBe('Reply 1.');
  expect(spoken?.understood).toMatch(/something of \d\.\d seconds/);
  expect(spoken?.heard.length).toBeGreaterThan(0);
  expect(spoken?.latencyMs).toBeGreaterThan(400);
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
}, 240_000);

test('it talks through a backchannel', async () => {
  const { content, spoken } = await say('I only agree to what you say.');
  const { from = 0, to = 0 } = spoken?.interjection ?? {};
  expect(to - from).toBeCloseTo(250, 0);
  expect(spoken?.heard.at(-1)?.to).toBeGreaterThan(to + 2_000);
  expect(content).toContain('Reply 4.');
  expect(content).not.toContain('Reply 5.');
}, 240_000);
