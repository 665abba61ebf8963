import type { Sound } from '../../../src/engine/audio';
import { controlClip } from '../../../src/engine/speech/control-clip';
import { Ear } from '../../../src/engine/speech/ear';
import { EspeakVoice } from '../../../src/engine/speech/espeak.voice';
import { PatientVoice } from '../../../src/engine/speech/patient-voice';
import { controlSentenceOf } from '../../../src/engine/speech/phrases';
import { Transcriber } from '../../../src/engine/speech/transcriber';
import { Voice } from '../../../src/engine/speech/voice';
import { speechSound } from '../../fakes/speech-server';
import { describeWithProgram } from '../../setup/describe-with-program';
import { tone } from '../audio/constructed-sound';

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
])('in %s it is said and heard in that language', async (language, heard) => {
  const good = await clip(speech(), heard, language);
  expect(good.sentence).toBe(controlSentenceOf(language));
  expect(good.sentence).not.toBe(controlSentenceOf('en'));
  expect(good.heard?.wordErrorRate).toBeLessThan(0.3);
});

it('a language without one is refused with a sentence that names the others', async () => {
  await expect(clip(speech(), null, 'la')).rejects.toMatchObject({
    kind: 'control_clip_bad',
    message: expect.stringMatching(
      /^There is no control sentence in la, .*: examine in text, or in one of en, .*sv\.$/,
    ),
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
  it.each(['wideband', 'phone', 'mobile_bad'] as const)('%s is fine, and the same with the same seed', async (line) => {
    const clips = [];
    for (const seed of [7, 7, 8]) {
      const voice = new PatientVoice(await EspeakVoice.open({ voice: 'en-us+f3', rate: 1 }, never));
      clips.push(await controlClip({ voice, line, ear: null, seed, language: 'en' }, never));
    }
    const [one, again, other] = clips;
    expect(one?.sentence).toBe(controlSentenceOf('en'));
    expect(again?.sound).toEqual(one?.sound);
    if (line === 'mobile_bad') expect(other?.sound).not.toEqual(one?.sound);
  });
});
