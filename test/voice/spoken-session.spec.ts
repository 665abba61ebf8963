import { SpokenCalls, SAYS, interjectionOf, type TestCall } from '../setup/spoken-calls';
import { keypadTones } from '../../src/engine/audio';
import { unaborted } from '../agents/provider.contract';
import { eventually } from '../setup/eventually';

/** Spoken conversations with a bot in a room of a real LiveKit server. */
let calls: SpokenCalls;

beforeAll(async () => {
  calls = await SpokenCalls.start();
});
afterAll(() => calls.close());

/** No sample twice and none missing. */
function expectWhole({ sounds }: TestCall): void {
  let next = sounds[0]?.firstSample ?? 0;
  for (const { firstSample, samples } of sounds) {
    expect(firstSample).toBe(next);
    next += samples.length;
  }
  expect(sounds.length).toBeGreaterThan(2);
}

test('a turn is said, heard and timed, and the words are the agent’s own account; a greeting is context', async () => {
  const call = await calls.call({
    greeting: 'Good morning, this is the clinic.',
    replies: [{ ...SAYS, understood: 'my chest hurts', shown: 'A card that nobody hears' }, SAYS],
  });
  const { session } = call;
  expect(session.greeting).toBe('Good morning, this is the clinic.');
  const reply = await session.send('My chest hurts since this morning.', unaborted());
  expect(reply.content).toBe('Please call an ambulance now.');
  expect(reply.spoken).toMatchObject({
    understood: 'my chest hurts',
    isReliable: expect.any(Boolean),
    interjection: null,
  });
  const { said, heard, latencyMs } = reply.spoken ?? {};
  expect((said?.to ?? 0) - (said?.from ?? 0)).toBeCloseTo(34 * 40, 0);
  expect(heard).toHaveLength(1);
  // The bot notices the end 300 ms after it, and waits 200 ms.
  expect(latencyMs).toBeGreaterThan(450);
  expect(heard?.[0]?.from).toBeCloseTo((said?.to ?? 0) + (latencyMs ?? 0), 3);
  expect(call.uttered).toEqual([{ part: 'turn', span: said }]);
  await session.send('And now?', unaborted());
  await session.close();
  expectWhole(call);
}, 120_000);

test.each([
  ['an agent that is there before the patient', { greetingWrittenAfterMs: null }, { agentIsThere: true }],
  ['an agent that writes what it said after it was heard', { greetingWrittenAfterMs: 2_000 }, {}],
])(
  'the greeting of %s is kept',
  async (_name, script, options) => {
    const { session } = await calls.call({ greeting: 'Good morning, this is the clinic.', ...script }, options);
    expect(session.greeting).toBe('Good morning, this is the clinic.');
    const { content } = await session.send('Hello?', unaborted());
    expect(content).toBe(SAYS.text);
    await session.close();
  },
  120_000,
);

test('keys are told to the room and heard in it, and the answer is timed from the last tone', async () => {
  const { sound, keys } = keypadTones('19*#D', 48_000);
  const utters = { samples: sound.samples, keys: keys.map(({ key, to }) => ({ key, afterMs: to / 48 })) };
  const call = await calls.call({ replies: [SAYS] }, { utters });
  const { content, spoken } = await call.session.send('[presses 19*#D]', unaborted());
  expect(content).toBe(SAYS.text);
  expect((spoken?.said.to ?? 0) - (spoken?.said.from ?? 0)).toBeCloseTo(900, 3);
  expect(spoken?.latencyMs).toBeGreaterThan(450);
  expect(calls.keysIn(call.room)).toEqual(['key 1 1', 'key 9 9', 'key 10 *', 'key 11 #', 'key 15 D', 'tones 19*#D']);
  await call.session.close();
}, 120_000);

test('an interruption is said into the answer, and the turn lasts until the agent has answered it', async () => {
  const interjection = interjectionOf('interruption', 800, 700);
  const replies = [
    { ...SAYS, text: 'Take two of these and then', soundMs: 6_000, stopsAfterMs: 300, then: 'answers' as const },
    { ...SAYS, text: 'Then stop at once.' },
  ];
  const call = await calls.call({ replies }, { interjection });
  const { content, spoken } = await call.session.send('What do I take?', unaborted());
  expect(content).toBe('Take two of these and then\nThen stop at once.');
  const { from = 0, to = 0, kind } = spoken?.interjection ?? {};
  expect(kind).toBe('interruption');
  expect(to - from).toBeCloseTo(700, 0);
  const heard = spoken?.heard ?? [];
  expect(from - (heard[0]?.from ?? 0)).toBeGreaterThanOrEqual(790);
  // It fell silent long before its words were over, and answered.
  expect((heard[0]?.to ?? 0) - (heard[0]?.from ?? 0)).toBeLessThan(5_500);
  expect(heard.at(-1)?.from).toBeGreaterThan(to);
  expect(call.uttered.map(({ part }) => part)).toEqual(['turn', 'interjection']);
  await call.session.close();
  expectWhole(call);
}, 120_000);

