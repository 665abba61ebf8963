import { OpenAiVoice, type ServerVoiceOptions } from '../../../src/engine/speech/openai.voice';
import { sendJson, type HttpStub, type Step } from '../../fakes/http-stub';
import { sendAudio, speechSound, startSpeechServer, wavOf } from '../../fakes/speech-server';

const never = new AbortController().signal;
const KEY = 'sk-of-the-speech-server';

let server: HttpStub;
const voices: OpenAiVoice[] = [];
beforeAll(async () => {
  server = await startSpeechServer();
});
afterEach(async () => {
  await Promise.all(voices.splice(0).map((voice) => voice.close()));
});
afterAll(() => server.close());

function voiceOf({ key = KEY, ...options }: Partial<ServerVoiceOptions> & { key?: string | null } = {}): OpenAiVoice {
  const variables = { url: 'SPEECH_URL', model: 'SPEECH_MODEL', key: 'SPEECH_API_KEY' };
  const named = { baseUrl: `${server.origin}/v1`, model: 'kokoro', apiKey: key, variables };
  const voice = new OpenAiVoice(named, { voice: 'nova', rate: 1, ...options });
  voices.push(voice);
  return voice;
}
const say = (options: Partial<ServerVoiceOptions> = {}) => voiceOf(options).synthesize('I feel dizzy.', never);
const bytes = (content: Uint8Array | string, type = 'audio/wav'): Step => {
  return (response) => sendAudio(response, Buffer.from(content), type);
};
const refusal = (status: number, message: string, headers = {}): Step => {
  return (response) => sendJson(response, status, { error: { message } }, headers);
};

it('asks for WAV as the settings say, and gives the samples back at their own rate', async () => {
  const voice = voiceOf({ rate: 1.25 });
  const sound = await voice.synthesize('I feel dizzy.', never);
  expect(sound).toEqual({ samples: speechSound(), rate: 24_000 });
  expect(server.requests.at(-1)).toMatchObject({
    method: 'POST',
    path: '/v1/audio/speech',
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: 'kokoro', voice: 'nova', input: 'I feel dizzy.', response_format: 'wav', speed: 1.25 },
  });
  expect(voice.identity).toMatchObject({ version: 'kokoro', voice: 'nova', rate: 1.25 });
});

it('sends no key where there is none, and no rate where it is the usual one', async () => {
  await voiceOf({ key: null }).synthesize('I feel dizzy.', never);
  const { headers, body } = server.requests.at(-1) ?? {};
  expect(headers?.authorization).toBeUndefined();
  expect(body).not.toHaveProperty('speed');
});

it('mixes two channels', async () => {
  server.next(bytes(wavOf(speechSound(16_000), 16_000, 2)));
  expect(await say()).toEqual({ samples: speechSound(16_000), rate: 16_000 });
});

it('asks for bare samples where WAV is refused, and goes on asking for them', async () => {
  const samples = speechSound();
  const pcm = Buffer.from(samples.buffer);
  const voice = voiceOf();
  server.next(refusal(400, "'wav' is not supported"), bytes(pcm, 'audio/pcm'), bytes(pcm, 'application/octet-stream'));
  expect(await voice.synthesize('One.', never)).toEqual({ samples, rate: 24_000 });
  expect(await voice.synthesize('Two.', never)).toEqual({ samples, rate: 24_000 });
  expect(server.requests.slice(-3).map(({ body }) => body)).toMatchObject([
    { response_format: 'wav' },
    { response_format: 'pcm' },
    { response_format: 'pcm' },
  ]);
});

it('reads the rate and the order of bytes that a type names', async () => {
  const samples = speechSound(16_000);
  server.next(
    refusal(422, 'no'),
    bytes(Buffer.from(samples.slice().buffer).swap16(), 'audio/L16; rate=16000; channels=1'),
  );
  expect(await say()).toEqual({ samples, rate: 16_000 });
});

const host = () => server.origin.replace('http://', '');
const asked = 'was asked for WAV: ';

