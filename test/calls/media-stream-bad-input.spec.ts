import { tone, type BotScript } from '../fakes/media-stream-bot';
import { encodeMuLaw } from '../../src/domain/sound';
import { eventually } from '../setup/eventually';
import { MediaStreamCalls } from '../setup/media-stream-calls';

/** What a server may do that no server for media streams should: each ends in a reply or in a sentence, never in a patient who waits for ever. */
const never = new AbortController().signal;
const calls = new MediaStreamCalls();
afterEach(() => calls.closeBots());
afterAll(() => calls.close());

/** The bot does this when the stream has started, and answers nothing else. @returns what the first turn ends in */
async function outcomeOf(
  script: Partial<BotScript>,
  config: object = {},
): Promise<{ readonly error: unknown; readonly facts: object }> {
  const bot = await calls.startBot(script);
  let facts: object = {};
  try {
    const { session } = await calls.call({ url: bot.url, turn_timeout_ms: 1_500, ...config });
    try {
      await session.send('Hello?', never);
      return { error: null, facts };
    } finally {
      await session.close();
      facts = session.metadata();
    }
  } catch (error) {
    return { error, facts };
  }
}

const ignoredOf = (facts: object): unknown => new Map(Object.entries(facts)).get('ignored_messages');
const mediaOf = (streamSid: string | undefined, payload: string) => ({ event: 'media', streamSid, media: { payload } });
const sound = Buffer.from(encodeMuLaw(tone(400))).toString('base64');

test.each<[string, Partial<BotScript>, RegExp, object | undefined]>([
  ['never speaks', {}, /^Nothing was heard .* It sent no media message\./, undefined],
  [
    'sends media before start',
    { onOpen: (call) => call.send(mediaOf(undefined, sound)) },
    /1 of its messages had no streamSid or another one/,
    { another_stream: 1 },
  ],
  [
    'names another stream',
    { onStart: (call) => call.send(mediaOf(`MZ${'0'.repeat(32)}`, sound)) },
    /1 of its messages had no streamSid or another one/,
    { another_stream: 1 },
  ],
  [
    'sends what is not base64',
    { onStart: (call) => call.send(mediaOf(call.streamSid, '***')) },
    /1 of its messages held a payload that is not base64/,
    { not_base64: 1 },
  ],
  [
    'sends binary frames',
    { onStart: (call) => call.write(2, Buffer.from(encodeMuLaw(tone(400)))) },
    /1 of its messages were binary/,
    { binary: 1 },
  ],
  [
    'sends marks without names',
    {
      onStart: (call) => {
        call.send({ event: 'mark', streamSid: call.streamSid });
        call.send({ event: 'mark', streamSid: call.streamSid, mark: { name: '' } });
        call.send({ event: 'mark', streamSid: call.streamSid, mark: { name: 7 } });
      },
    },
    /3 of its messages were marks without a name/,
    { no_name: 3 },
  ],
  [
    'sends what is no message',
    {
      onStart: (call) => {
        call.write(1, Buffer.from('hello'));
        call.write(1, Buffer.from('[]'));
        call.send({ event: 'speak', streamSid: call.streamSid });
        call.send({ event: 'media', streamSid: call.streamSid, media: 7 });
      },
    },
    /held no payload; 2 of its messages were not JSON .*; 1 of its messages were neither media, mark nor clear/,
    { not_json: 2, unknown_event: 1, no_sound: 1 },
  ],
])('a server that %s is told apart from one that answers badly', async (_what, script, sentence, ignored) => {
  const { error, facts } = await outcomeOf(script);
  expect(error).toMatchObject({ code: 'provider_timeout', message: expect.stringMatching(sentence) });
  expect(ignoredOf(facts)).toEqual(ignored);
});

test.each<[string, BotScript['onStart'], RegExp]>([
  [
    'a frame of 10 MB',
    (call) => call.write(1, Buffer.alloc(10 * 1024 * 1024, 'a')),
    /sent a message of more than 1048576 bytes/,
  ],
  ['a masked frame', (call) => call.raw(Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5])), /masked a frame/],
  [
    'a frame of an extension',
    (call) => call.raw(Buffer.from([0xc1, 0x01, 5])),
    /used an extension that was not offered/,
  ],
  ['an unknown frame', (call) => call.raw(Buffer.from([0x83, 0x00])), /sent a frame of an unknown kind/],
  [
    'more sound than an answer can be',
    (call) => {
      for (let minute = 0; minute < 11; minute += 1) call.say(tone(60_000));
    },
    /sent more than ten minutes of sound ahead of its time/,
  ],
  [
    'thousands of marks',
    (call) => {
      call.say(tone(60_000));
      for (let mark = 0; mark < 1_100; mark += 1) call.mark(`mark ${mark}`);
    },
    /sent more than 1,000 marks/,
  ],
])('%s ends the call with a sentence', async (_what, onStart, sentence) => {
  const { error } = await outcomeOf({ onStart });
  expect(error).toMatchObject({ code: 'provider_error', message: expect.stringMatching(sentence) });
});