test('a backchannel is said into the answer, which goes on, or goes on after a while', async () => {
  const interjection = interjectionOf('backchannel', 600, 250);
  const replies = [
    { ...SAYS, soundMs: 3_000 },
    { ...SAYS, soundMs: 3_000, stopsAfterMs: 200, then: 'resumes' as const },
  ];
  const { session } = await calls.call({ replies }, { interjection });
  const through = (await session.send('Tell me.', unaborted())).spoken;
  expect(through?.interjection?.kind).toBe('backchannel');
  expect(through?.isBrokenOff).toBe(false);
  expect((through?.heard.at(-1)?.to ?? 0) - (through?.heard[0]?.from ?? 0)).toBeGreaterThan(2_800);
  const { interjection: said, heard = [] } = (await session.send('Go on.', unaborted())).spoken ?? {};
  // What it said after it had stopped belongs to the same answer.
  expect(heard.length).toBeGreaterThanOrEqual(2);
  expect(heard.at(-1)?.from).toBeGreaterThan((said?.to ?? 0) + 1_000);
  await session.close();
}, 120_000);

test('nothing is said into an answer that is over before, nor when the agent hangs up', async () => {
  const interjection = interjectionOf('interruption', 2_500, 700);
  const config = { leaving_ends_conversation: true };
  const replies = [SAYS, { ...SAYS, soundMs: 5_000, leavesAfterMs: 1_200 }];
  const call = await calls.call({ replies }, { interjection, config });
  const first = await call.session.send('Hello.', unaborted());
  expect([first.content, first.spoken?.interjection]).toEqual([SAYS.text, null]);
  const last = await call.session.send('And now?', unaborted());
  expect(last).toMatchObject({ endsConversation: true, content: SAYS.text, spoken: { interjection: null } });
  // What was heard until then is kept.
  expect(last.spoken?.heard.length).toBeGreaterThan(0);
  await call.session.close();
  expect(call.uttered.map(({ part }) => part)).toEqual(['turn', 'turn']);
}, 120_000);

test('where the patient’s own voice came back first, the interruption is said into the answer that follows', async () => {
  const message = 'What do I take for it, and how often?';
  const echo = { afterMs: 250, seed: message.length, soundMs: 40 * message.length };
  const replies = [{ ...SAYS, soundMs: 6_000, delayMs: 6_000, stopsAfterMs: 200, echo }];
  // Later than any echo ends, as in every run.
  const call = await calls.call({ replies }, { interjection: interjectionOf('interruption', 1_500, 700) });
  const { content, metadata, spoken } = await call.session.send(message, unaborted());
  expect(metadata).toMatchObject({ echo_ms: expect.any(Number) });
  expect(content).toBe(SAYS.text);
  const [answer] = spoken?.heard ?? [];
  const { from = 0 } = spoken?.interjection ?? {};
  expect(from - (answer?.from ?? Infinity)).toBeGreaterThanOrEqual(1_490);
  expect(from).toBeLessThan((answer?.from ?? 0) + 5_000);
  await call.session.close();
}, 120_000);

test('a canceled turn ends at once, and the patient falls silent in the middle of its words', async () => {
  const { session, uttered } = await calls.call({ replies: [] });
  // The room's queue takes nothing until its next tick, so that words which follow at once can meet a closed one.
  for (let round = 1; round <= 12; round += 1) {
    const ending = new AbortController();
    const sending = session.send('A long complaint. '.repeat(20), ending.signal);
    setTimeout(() => ending.abort(), 300 + 13 * round);
    await expect(sending).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    // The session lives on: its next words do not wait for the 13 s of those before.
    const next = new AbortController();
    const answer = session.send('Hello?', next.signal).catch((error: unknown) => error);
    await eventually(() => expect(uttered).toHaveLength(round), 8_000);
    next.abort();
    expect(await answer).toMatchObject({ disposition: { kind: 'canceled' } });
  }
  expect(uttered.at(-1)?.span.to).toBeLessThan(60_000);
  await session.close();
}, 120_000);
