import { setTimeout as sleep } from 'node:timers/promises';
import { HEARD_RATE } from '../../src/agents/voice/sound-clocks';
import { loudIn } from '../../src/agents/voice/timing/constructed-voice';
import type { Reply } from '../../src/agents/provider';
import { unaborted } from '../agents/provider.contract';
import { SpokenCalls, SAYS, interjectionOf, type TestCall } from '../setup/spoken-calls';

/** What is reported of agents that speak badly, and of a room that breaks: each within a bound, with who is at fault. */
let calls: SpokenCalls;

beforeAll(async () => {
  calls = await SpokenCalls.start(5_000);
});
afterAll(() => calls.close());

/** Longer than a busy machine takes until a track of the agent has come. */
const SHORT = { turn_timeout_ms: 12_000 };
const failureOf = (sending: Promise<Reply>): Promise<unknown> =>
  sending.then(
    () => null,
    (error: unknown) => error,
  );

/** Says one thing, and ends the call. */
async function sayTo(script: Parameters<SpokenCalls['call']>[0], options: Parameters<SpokenCalls['call']>[1] = {}) {
  const { session } = await calls.call(script, options);
  try {
    return await session.send('Hello, are you there?', unaborted());
  } finally {
    await session.close();
  }
}

test('an agent that is not heard: one without a voice, one that only writes, one that is silent or late', async () => {
  const silent = { ...SAYS, soundMs: 0 };
  const failures = await Promise.all([
    failureOf(sayTo({ hasVoice: false, replies: [silent] }, { config: SHORT })),
    failureOf(sayTo({ replies: [silent] }, { config: SHORT })),
    failureOf(sayTo({ replies: [{ ...silent, text: null }] }, { config: SHORT })),
    failureOf(sayTo({ replies: [{ ...SAYS, text: null, delayMs: 30_000 }] }, { config: SHORT })),
  ]);
  expect(failures).toMatchObject([
    { code: 'config_invalid', message: expect.stringContaining('run it as text') },
    { code: 'provider_timeout', message: expect.stringContaining('nothing of it could be heard') },
    { code: 'provider_timeout', message: expect.stringContaining('turn_timeout_ms') },
    { code: 'provider_timeout', message: expect.stringContaining('turn_timeout_ms') },
  ]);
}, 120_000);

test('words that only sounded earn no mark without an ear, and are handed to one that hears them', async () => {
  const replies = [{ ...SAYS, text: null }];
  const [unheard, heard] = await Promise.all([failureOf(sayTo({ replies })), sayTo({ replies }, { hearsWords: true })]);
  expect(unheard).toMatchObject({ code: 'empty_reply', message: expect.stringContaining('lk.transcription') });
  expect(heard).toMatchObject({ content: '', spoken: { own: null, heard: [expect.anything()] } });
}, 120_000);

test('an agent that speaks into the patient’s words is waited for, and its latency is none where it spoke through the end', async () => {
  const [early, through] = await Promise.all([
    sayTo({ replies: [{ ...SAYS, premature: { afterMs: 100, soundMs: 200 } }] }),
    sayTo({ replies: [{ ...SAYS, soundMs: 0, premature: { afterMs: 300, soundMs: 2_500 } }] }),
  ]);
  const { said, heard = [], latencyMs } = early.spoken ?? {};
  // Its words in the patient's turn and its answer.
  expect(heard).toHaveLength(2);
  expect(heard[0]?.to).toBeLessThan(said?.to ?? 0);
  expect(latencyMs).toBeGreaterThan(0);
  expect([through.latencyMs, through.spoken?.latencyMs]).toEqual([null, null]);
  expect(through.spoken?.heard[0]?.from).toBeLessThan(through.spoken?.said.to ?? 0);
}, 120_000);

test('an agent that never ends is cut off with what was heard, and a tone is no voice for ever', async () => {
  const endless = await sayTo({ replies: [{ ...SAYS, soundMs: 30_000 }] });
  const tone = await sayTo({ replies: [{ ...SAYS, soundMs: 8_000, isTone: true }] }, { hearsWords: true });
  expect(endless).toMatchObject({ content: SAYS.text, metadata: { cut_off_after_ms: 5_000 } });
  const { heard = [] } = endless.spoken ?? {};
  expect((heard.at(-1)?.to ?? 0) - (heard[0]?.from ?? 0)).toBeGreaterThanOrEqual(4_900);
  // What does not change is noise after 3 s.
  expect(tone.metadata).toEqual({});
}, 120_000);

