import { setTimeout as sleep } from 'node:timers/promises';
import { AccessToken, TrackSource, type VideoGrant } from 'livekit-server-sdk';
import { HEARD_RATE } from '../../src/agents/voice/sound-clocks';
import { loudIn } from '../../src/agents/voice/timing/constructed-voice';
import { unaborted } from '../agents/provider.contract';
import { SpokenCalls, SAYS, type TestCall } from '../setup/spoken-calls';

/** Agents whose sound comes in another way than most agents' does, and patients who may not speak. */
let calls: SpokenCalls;

beforeAll(async () => {
  calls = await SpokenCalls.start();
});
afterAll(() => calls.close());

/** Of what was loud, in samples of the call. */
function loudSamples({ sounds }: TestCall): number {
  const loud = sounds.flatMap(({ firstSample, samples }) => {
    const found = loudIn(samples);
    return found === null ? [] : [firstSample + found.first, firstSample + found.last];
  });
  return loud.length === 0 ? 0 : Math.max(...loud) - Math.min(...loud);
}

/** As people in a room do who may: the agent does not know of it. */
async function muteAgent(room: string): Promise<void> {
  const { rooms } = calls.livekit;
  const agent = (await rooms.listParticipants(room)).find(({ identity }) => identity === 'clinic-agent');
  await rooms.mutePublishedTrack(room, 'clinic-agent', agent?.tracks[0]?.sid ?? '', true);
}

test('an agent that is muted in the middle of an answer, and for ever: what was heard counts, and its next answer is none', async () => {
  // It does not know that it is not heard: to it, the patient speaks into its answer.
  const replies = Array(3).fill({ ...SAYS, soundMs: 8_000, stopsAfterMs: 100, then: 'answers' });
  const call = await calls.call({ replies }, { config: { turn_timeout_ms: 12_000 } });
  const began = call.session.send('Hello, are you there?', unaborted());
  while (loudSamples(call) < HEARD_RATE) await sleep(50);
  await muteAgent(call.room ?? '');
  const { content, spoken } = await began;
  expect(content).toBe(SAYS.text);
  const heard = spoken?.heard ?? [];
  expect(heard.length).toBeGreaterThan(0);
  expect((heard.at(-1)?.to ?? 0) - (heard[0]?.from ?? 0)).toBeLessThan(7_000);
  await expect(call.session.send('Are you still there?', unaborted())).rejects.toMatchObject({
    code: 'provider_timeout',
    message: expect.stringContaining('that its track is not muted'),
  });
  await call.session.close();
}, 120_000);

test('the voice of a stereo track of 48 kHz is heard whole, also in one of its channels', async () => {
  const call = await calls.call({ isStereo: true, replies: [{ ...SAYS, soundMs: 1_000 }] });
  const { content, spoken } = await call.session.send('Hello, are you there?', unaborted());
  expect(content).toBe(SAYS.text);
  expect(spoken?.heard).toHaveLength(1);
  const [{ from, to } = { from: 0, to: 0 }] = spoken?.heard ?? [];
  expect(to - from).toBeGreaterThan(800);
  expect(to - from).toBeLessThan(1_500);
  await call.session.close();
  expect(loudSamples(call)).toBeGreaterThan(0.85 * HEARD_RATE);
}, 120_000);

test.each<[string, VideoGrant]>([
  ['publish nothing', { canPublish: false }],
  ['publish a picture only', { canPublish: true, canPublishSources: [TrackSource.CAMERA] }],
])(
  'a patient whose token permits to %s is told what to grant',
  async (_, grant) => {
    const token = (room: string): Promise<string> => {
      const signed = new AccessToken(calls.livekit.apiKey, calls.livekit.apiSecret, { identity: 'visitor' });
      signed.addGrant({ room, roomJoin: true, canPublishData: true, canSubscribe: true, ...grant });
      return signed.toJwt();
    };
    await expect(calls.call({}, { token })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/its token must permit to publish \(canPublish\) a microphone/),
    });
  },
  60_000,
);
