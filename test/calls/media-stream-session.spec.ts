import { keypadTones } from '../../src/engine/audio';
import { decodeMuLaw } from '../../src/domain/sound';
import { HEARS_END_AFTER_MS, tone } from '../fakes/media-stream-bot';
import { eventually } from '../setup/eventually';
import { keysHeardIn } from '../setup/heard-keys';
import { MediaStreamCalls } from '../setup/media-stream-calls';

const never = new AbortController().signal;

/** An error in the arithmetic of the line is hundreds of milliseconds, in every turn; a busy machine is late in one or the other. */
const TOLERANCE_MS = 60;
const STANDS_STILL_MS = 3_000;

const calls = new MediaStreamCalls();
afterEach(() => calls.closeBots());
afterAll(() => calls.close());

test('rings as Twilio does, speaks at the pace of a line, and times the answer', async () => {
  const replies = [
    { delayMs: 700, soundMs: 900 },
    { delayMs: 1_300, soundMs: 500 },
  ];
  const bot = await calls.startBot({ replies });
  const { session, sounds, uttered } = await calls.call({
    url: bot.url,
    headers: { Authorization: 'Bearer a-key-for-the-bot' },
    custom_parameters: { clinic: 'north', beds: 12 },
  });
  const first = await session.send('My chest hurts.', never);
  const second = await session.send('Since this morning.', never);
  const { call } = bot;
  await session.close();

  expect(call.path).toBe('/media?clinic=north');
  expect(call.headers.authorization).toBe('Bearer a-key-for-the-bot');
  const [connected, start, media] = call.called.map(({ message }) => message);
  expect(connected).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
  expect(start).toMatchObject({
    event: 'start',
    sequenceNumber: '1',
    start: {
      streamSid: expect.stringMatching(/^MZ[\da-f]{32}$/),
      callSid: expect.stringMatching(/^CA[\da-f]{32}$/),
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
      customParameters: { clinic: 'north', beds: '12' },
    },
  });
  expect(media).toMatchObject({
    event: 'media',
    sequenceNumber: '2',
    media: { track: 'inbound', chunk: '1', timestamp: '0' },
  });
  const frames = call.of('media');
  expect(frames.map(({ message }) => message.media?.timestamp)).toEqual(frames.map((_, at) => String(at * 20)));
  for (const { message } of frames) expect(Buffer.from(message.media?.payload ?? '', 'base64')).toHaveLength(160);
  const tookMs = (frames.at(-1)?.at ?? 0) - (frames[0]?.at ?? 0);
  expect(tookMs).toBeGreaterThan((frames.length - 1) * 20 - TOLERANCE_MS);
  expect(tookMs).toBeLessThan((frames.length - 1) * 20 + STANDS_STILL_MS);
  expect(call.called.at(-1)?.message.event).toBe('stop');

  const latencyErrors: number[] = [];
  const lengthErrors: number[] = [];
  for (const [at, { spoken, content }] of [first, second].entries()) {
    expect(content).toBe('');
    const trueMs = (call.spoke[at] ?? 0) - (call.heardEnds[at] ?? 0);
    // Timers are early by a millisecond or two.
    expect(trueMs).toBeGreaterThan((replies[at]?.delayMs ?? 0) - 5);
    latencyErrors.push(Math.abs((spoken?.latencyMs ?? 0) - trueMs));
    const [heard] = spoken?.heard ?? [];
    lengthErrors.push(Math.abs((heard?.to ?? 0) - (heard?.from ?? 0) - (replies[at]?.soundMs ?? 0)));
    expect(spoken).toMatchObject({ own: null, understood: null, echoes: [] });
  }
  expect(Math.min(...latencyErrors)).toBeLessThan(TOLERANCE_MS);
  expect(Math.min(...lengthErrors)).toBeLessThan(TOLERANCE_MS);
  expect(uttered.map(({ part, span }) => [part, Math.round(span.to - span.from)])).toEqual([
    ['turn', 1_000],
    ['turn', 1_000],
  ]);
  // All that was heard, without a gap.
  let place = sounds[0]?.firstSample ?? 0;
  for (const { firstSample, samples } of sounds) {
    expect(firstSample).toBe(place);
    place += samples.length;
  }
  expect(session.metadata()).toMatchObject({ protocol: 'voice', stream_sid: call.streamSid });
  expect(HEARS_END_AFTER_MS).toBeLessThan(700);
});