it.each<[string, Step, string]>([
  [
    'text',
    bytes('I am sorry, I cannot do that.', 'text/plain'),
    'The audio is no WAV file: 29 bytes that look like text.',
  ],
  [
    'JSON',
    bytes('{"error":"no voice"}', 'application/json'),
    'The audio is no WAV file: 20 bytes that look like JSON.',
  ],
  [
    'a page',
    bytes('<!doctype html><p>Log in</p>', 'text/html'),
    'The audio is no WAV file: 28 bytes that look like a web page.',
  ],
  [
    'MP3',
    bytes(Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x00', 'latin1')),
    'The audio is no WAV file: 10 bytes that look like an MP3 file.',
  ],
  ['nothing', bytes(''), 'The audio is empty: 0 bytes.'],
  ['half a WAV', bytes(wavOf(speechSound()).subarray(0, 3_000)), 'The WAV file is cut off: 2956 of'],
  ['no samples', bytes(wavOf(new Int16Array())), 'The WAV file holds no samples.'],
  ['a rate that is none', bytes(wavOf(speechSound(), 1_000)), 'A rate of 1000 Hz is not usable'],
  [
    'ten minutes',
    bytes(wavOf(new Int16Array(8_000 * 600), 8_000)),
    'The WAV file lasts 600 s; at most 120 s are read.',
  ],
])('%s is a sentence of its own', async (_, step, why) => {
  server.next(step);
  const error = await say().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'SpeechError', kind: 'answer_unusable' });
  const { message } = Object(error);
  expect(message).toContain(`The speech server ${host()} ${asked}${why}`);
  expect(message).toMatch(/ Check SPEECH_URL and SPEECH_MODEL\.$/);
});

it('ten minutes of fine sound are not even read', async () => {
  server.next(bytes(wavOf(new Int16Array(48_000 * 600), 48_000)));
  await expect(say()).rejects.toMatchObject({
    kind: 'answer_unusable',
    message: `The speech server ${host()} answered with more than 23 MB, which is not read.`,
  });
});

it.each<[number, string, string, RegExp]>([
  [401, 'No key', 'key_refused', /refused the key \(401\); check SPEECH_API_KEY\.$/],
  [
    404,
    'The model `kokoro` does not exist.',
    'model_unknown',
    /\(404\): The model `kokoro` does not exist; check SPEECH_URL and SPEECH_MODEL\.$/,
  ],
  [
    413,
    `The key ${KEY} is too poor.`,
    'request_refused',
    /refused the request \(413\): The key … is too poor; check SPEECH_MODEL\.$/,
  ],
])('a refusal with %s says what to check, without the key', async (status, message, kind, sentence) => {
  server.next(refusal(status, message));
  await expect(say()).rejects.toMatchObject({ kind, message: sentence });
});

it('tries again what may pass, as long as the server asks, and no more than a few times', async () => {
  const soon = { 'retry-after-ms': '1' };
  server.next(refusal(503, 'busy', soon), refusal(429, 'slowly', soon));
  await say();
  const before = server.requests.length;
  server.next(...Array.from({ length: 4 }, () => refusal(500, 'broken', soon)));
  await expect(say()).rejects.toMatchObject({ kind: 'overloaded', message: /\(500\): broken\.$/ });
  expect(server.requests.length - before).toBe(4);
});

it('ends with the time limit where nothing comes, or never the end', async () => {
  const limits = { attemptMs: 300, overallMs: 2_000 };
  server.next(() => undefined);
  await expect(say({ limits })).rejects.toMatchObject({
    kind: 'timed_out',
    message: `The speech server ${host()} gave no whole answer within 0.3 s: see that it runs, and check SPEECH_URL.`,
  });
  let dripping: NodeJS.Timeout | undefined;
  server.next((response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' });
    response.write(wavOf(speechSound()));
    dripping = setInterval(() => response.write(Buffer.alloc(100)), 20);
    response.once('close', () => clearInterval(dripping));
  });
  await expect(say({ limits })).rejects.toMatchObject({ kind: 'timed_out' });
  clearInterval(dripping);
});

it('closes the connection when the caller leaves, and when it is closed', async () => {
  for (const leave of ['caller', 'close'] as const) {
    const leaving = new AbortController();
    const voice = voiceOf();
    server.next(() => undefined);
    const said = voice.synthesize('Hello.', leaving.signal);
    const outcome = expect(said).rejects.toMatchObject({ kind: 'canceled' });
    await server.until(() => server.inFlight === 1);
    if (leave === 'caller') leaving.abort();
    else await voice.close();
    await outcome;
    await server.until(() => server.inFlight === 0);
  }
});

it('says where nobody answers', async () => {
  const variables = { url: 'SPEECH_URL', model: 'SPEECH_MODEL', key: 'SPEECH_API_KEY' };
  const nowhere = { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', apiKey: null, variables };
  const voice = new OpenAiVoice(nowhere, { voice: 'v', rate: 1 });
  voices.push(voice);
  await expect(voice.synthesize('Hello.', never)).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'The speech server 127.0.0.1:9 cannot be reached; check the network and SPEECH_URL.',
  });
});