test('a minute of sound in one message is heard for a minute, or until it is cleared', async () => {
  const bot = await calls.startBot({
    onStart: (call) => {
      call.say(tone(60_000));
      setTimeout(() => call.clear(), 2_000);
    },
    replies: [{ delayMs: 400, soundMs: 500 }],
  });
  const { session, sounds } = await calls.call({ url: bot.url });
  await session.send('Hello.', never);
  await session.close();
  const loud = sounds.flatMap(({ samples }) => [...samples]).filter((sample) => Math.abs(sample) > 500).length;
  expect(loud / 16).toBeLessThan(5_000);
});

test.each<[string, BotScript['onStart'], object, object]>([
  [
    'in order',
    (call) => setTimeout(() => call.close(1_000), 800),
    {},
    {
      code: 'provider_error',
      message: expect.stringMatching(/closed the stream .*\(code 1000\).*closing_ends_conversation/),
    },
  ],
  [
    'with an error',
    (call) => setTimeout(() => call.close(1_011), 800),
    { closing_ends_conversation: true },
    { code: 'provider_error', message: expect.stringMatching(/code 1011/) },
  ],
  [
    'without a word',
    (call) => setTimeout(() => call.drop(), 800),
    {},
    { code: 'connect_failed', message: expect.stringMatching(/was lost in the middle/) },
  ],
])('a server that closes in the middle %s is not examined further', async (_how, onStart, config, expected) => {
  const { error } = await outcomeOf({ onStart }, config);
  expect(error).toMatchObject(expected);
});

test('a server that closes in order has hung up, where its config says so', async () => {
  const bot = await calls.startBot({
    replies: [{ delayMs: 400, soundMs: 500 }],
    onStart: (call) => setTimeout(() => call.close(1_000), 2_500),
  });
  const { session } = await calls.call({ url: bot.url, closing_ends_conversation: true });
  const reply = await session.send('Hello.', never);
  expect(reply).toMatchObject({ endsConversation: true, content: '' });
  expect(reply.spoken?.heard.length).toBeGreaterThan(0);
  await session.close();
});

const answering = (status: string, body: string, type = 'text/plain'): BotScript['refuse'] => {
  return (socket) =>
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
};

test.each<[string, BotScript['refuse'], string, RegExp]>([
  [
    '401',
    answering('401 Unauthorized', 'no such key: a-key-for-the-bot'),
    'auth_failed',
    /refused the credential.*\(HTTP 401\)\. It said: no such key: \[removed\]/,
  ],
  ['404', answering('404 Not Found', 'nothing here'), 'not_found', /does not know this address.*HTTP 404/],
  ['503', answering('503 Service Unavailable', ''), 'provider_error', /HTTP 503/],
  [
    'a page',
    answering('200 OK', '<html><title>Welcome</title></html>', 'text/html'),
    'provider_error',
    /HTTP 200.*Welcome/,
  ],
  ['a redirect', answering('302 Found', ''), 'provider_error', /redirects/],
  [
    'another protocol',
    (socket) =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: x\r\n\r\n',
      ),
    'provider_error',
    /something other than WebSocket/,
  ],
  ['what is not HTTP', (socket) => socket.end('hello\r\n\r\n'), 'provider_error', /not valid HTTP/],
  ['a closed connection', (socket) => socket.destroy(), 'connect_failed', /cannot be reached/],
])('a server that answers the upgrade with %s is named so', async (_what, refuse, code, sentence) => {
  const { error } = await outcomeOf({ refuse }, { headers: { authorization: 'Bearer a-key-for-the-bot' } });
  expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) });
});

test('a server that lets the upgrade wait is given up when the run is canceled', async () => {
  const bot = await calls.startBot({ refuse: () => undefined });
  const ending = new AbortController();
  const calling = calls.call({ url: bot.url }, { signal: ending.signal });
  setTimeout(() => ending.abort(), 200);
  await expect(calling).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
});

test('an address where no agent may live is not rung', async () => {
  await expect(calls.call({ url: 'ws://169.254.169.254/media' })).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(/link-local/),
  });
  await expect(calls.call({ url: 'ws://no-such-host.invalid/media' })).rejects.toMatchObject({
    code: 'connect_failed',
  });
  await expect(calls.call({ url: 'mailto:bot' })).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(/url must be/),
  });
});

test('a call ends on both sides when its session is closed', async () => {
  const bot = await calls.startBot({});
  const { session } = await calls.call({ url: bot.url });
  const { call } = bot;
  await Promise.all([session.close(), session.close()]);
  await eventually(() => expect([call.isClosed, call.called.at(-1)?.message.event]).toEqual([true, 'stop']));
  await expect(session.send('Hello?', never)).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
});
