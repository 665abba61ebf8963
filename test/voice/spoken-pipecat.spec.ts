import { unaborted } from '../agents/provider.contract';
import { startFakePipecatCloud, type FakePipecatCloud } from '../fakes/pipecat-cloud-server';
import { SAYS, SpokenCalls } from '../setup/spoken-calls';

/** Pipecat bots in rooms of a real LiveKit server, spoken with: one that tells over RTVI what it says, and one in text streams. */
let calls: SpokenCalls;
let clouds: FakePipecatCloud[];

beforeAll(async () => {
  calls = await SpokenCalls.start();
  const cloudOf = (speaksRtvi: boolean, firstHeardReady = 1): Promise<FakePipecatCloud> =>
    startFakePipecatCloud({
      startBot: async ({ room, token }, sessionId) => {
        // It is in the room by itself: a start does not wait for its bot.
        void calls.join(`${String(room)}-${sessionId}`, String(token), {
          speaksRtvi,
          firstHeardReady,
          replies: [{ ...SAYS, understood: 'my chest hurts' }, SAYS],
        });
        return { answer: {}, stop: () => Promise.resolve() };
      },
    });
  clouds = await Promise.all([cloudOf(true), cloudOf(false), cloudOf(true, 4)]);
});
afterAll(async () => {
  await Promise.all(clouds.map((cloud) => cloud.close()));
  await calls.close();
});

test('a bot is spoken with, and its own account of it comes over RTVI or in text streams', async () => {
  const held = clouds.slice(0, 2).map(async ({ baseUrl }) => {
    const { session } = await calls.callPipecat(baseUrl);
    const replies = [await session.send('My chest hurts.', unaborted()), await session.send('And now?', unaborted())];
    await session.close();
    return { replies, facts: session.metadata() };
  });
  for (const { replies, facts } of await Promise.all(held)) {
    expect(replies.map(({ content }) => content)).toEqual([SAYS.text, SAYS.text]);
    expect(replies[0]?.spoken?.understood).toBe('my chest hurts');
    for (const { spoken } of replies) expect(spoken?.heard.length).toBeGreaterThan(0);
    expect(facts).toMatchObject({ protocol: 'voice', transport: 'livekit' });
  }
}, 180_000);

test('the account of a bot that listens only after seconds in the room counts, also of the turn that goes on by then', async () => {
  const [, , late] = clouds;
  const { session } = await calls.callPipecat(late?.baseUrl ?? '');
  // It takes ten seconds to say, in which the bot hears of us for the first time.
  const { content, spoken } = await session.send('It hurts. '.repeat(25), unaborted());
  expect(content).toBe(SAYS.text);
  expect(spoken?.understood).toBe('my chest hurts');
  await session.close();
}, 120_000);

test('a bot that waits elsewhere is not spoken with, and the sentence says how it could be', async () => {
  const daily = await startFakePipecatCloud({
    startBot: () =>
      Promise.resolve({ answer: { dailyRoom: 'https://daily.example/x' }, stop: () => Promise.resolve() }),
  });
  await expect(calls.callPipecat(daily.baseUrl)).rejects.toMatchObject({
    code: 'transport_unsupported',
    message: expect.stringContaining('LiveKitTransport'),
  });
  await daily.close();
}, 60_000);