test('what is cleared is never heard, and marks are answered when what was sent before them was heard', async () => {
  const bot = await calls.startBot({
    onStart: (call) => {
      call.say(tone(500));
      call.mark('heard');
      call.say(tone(10_000));
      call.mark('cleared');
      setTimeout(() => call.clear(), 1_500);
    },
  });
  const { session, sounds } = await calls.call({ url: bot.url });
  const { call } = bot;
  await eventually(() =>
    expect(call.of('mark').map(({ message }) => message.mark?.name)).toEqual(['heard', 'cleared']),
  );
  const [heard, cleared] = call.of('mark').map(({ at }) => at - (call.spoke[0] ?? 0));
  expect(heard).toBeGreaterThanOrEqual(500);
  expect(heard).toBeLessThan(500 + STANDS_STILL_MS);
  expect(cleared).toBeGreaterThanOrEqual(1_490);
  expect(cleared).toBeLessThan(9_000);
  await session.close();
  const loud = sounds.flatMap(({ samples }) => [...samples]).filter((sample) => Math.abs(sample) > 500).length;
  // Of 10.5 s that were sent.
  expect(loud / 16).toBeLessThan(1_500 + STANDS_STILL_MS);
});

test('a greeting is heard before the patient speaks', async () => {
  const bot = await calls.startBot({ greetingMs: 600, replies: [{ delayMs: 400, soundMs: 400 }] });
  const { session, sounds } = await calls.call({ url: bot.url });
  const { spoken } = await session.send('Hello.', never);
  await session.close();
  expect(spoken?.said.from).toBeGreaterThan(600 + 1_100);
  expect(sounds.length).toBeGreaterThan(0);
});

test('tells who has the floor whenever that changes, and for how long already', async () => {
  const bot = await calls.startBot({
    greetingMs: 600,
    replies: [
      { delayMs: 400, soundMs: 600 },
      { delayMs: 400, soundMs: 600 },
    ],
  });
  const { session, floors } = await calls.call({ url: bot.url });
  const greeted = floors.length;
  await session.send('Hello.', never);
  const after = floors.length;
  await session.send('My chest hurts.', never);
  await session.close();
  const told = floors.map(({ holder, isSpeaking }) => `${holder} ${isSpeaking ? 'speaks' : 'is silent'}`);
  expect(told.slice(0, greeted)).toEqual(['patient is silent', 'agent speaks', 'patient is silent']);
  const turn = ['patient speaks', 'agent is silent', 'agent speaks', 'agent is silent', 'patient is silent'];
  expect(told.slice(greeted, after)).toEqual(turn);
  expect(told.slice(after)).toEqual(turn);
  for (const { forMs } of floors) {
    expect(forMs).toBeGreaterThanOrEqual(0);
    expect(forMs).toBeLessThan(STANDS_STILL_MS);
  }
  // The end of a voice is known once it has been silent for a pause.
  expect(floors[2]?.forMs).toBeGreaterThan(50);
});

test('an interruption is said into the answer', async () => {
  const bot = await calls.startBot({
    replies: [
      { delayMs: 400, soundMs: 3_000 },
      { delayMs: 400, soundMs: 500 },
    ],
  });
  const interjection = {
    kind: 'interruption' as const,
    afterMs: 800,
    samples: new Int16Array(48_000 * 0.6).map((_, at) => 9_000 * Math.sin(at * 0.03)),
  };
  const { session, uttered } = await calls.call({ url: bot.url }, { interjection });
  const { spoken } = await session.send('Tell me.', never);
  await session.close();
  const { from = 0, to = 0, kind } = spoken?.interjection ?? {};
  expect(kind).toBe('interruption');
  expect(to - from).toBeCloseTo(600, 0);
  // On a machine that stands still, sound is late, and the turn says so.
  const leastMs = spoken?.interjection?.isReliable === true ? 770 : 500;
  expect(from - (spoken?.heard[0]?.from ?? 0)).toBeGreaterThanOrEqual(leastMs);
  expect(uttered.map(({ part }) => part)).toEqual(['turn', 'interjection']);
});

