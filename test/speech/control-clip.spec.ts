import type { Sound } from '../../src/engine/audio';
import { controlClip } from '../../src/engine/speech/control-clip';
import { Ear } from '../../src/engine/speech/ear';
import { EspeakVoice } from '../../src/engine/speech/espeak.voice';
import { PatientVoice } from '../../src/engine/speech/patient-voice';
import { controlTextOf } from '../../src/engine/speech/phrases';
import { Transcriber } from '../../src/engine/speech/transcriber';
import { Voice } from '../../src/engine/speech/voice';
import { speechSound } from '../fakes/speech-server';
import { describeWithProgram } from '../setup/describe-with-program';
import { tone } from '../engine/audio/constructed-sound';

const never = new AbortController().signal;
const RATE = 24_000;

class FixedVoice extends Voice {
  readonly identity = { engine: 'test', version: '1', voice: 'v', rate: 1 };

  constructor(private readonly sound: Sound) {
    super();
  }

  synthesize(): Promise<Sound> {
    return Promise.resolve(this.sound);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class FixedTranscriber extends Transcriber {
  readonly identity = { engine: 'ear.example', model: 'whisper-1' };

  constructor(private readonly text: string) {
    super();
  }

  transcribe(): Promise<string> {
    return Promise.resolve(this.text);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const speech = (): Sound => ({ samples: speechSound(RATE), rate: RATE });
const loud = ({ samples, rate }: Sound): Sound => ({
  samples: samples.map((sample) => Math.max(-32_768, Math.min(32_767, sample * 60))),
  rate,
});

const clip = (sound: Sound, heard: string | null = null, language = 'en') =>
  controlClip(
    {
      voice: new PatientVoice(new FixedVoice(sound), { language }),
      line: 'phone',
      ear: heard === null ? null : new Ear(new FixedTranscriber(heard), language),
      seed: 1,
      language,
    },
    never,
  );

it('measures the sentence as it leaves the line, and what was heard of it', async () => {
  const good = await clip(speech(), 'Hello, my chest has been hurting for 2 hours and the pain is 7/10');
  expect(good.heard).toMatchObject({ wordErrorRate: 0 });
  expect(good.voicedMs).toBeGreaterThan(good.durationMs / 2);
  expect(good.clippedShare).toBe(0);
  expect((await clip(speech())).heard).toBeNull();
});

it.each([
  ['de-DE', 'Hallo, meine Brust tut seit 2 Stunden weh und der Schmerz ist 7 von 10.'],
  ['pt-BR', 'Olá, o meu peito dói há duas horas e a dor é de sete em dez.'],
  ['sv', 'Hej, jag har haft ont i bröstet i två timmar och smärtan är 7 av 10.'],
  ['fi-FI', 'Hei, rintaani on sattunut kaksi tuntia ja kipu on 7 kymmenestä.'],
  ['cs', 'Dobrý den, už dvě hodiny mě bolí na hrudi a bolest je 7 z 10.'],
  ['tr', 'Merhaba, iki saattir göğsüm ağrıyor ve ağrım on üzerinden 7.'],
])('in %s it is said and heard in that language', async (language, heard) => {
  const good = await clip(speech(), heard, language);
  expect(good.sentence).toBe(controlTextOf(language).sentence);
  expect(good.sentence).not.toBe(controlTextOf('en').sentence);
  expect(good.heard?.wordErrorRate).toBeLessThan(0.3);
});

it('in another language the patient counts: that it is heard is known, and its words are not compared', async () => {
  for (const heard of ['1, 2, 3, 4, 5, 6, 7, 8, 9, 10', 'unus duo tres quattuor quinque sex septem octo novem decem']) {
    const good = await clip(speech(), heard, 'la');
    expect(good).toMatchObject({
      sentence: '1, 2, 3, 4, 5, 6, 7, 8, 9, 10.',
      heard: { text: heard, wordErrorRate: null },
    });
  }
  await expect(clip(speech(), '', 'la')).rejects.toMatchObject({
    kind: 'control_clip_bad',
    message: expect.stringMatching(/^The control sentence was not heard by whisper-1 at ear\.example/),
  });
});

it.each<[string, Sound, string | null, RegExp]>([
  ['a tone', tone(440, 3_000, RATE), null, /^The control sentence has \d+ ms of speech in \d+ ms after the line phone/],
  ['what a line does not carry', tone(7_000, 3_000, RATE), null, /left the line phone at -\d+ dBFS, too quiet/],
  ['clipped', loud(speech()), null, /is too loud: \d+\.\d % of its samples are clipped/],
  [
    'not heard',
    speech(),
    '',
    /was not heard by whisper-1 at ear\.example, through the line phone: check TRANSCRIPTION_URL/,
  ],
  ['heard as signs', speech(), '♪ … 👍', /was not heard by whisper-1 at ear\.example/],
  [
    'misheard',
    speech(),
    'subtitles by the community',
    /was heard by whisper-1 .* as "subtitles by the community": 100 % of its words are wrong/,
  ],
])('%s is a sentence before anything rings', async (_, sound, heard, message) => {
  await expect(clip(sound, heard)).rejects.toMatchObject({ name: 'SpeechError', kind: 'control_clip_bad', message });
});

describeWithProgram('espeak-ng', 'with espeak-ng', () => {
  it.each(['la', 'fi', 'cs', 'tr', 'ru', 'el', 'hu', 'ro', 'uk', 'nb', 'hi', 'ko', 'vi', 'fa'])(
    'in %s it can be heard over a telephone',
    async (language) => {
      const voice = new PatientVoice(await EspeakVoice.open({ voice: language, rate: 1 }, never), { language });
      const { sentence } = await controlClip({ voice, line: 'phone', ear: null, seed: 1, language }, never);
      expect(sentence).toBe(controlTextOf(language).sentence);
    },
  );

  it.each(['wideband', 'phone', 'mobile_bad'] as const)('%s is fine, and the same with the same seed', async (line) => {
    const clips = [];
    for (const seed of [7, 7, 8]) {
      const voice = new PatientVoice(await EspeakVoice.open({ voice: 'en-us+f3', rate: 1 }, never));
      clips.push(await controlClip({ voice, line, ear: null, seed, language: 'en' }, never));
    }
    const [one, again, other] = clips;
    expect(one?.sentence).toBe(controlTextOf('en').sentence);
    expect(again?.sound).toEqual(one?.sound);
    if (line === 'mobile_bad') expect(other?.sound).not.toEqual(one?.sound);
  });
});