test('what an agent stops at, and does not go on with, is what was heard', async () => {
  const interjection = interjectionOf('backchannel', 500, 250);
  const reply = await sayTo({ replies: [{ ...SAYS, soundMs: 6_000, stopsAfterMs: 100 }] }, { interjection });
  const { heard = [], interjection: said } = reply.spoken ?? {};
  expect(heard.at(-1)?.to).toBeLessThan((said?.from ?? 0) + 3_000);
  expect(reply.content).toBe(SAYS.text);
  // It wrote what it meant to say: only what there was voice for counts.
  expect(reply.spoken?.isBrokenOff).toBe(true);
}, 120_000);

test('sounds of the surroundings on a track of their own are heard with the voice, and are no speech', async () => {
  const call = await calls.call({ isNoisy: true });
  const { spoken } = await call.session.send('Hello, are you there?', unaborted());
  expect(spoken?.heard.length).toBeGreaterThan(0);
  const { from = 0, to = 0 } = spoken?.heard.at(-1) ?? {};
  expect(to - from).toBeLessThan(3_000);
  await call.session.close();
  let next = 0;
  for (const { firstSample, samples } of call.sounds) {
    expect(firstSample).toBe(next);
    next += samples.length;
  }
  // Before the voice began, the surroundings were heard.
  expect(loudest(call.sounds[1]?.samples)).toBeGreaterThan(50);
}, 120_000);

function loudest(samples: Int16Array | undefined): number {
  return Math.max(...(samples ?? []).map(Math.abs));
}

test('times of a turn whose sound was held up on its way are not believed', async () => {
  const call = await calls.call({ replies: [{ ...SAYS, soundMs: 3_000 }] });
  const sending = call.session.send('Hello, are you there?', unaborted());
  while (call.uttered.length === 0) await sleep(50);
  await sleep(1_200);
  calls.livekit.pause();
  await sleep(400);
  calls.livekit.resume();
  expect((await sending).spoken?.isReliable).toBe(false);
  await call.session.close();
}, 120_000);

test('an agent that leaves in the middle of its words: an error, or the end of the conversation where its config says so', async () => {
  const replies = [{ ...SAYS, soundMs: 5_000, leavesAfterMs: 1_000 }];
  const [crash, end] = await Promise.all([
    failureOf(sayTo({ replies })),
    sayTo({ replies }, { config: { leaving_ends_conversation: true } }),
  ]);
  expect(crash).toMatchObject({ code: 'provider_error', message: expect.stringContaining('left the LiveKit room') });
  expect(end).toMatchObject({ endsConversation: true, content: SAYS.text, spoken: { isReliable: false } });
}, 120_000);

test.each([
  ['hangs up', {}],
  ['takes its track back and hangs up', { unpublishes: true }],
])(
  'the last words before an agent %s are heard before it is gone',
  async (_, how) => {
    const replies = [{ ...SAYS, soundMs: 900, leavesAfterMs: 1_200, ...how }];
    const call = await calls.call({ replies }, { config: { leaving_ends_conversation: true } });
    await call.session.send('Hello, are you there?', unaborted());
    const loud = call.sounds.flatMap(({ firstSample, samples }) => {
      const found = loudIn(samples);
      return found === null ? [] : [firstSample + found.first, firstSample + found.last];
    });
    expect(Math.max(...loud) - Math.min(...loud)).toBeGreaterThan(0.85 * HEARD_RATE);
    await call.session.close();
  },
  120_000,
);

/** The patient is in the middle of its words. */
async function speaking(): Promise<{ readonly call: TestCall; readonly failing: Promise<unknown> }> {
  const call = await calls.call({});
  const failing = failureOf(call.session.send('A long complaint. '.repeat(8), unaborted()));
  await sleep(1_000);
  return { call, failing };
}

test('a room’s process that is killed, and a server that is: never the agent’s fault, and the next call begins anew', async () => {
  const ofProcess = await speaking();
  for (const pid of calls.roomPids) process.kill(pid, 'SIGKILL');
  expect(await ofProcess.failing).toMatchObject({
    code: 'connect_failed',
    disposition: { kind: 'retryable' },
    message: expect.stringMatching(/harness's process for LiveKit rooms/),
  });
  await ofProcess.call.session.close();
  const ofServer = await speaking();
  await calls.livekit.kill();
  expect(await ofServer.failing).toMatchObject({ code: 'connect_failed', message: expect.stringContaining('server') });
  await ofServer.call.session.close();
  await calls.livekit.start();
  expect((await sayTo({})).content).toBe(SAYS.text);
}, 180_000);
