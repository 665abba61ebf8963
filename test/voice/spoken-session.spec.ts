import { randomUUID } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { silentLog } from '../../src/platform/config/log';
import { systemClock } from '../../src/agents/outbound/clock';
import { HttpClient } from '../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../src/agents/outbound/limiter';
import { LiveKitProvider } from '../../src/agents/livekit/livekit.provider';
import { RoomProcesses } from '../../src/agents/livekit/room-processes';
import { RoomRemoval } from '../../src/agents/livekit/room-administration';
import { botToken } from '../../src/agents/livekit/room-token';
import { SPOKEN_RATE } from '../../src/agents/livekit/room-wire';
import { constructedVoice } from '../../src/agents/livekit/timing/constructed-voice';
import type { AgentSound, Session } from '../../src/agents/provider';
import type { SpokenBotReply, SpokenBotScript } from '../fakes/spoken-bot-program';
import { unaborted } from '../agents/provider.contract';
import { LiveKitServer } from '../setup/livekit-server';

/** Spoken conversations with a bot in a room of a real LiveKit server. */
const SAYS: SpokenBotReply = {
  text: 'Please call an ambulance now.',
  soundMs: 1_200,
  delayMs: 400,
  understood: 'my chest hurts',
  shown: null,
  leaves: false,
};

let livekit: LiveKitServer;
let provider: LiveKitProvider;
const rooms = new RoomProcesses();
const bots: ChildProcess[] = [];

beforeAll(async () => {
  livekit = await LiveKitServer.start();
  const http = new HttpClient();
  const limiter = new Limiter(new InProcessRequestBudget(), systemClock);
  provider = new LiveKitProvider({ http, limiter, clock: systemClock, rooms, removal: new RoomRemoval(silentLog) });
});

afterEach(() => {
  for (const bot of bots.splice(0)) bot.kill('SIGKILL');
});

afterAll(async () => {
  await provider.settled();
  await rooms.close();
  await livekit.close();
});

async function startBot(room: string, script: Partial<SpokenBotScript>): Promise<void> {
  const bot = fork(join(__dirname, '..', 'fakes', 'spoken-bot-program.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  bots.push(bot);
  const token = await botToken(livekit, room, 'clinic-agent');
  const joined = new Promise<void>((resolve, reject) => {
    bot.on('message', (event) => (event === 'joined' ? resolve() : reject(new Error(JSON.stringify(event)))));
  });
  bot.send({ url: livekit.url, hasVoice: true, greeting: null, replies: [SAYS], token, ...script });
  await joined;
}

/** A session with a bot in its room. */
async function call(
  script: Partial<SpokenBotScript>,
  { config = {}, sounds = [] }: { readonly config?: Record<string, unknown>; readonly sounds?: AgentSound[] } = {},
): Promise<Session> {
  const room_name = `spoken-${randomUUID()}`;
  const connecting = provider.connect(
    {
      agentId: randomUUID(),
      scenarioRunId: randomUUID(),
      attempt: 1,
      history: [],
      continuation: null,
      config: { url: livekit.url, api_key: livekit.apiKey, api_secret: livekit.apiSecret, room_name, ...config },
      spoken: {
        hearsWords: false,
        utter: (message) =>
          Promise.resolve({ samples: constructedVoice(40 * message.length, SPOKEN_RATE), interjection: null }),
        onUttered: () => undefined,
        onSound: (sound) => sounds.push(sound),
      },
    },
    unaborted(),
  );
  // Observed at once: a session may fail before the bot has come.
  connecting.catch(() => undefined);
  await startBot(room_name, script);
  return connecting;
}

test('a turn is said, heard and timed, and the words are the agent’s own account', async () => {
  const sounds: AgentSound[] = [];
  const session = await call({ replies: [{ ...SAYS, shown: 'A card that nobody hears' }, SAYS] }, { sounds });
  const reply = await session.send('My chest hurts since this morning.', unaborted());
  expect(reply.content).toBe('Please call an ambulance now.');
  expect(reply.spoken).toMatchObject({ understood: 'my chest hurts', isReliable: expect.any(Boolean) });
  const { said, heard, latencyMs } = reply.spoken ?? {};
  expect((said?.to ?? 0) - (said?.from ?? 0)).toBeCloseTo(34 * 40, 0);
  expect(heard).toHaveLength(1);
  // The bot notices the end 300 ms after it, and waits 400 ms.
  expect(latencyMs).toBeGreaterThan(650);
  expect(heard?.[0]?.from).toBeCloseTo((said?.to ?? 0) + (latencyMs ?? 0), 3);
  await session.send('And now?', unaborted());
  await session.close();
  // No sample twice and none missing.
  let next = sounds[0]?.firstSample ?? 0;
  for (const { firstSample, samples } of sounds) {
    expect(firstSample).toBe(next);
    next += samples.length;
  }
  expect(sounds.length).toBeGreaterThan(2);
}, 90_000);

test('a greeting is context, in its own words', async () => {
  const session = await call({ greeting: 'Good morning, this is the clinic.' });
  expect(session.greeting).toBe('Good morning, this is the clinic.');
  expect((await session.send('Hello there, I feel unwell.', unaborted())).content).toBe(SAYS.text);
  await session.close();
}, 90_000);

test('an agent without a voice is told apart from one that says nothing', async () => {
  const short = { turn_timeout_ms: 4_000 };
  const mute = await call({ hasVoice: false, replies: [{ ...SAYS, soundMs: 0 }] }, { config: short });
  await expect(mute.send('Hello?', unaborted())).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('run it as text'),
  });
  await mute.close();
  const silent = await call({ replies: [{ ...SAYS, soundMs: 0 }] }, { config: short });
  await expect(silent.send('Hello?', unaborted())).rejects.toMatchObject({ code: 'provider_timeout' });
  await silent.close();
}, 120_000);

test('words that only sounded earn no mark: what was said is not known', async () => {
  const session = await call({ replies: [{ ...SAYS, text: null }] });
  await expect(session.send('Hello?', unaborted())).rejects.toMatchObject({
    code: 'empty_reply',
    message: expect.stringContaining('lk.transcription'),
  });
  await session.close();
}, 90_000);

test('an agent that leaves after its words has hung up', async () => {
  const session = await call({ replies: [{ ...SAYS, leaves: true }] }, { config: { leaving_ends_conversation: true } });
  const reply = await session.send('Thank you.', unaborted());
  expect(reply.content).toBe(SAYS.text);
  await session.close();
}, 90_000);

test('a canceled turn ends at once, in the middle of the patient’s words', async () => {
  const session = await call({});
  const ending = new AbortController();
  const sending = session.send('A long complaint. '.repeat(20), ending.signal);
  setTimeout(() => ending.abort(), 500);
  await expect(sending).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
  await session.close();
}, 90_000);