test('a canceled turn ends at once, and the line goes on', async () => {
  const bot = await calls.startBot({ replies: [{ delayMs: 400, soundMs: 500 }] });
  const { session } = await calls.call({ url: bot.url }, { utterMs: 6_000 });
  const ending = new AbortController();
  const sending = session.send('A long complaint.', ending.signal);
  setTimeout(() => ending.abort(), 300);
  await expect(sending).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
  const { call } = bot;
  await eventually(() => expect(call.heardEnds.length).toBe(1));
  expect((call.heardEnds[0] ?? 0) - (call.called[0]?.at ?? 0)).toBeLessThan(3_000);
  await session.close();
  await eventually(() => expect(call.isClosed).toBe(true));
});

test('tells of keys as Twilio does, each when its tone has been heard, and times the answer from the last one', async () => {
  const bot = await calls.startBot({ replies: [{ delayMs: 700, soundMs: 900 }] });
  const { sound, keys } = keypadTones('15#', 48_000);
  const utters = { samples: sound.samples, keys: keys.map(({ key, to }) => ({ key, afterMs: to / 48 })) };
  const { session, uttered } = await calls.call({ url: bot.url }, { utters });
  const { spoken } = await session.send('[presses 15#]', never);
  const { call } = bot;
  await session.close();

  const told = call.called.flatMap(({ message }, at) => (message.event === 'dtmf' ? [{ message, at }] : []));
  expect(told.map(({ message }) => message)).toEqual(
    ['1', '5', '#'].map((digit) => ({
      event: 'dtmf',
      streamSid: call.streamSid,
      sequenceNumber: expect.stringMatching(/^\d+$/),
      dtmf: { track: 'inbound_track', digit },
    })),
  );
  // Every message has the next number.
  const numbers = call.called.flatMap(({ message }) => message.sequenceNumber ?? []);
  expect(numbers).toEqual(numbers.map((_, at) => String(at + 1)));
  // By the tones in the frames, up to the message and without the frame that came before it.
  const heardIn = (until: number): string => {
    const frames = call.called.slice(0, until).filter(({ message }) => message.event === 'media');
    const codes = Buffer.concat(frames.map(({ message }) => Buffer.from(message.media?.payload ?? '', 'base64')));
    return keysHeardIn({ samples: decodeMuLaw(codes), rate: 8_000 });
  };
  expect(told.map(({ at }) => heardIn(at))).toEqual(['1', '15', '15#']);
  expect(told.map(({ at }) => heardIn(at - 4))).toEqual(['', '1', '15']);

  const [said] = uttered;
  expect((said?.span.to ?? 0) - (said?.span.from ?? 0)).toBeCloseTo(sound.samples.length / 48, 3);
  const trueMs = (call.spoke[0] ?? 0) - (call.heardEnds[0] ?? 0);
  // A machine that stands still says of the turn that its times are unreliable.
  expect(Math.abs((spoken?.latencyMs ?? 0) - trueMs)).toBeLessThan(spoken?.isReliable === true ? TOLERANCE_MS : 500);
});

test('a patient that is canceled presses no more keys', async () => {
  const bot = await calls.startBot({ replies: [{ delayMs: 700, soundMs: 900 }] });
  const { sound, keys } = keypadTones('1wwwwwwwwww2', 48_000);
  const utters = { samples: sound.samples, keys: keys.map(({ key, to }) => ({ key, afterMs: to / 48 })) };
  const { session } = await calls.call({ url: bot.url }, { utters });
  const canceling = new AbortController();
  const sent = session.send('[presses 1 2]', canceling.signal);
  await eventually(() => expect(bot.call.pressed).toBe('1'));
  canceling.abort();
  await expect(sent).rejects.toThrow();
  await session.close();
  await eventually(() => expect(bot.call.isClosed).toBe(true));
  expect(bot.call.pressed).toBe('1');
});
