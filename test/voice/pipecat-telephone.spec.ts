import type { FakeMessage } from '../fakes/fake-agent';
import { startStreamingModel } from '../fakes/streaming-model';
import { eventually } from '../setup/eventually';
import { freePort } from '../setup/identity-provider';
import { MediaStreamCalls } from '../setup/media-stream-calls';
import { SeededVoice } from '../fakes/seeded-voice';
import { PythonAgent, requireVoicePeers } from '../setup/voice-peers';
import { unaborted } from '../agents/provider.contract';

requireVoicePeers();

/**
 * A real bot of Pipecat for telephones, rung as Twilio rings it: its own serializer reads and writes Twilio's messages. espeak-ng is its
 * speech; it understands how long it was spoken to.
 */
const LONG = 'Take it with water every morning and every evening, and never on an empty stomach. '.repeat(3);
const INTERRUPTION_MS = 1_500;

const calls = new MediaStreamCalls({ greeting: 300, longestSpeech: 60_000 });
let model: Awaited<ReturnType<typeof startStreamingModel>>;
let bot: PythonAgent;
let url: string;

beforeAll(async () => {
  model = await startStreamingModel({ answer });
  const port = await freePort();
  const environment = { PORT: String(port), OPENAI_BASE_URL: model.baseUrl };
  bot = await PythonAgent.start('test/peers/pipecat_telephone.py', [], environment, 'Uvicorn running');
  url = `ws://127.0.0.1:${port}/media`;
});
afterAll(async () => {
  await calls.close();
  await bot.close();
  await model.close();
});

function answer(messages: readonly FakeMessage[]): string {
  const turns = messages.filter(({ role }) => role === 'user').length;
  return isTalkative && turns === 2 ? LONG : `This is reply number ${turns}.`;
}

let isTalkative = false;
const CONFIG = { turn_timeout_ms: 60_000 };

test('each turn is heard and answered, marks come back, and the bot sees the call end', async () => {
  const { session, sounds } = await bot.during(calls.call({ url, ...CONFIG }));
  for (const message of ['My chest hurts.', 'Since this morning.']) {
    const { spoken } = await bot.during(session.send(message, unaborted()));
    expect(spoken?.heard.length).toBeGreaterThan(0);
    expect(spoken?.latencyMs).toBeGreaterThan(400);
  }
  expect(JSON.stringify(model.requests.at(-1)?.body)).toMatch(/something of \d\.\d seconds/);
  await bot.during(eventually(() => expect(bot.log).toMatch(/got mark answer 1[\s\S]*got mark answer 2/)));
  expect(session.metadata()).not.toHaveProperty('ignored_messages');
  expect(sounds.length).toBeGreaterThan(0);
  await session.close();
  await bot.during(eventually(() => expect(bot.log).toContain('the call has ended')));
  expect(bot.log).toContain('got stop');
}, 240_000);

test('an interruption makes the bot send clear, and it falls silent at once', async () => {
  isTalkative = true;
  const interjection = {
    kind: 'interruption' as const,
    afterMs: 3_000,
    samples: new SeededVoice(7).samples(INTERRUPTION_MS, 48_000),
  };
  const { session, uttered } = await bot.during(calls.call({ url, ...CONFIG }, { interjection }));
  await bot.during(session.send('Good morning.', unaborted()));
  const clears = bot.log.split('sent clear').length;
  const { spoken } = await bot.during(session.send('What do I take?', unaborted()));
  await session.close();
  expect(uttered.filter(({ part }) => part === 'interjection').length).toBeGreaterThan(0);
  expect(bot.log.split('sent clear').length).toBeGreaterThan(clears);
  const { from = 0, to = 0 } = spoken?.interjection ?? {};
  expect(to - from).toBeCloseTo(INTERRUPTION_MS, 0);
  const heard = spoken?.heard ?? [];
  const spokenInto = heard.find((span) => span.from < from && span.to > from);
  console.info(`yield ${Math.round((spokenInto?.to ?? NaN) - from)} ms after the interruption began`);
  // Of more than ten seconds that it wanted to say.
  expect(spokenInto?.to).toBeLessThan(from + 4_000);
  expect(heard.at(-1)?.from).toBeGreaterThan(to);
}, 240_000);
