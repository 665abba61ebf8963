import fc from 'fast-check';
import { silence, type Sound } from '../../../src/engine/audio';
import { joined } from '../../../src/domain/sound/pcm';
import { Ear, ownAccountOf } from '../../../src/engine/speech/ear';
import { OpenAiTranscriber } from '../../../src/engine/speech/openai.transcriber';
import { doubtOf } from '../../../src/engine/speech/plausible-text';
import { Transcriber } from '../../../src/engine/speech/transcriber';
import { sendJson, type HttpStub, type Step } from '../../fakes/http-stub';
import { sendAudio, startSpeechServer } from '../../fakes/speech-server';
import { constructedSpeech } from '../audio/constructed-speech';
import { tone } from '../audio/constructed-sound';

const never = new AbortController().signal;
const RATE = 16_000;

/** Writes what it was asked, and answers from a list. */
class TestTranscriber extends Transcriber {
  readonly identity = { engine: 'test', model: 'm' };
  readonly clips: Sound[] = [];

  constructor(private readonly answers: readonly string[] = ['hello there']) {
    super();
  }

  transcribe(sound: Sound): Promise<string> {
    this.clips.push(sound);
    return Promise.resolve(this.answers[this.clips.length - 1] ?? this.answers.at(-1) ?? '');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const noise = (milliseconds: number): Sound => ({
  samples: silence(milliseconds, RATE).samples.map((_, at) => ((at * 7_919) % 21) - 10),
  rate: RATE,
});
const speech = constructedSpeech(3, RATE, 5);
const one = constructedSpeech(1, RATE, 9).sound;

describe('which stretches are transcribed', () => {
  it('none where nobody speaks', async () => {
    const transcriber = new TestTranscriber(['Thank you for watching.']);
    for (const sound of [silence(5_000, RATE), noise(5_000), tone(440, 3_000, RATE, 3_000)]) {
      expect(await new Ear(transcriber).hear(sound, never)).toEqual({
        segments: [],
        text: '',
        isTranscriptionDoubtful: false,
        voicedMs: 0,
      });
    }
    expect(transcriber.clips).toEqual([]);
  });

  it('each utterance, with a margin, at its place', async () => {
    const apart = joined([one, silence(2_000, RATE), one], RATE);
    const transcriber = new TestTranscriber(['good morning', 'how are you']);
    const { segments, text, voicedMs } = await new Ear(transcriber).hear(apart, never);
    expect(text).toBe('good morning how are you');
    expect(segments).toHaveLength(2);
    const [first, second] = segments;
    expect(second?.fromMs).toBeGreaterThan((first?.toMs ?? 0) + 1_000);
    expect(voicedMs).toBe((first?.voicedMs ?? 0) + (second?.voicedMs ?? 0));
    for (const clip of transcriber.clips) expect(clip.samples.length).toBeLessThan(apart.samples.length / 2);
  });

  it('none longer than a clip may be, and none of the speech is left out', async () => {
    const long = joined(
      Array.from({ length: 30 }, () => speech.sound),
      RATE,
    );
    const transcriber = new TestTranscriber();
    const { voicedMs } = await new Ear(transcriber).hear(long, never);
    for (const { samples } of transcriber.clips) expect(samples.length).toBeLessThanOrEqual(30 * RATE);
    const spoken = speech.utterances.reduce((sum, { from, to }) => sum + to - from, 0);
    expect(voicedMs / ((30 * spoken * 1_000) / RATE)).toBeGreaterThan(0.9);
  });
});

describe('invented words', () => {
  it.each<[string, number, ReturnType<typeof doubtOf>]>([
    ['Please take fifteen milligrams.', 2_000, null],
    ['Yes.', 200, null],
    ['', 0, null],
    ['…', 0, null],
    ['Thank you for watching.', 20, 'silence'],
    ['I would like you to call an ambulance now and to unlock the door.', 600, 'too_fast'],
    ['Call 999.', 900, null],
    ['nine nine nine', 900, null],
    ['No, no, no!', 900, null],
    ['you you you', 900, 'repeated'],
    ['Thank you. Thank you. Thank you.', 2_000, 'repeated'],
    ['I see, take it. I see, take it. I see, take it.', 3_000, 'repeated'],
    ['take it and take it', 2_000, null],
  ])('"%s" in %s ms of voice: %s', (text, voicedMs, doubt) => {
    expect(doubtOf(text, voicedMs)).toBe(doubt);
  });

  it('more voice makes no words doubtful, and repeating a phrase three times always does', () => {
    const phrase = fc.array(fc.constantFrom('take', 'the', 'tablet', 'today'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(phrase, fc.integer({ min: 0, max: 60_000 }), (words, voicedMs) => {
        const text = words.join(' ');
        if (doubtOf(text, voicedMs) === null) expect(doubtOf(text, voicedMs + 1_000)).toBeNull();
        expect(doubtOf([text, text, text].join(' '), 60_000)).toBe('repeated');
      }),
    );
  });

  it('are kept with their doubt and are no words of the agent', async () => {
    const apart = joined([one, silence(2_000, RATE), one], RATE);
    const ear = new Ear(new TestTranscriber(['good morning', 'so so you you you']));
    const heard = await ear.hear(apart, never);
    expect(heard).toMatchObject({ text: 'good morning', isTranscriptionDoubtful: true });
    expect(heard.segments[1]).toMatchObject({ text: 'so so you you you', doubt: 'repeated' });
  });

  it.each(['…', '♪♪♪', '👍', '. . .', '--- ***'])('%j holds no word and is no words of the agent', async (answer) => {
    expect(await new Ear(new TestTranscriber([answer])).hear(one, never)).toMatchObject({
      text: '',
      segments: [{ text: '' }],
    });
  });

  it('tags and signs around a word are too much for its time', async () => {
    const ear = new Ear(new TestTranscriber([`${'<b></b>'.repeat(400)}Yes. ${'*'.repeat(900)}`]));
    const heard = await ear.hear(one, never);
    expect(heard).toMatchObject({ text: '', isTranscriptionDoubtful: true, segments: [{ doubt: 'too_fast' }] });
  });
});

describe("the agent's own account", () => {
  it('is inaudible where there is no sound for it, or far too little', () => {
    expect(ownAccountOf('Call an ambulance now.', silence(3_000, RATE)).outcome).toBe('inaudible');
    expect(ownAccountOf('Call an ambulance now. '.repeat(20), one).outcome).toBe('inaudible');
    expect(ownAccountOf('Call.', one).outcome).toBe('audible');
    expect(ownAccountOf('', one)).toMatchObject({ outcome: 'nothing_said', text: '' });
  });

  it('says how much voice there was, and how fast that would be', () => {
    const account = ownAccountOf('Take 15 mg.', one);
    expect(account.charactersASecond).toBeCloseTo('Take fifteen milligrams.'.length / (account.voicedMs / 1_000));
    expect(ownAccountOf('Hello', silence(100, RATE)).charactersASecond).toBeNull();
  });
});

describe('a transcription server', () => {
  let server: HttpStub;
  const ears: OpenAiTranscriber[] = [];
  beforeAll(async () => {
    server = await startSpeechServer(() => ' Take fifteen milligrams. ');
  });
  afterEach(async () => {
    await Promise.all(ears.splice(0).map((ear) => ear.close()));
  });
  afterAll(() => server.close());

  function transcriberOf(limits = {}): OpenAiTranscriber {
    const variables = { url: 'TRANSCRIPTION_URL', model: 'TRANSCRIPTION_MODEL', key: 'TRANSCRIPTION_API_KEY' };
    const named = { baseUrl: `${server.origin}/v1`, model: 'whisper-1', apiKey: 'sk-of-the-ear', variables };
    const ear = new OpenAiTranscriber(named, { limits });
    ears.push(ear);
    return ear;
  }
  const hear = (limits = {}) => transcriberOf(limits).transcribe(one, 'en-GB', never);

  it('is sent WAV of 16 kHz in a form, and its words are taken', async () => {
    expect(await hear()).toBe('Take fifteen milligrams.');
    const { headers, body, path } = server.requests.at(-1) ?? {};
    expect(path).toBe('/v1/audio/transcriptions');
    expect(headers).toMatchObject({ authorization: 'Bearer sk-of-the-ear' });
    expect(headers?.['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(Number(headers?.['content-length'])).toBeGreaterThan(one.samples.length * 2);
    for (const [name, value] of [
      ['model', 'whisper-1'],
      ['language', 'en'],
      ['response_format', 'json'],
      ['temperature', '0'],
    ]) {
      expect(body).toMatch(new RegExp(`name="${name}"\\r\\n\\r\\n${value}\\r\\n`));
    }
    expect(body).toMatch(/filename="speech.wav"\r\nContent-Type: audio\/wav\r\n\r\nRIFF/i);
  });

  const host = () => server.origin.replace('http://', '');
  const text = (content: string, type: string): Step => {
    return (response) => sendAudio(response, Buffer.from(content), type);
  };

  it.each<[string, Step]>([
    ['text', text('Take fifteen milligrams.', 'text/plain')],
    ['a web page', text('<!doctype html>', 'text/html')],
    ['subtitles', text('WEBVTT\n\n00:00', 'text/vtt')],
    ['nothing', text('', 'text/plain')],
    ['JSON without a "text" that is a string', (response) => sendJson(response, 200, { text: null })],
    ['JSON without a "text" that is a string', (response) => sendJson(response, 200, ['hello'])],
  ])('that answers with %s is a sentence', async (what, step) => {
    server.next(step);
    await expect(hear()).rejects.toMatchObject({
      kind: 'answer_unusable',
      message: `The transcription server ${host()} was asked for a transcription as JSON and answered with ${what}; check TRANSCRIPTION_URL and TRANSCRIPTION_MODEL.`,
    });
  });

  it('that answers with broken JSON, or far too much, is a sentence', async () => {
    server.next(text('{"text": "Take', 'application/json'));
    await expect(hear()).rejects.toMatchObject({
      kind: 'answer_unusable',
      message: `The transcription server ${host()} answered with something that cannot be read; check TRANSCRIPTION_URL.`,
    });
    server.next((response) => sendJson(response, 200, { text: 'word '.repeat(300_000) }));
    await expect(hear()).rejects.toMatchObject({ kind: 'answer_unusable', message: /more than 1 MB/ });
  });

  it.each(['word '.repeat(100_000), '…'.repeat(300_000), '<br>'.repeat(200_000)])(
    'that answers with more than can be said in a clip is a sentence',
    async (answer) => {
      server.next((response) => sendJson(response, 200, { text: answer }));
      await expect(hear()).rejects.toMatchObject({
        kind: 'answer_unusable',
        message: `The transcription server ${host()} answered with ${answer.length} characters for a clip of 30 s at most, which nobody can say in that time; check TRANSCRIPTION_URL and TRANSCRIPTION_MODEL.`,
      });
    },
  );

  it('that refuses the key, is busy or is silent is a sentence', async () => {
    server.next((response) => sendJson(response, 401, { error: { message: 'no' } }));
    await expect(hear()).rejects.toMatchObject({ kind: 'key_refused', message: /check TRANSCRIPTION_API_KEY\.$/ });
    server.next((response) => sendJson(response, 503, {}, { 'retry-after-ms': '1' }));
    expect(await hear()).toBe('Take fifteen milligrams.');
    server.next(() => undefined);
    await expect(hear({ attemptMs: 200 })).rejects.toMatchObject({ kind: 'timed_out', message: /within 0.2 s/ });
  });
});
