import { resampled } from '../../../src/engine/audio';
import type { Sound } from '../../../src/domain/sound/pcm';
import { EspeakVoice } from '../../../src/engine/speech/espeak.voice';
import { PatientVoice } from '../../../src/engine/speech/patient-voice';
import { Voice, type VoiceIdentity } from '../../../src/engine/speech/voice';
import { describeWithProgram } from '../../setup/describe-with-program';
import { amplitudeAt, decibels, tone } from '../audio/constructed-sound';

const never = new AbortController().signal;

/** Gives each sentence a sound that the test chose, and keeps what it was asked. */
class TestVoice extends Voice {
  readonly asked: string[] = [];
  mostAtATime = 0;
  private now = 0;

  constructor(
    private readonly soundOf: (sentence: string) => Sound,
    readonly identity: VoiceIdentity = { engine: 'test', version: '1', voice: 'v', rate: 1 },
  ) {
    super();
  }

  async synthesize(sentence: string): Promise<Sound> {
    this.asked.push(sentence);
    this.now += 1;
    this.mostAtATime = Math.max(this.mostAtATime, this.now);
    await new Promise((resolve) => setImmediate(resolve));
    this.now -= 1;
    return this.soundOf(sentence);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Silence, a tone, silence. */
function padded({ samples, rate }: Sound): Sound {
  const whole = new Int16Array(samples.length + rate);
  whole.set(samples, rate / 2);
  return { samples: whole, rate };
}

it('speaks words, without the silence around them', async () => {
  const voice = new TestVoice(() => padded(tone(400, 600, 24_000)));
  const { words, sound } = await new PatientVoice(voice).say('**50 mg** b.i.d.', never);
  expect(voice.asked).toEqual(['fifty milligrams twice a day']);
  expect(words).toBe('fifty milligrams twice a day');
  expect(sound.rate).toBe(48_000);
  expect(Math.abs(sound.samples.length - 0.6 * 48_000)).toBeLessThan(100);
});

it('leaves numbers of other languages to the engine', async () => {
  const voice = new TestVoice(() => tone(400, 600, 24_000));
  await new PatientVoice(voice, { language: 'de' }).say('50 mg am Tag', never);
  expect(voice.asked).toEqual(['50 mg am Tag']);
});

it.each([16_000, 22_050, 24_000])('from %s Hz it keeps the tone and adds no image of it', async (rate) => {
  const frequency = 5_000;
  const { sound } = await new PatientVoice(new TestVoice(() => tone(frequency, 500, rate))).say('Ah.', never);
  const [from, to] = [4_800, 19_200];
  expect(Math.abs(decibels(amplitudeAt(sound, frequency, from, to) / 10_000))).toBeLessThan(0.1);
  for (const image of [rate - frequency, rate + frequency].filter((hertz) => hertz < 24_000)) {
    expect(decibels(amplitudeAt(sound, image, from, to) / 10_000)).toBeLessThan(-70);
  }
});

it('makes a sentence once, and again once it is forgotten', async () => {
  const voice = new TestVoice(() => tone(400, 1_000, 48_000));
  const patient = new PatientVoice(voice, { cachedSeconds: 2.5 });
  const first = await patient.say('One.', never);
  expect((await patient.say('One.', never)).sound).toBe(first.sound);
  for (const sentence of ['Two.', 'Three.', 'One.']) await patient.say(sentence, never);
  expect(voice.asked).toEqual(['One.', 'Two.', 'Three.', 'One.']);
});

it('says nothing for a sentence without a letter, and asks nobody', async () => {
  const voice = new TestVoice(() => tone(400, 1_000, 48_000));
  for (const sentence of ['…', '', ' 🙂 ', '?!']) {
    expect((await new PatientVoice(voice).say(sentence, never)).sound.samples).toHaveLength(0);
  }
  expect(voice.asked).toEqual([]);
});

it.each<[string, () => Sound, RegExp]>([
  [
    'silence',
    () => ({ samples: new Int16Array(24_000), rate: 24_000 }),
    /^The voice of test answered with silence for a sentence: check SPEECH_VOICE/,
  ],
  ['ten minutes', () => tone(400, 600_000, 8_000), /^The voice of test spoke 600 s for a sentence of 13 characters/],
  ['a whisper', () => tone(400, 600, 24_000, 20), /is too quiet to be heard on a line/],
  ['an odd rate', () => tone(400, 600, 23_999), /cannot be used: Sound of 23999 Hz cannot be converted to 48000 Hz/],
])('%s is a sentence of its own', async (_, soundOf, message) => {
  const saying = new PatientVoice(new TestVoice(soundOf)).say('I feel dizzy.', never);
  await expect(saying).rejects.toMatchObject({ kind: 'answer_unusable', message });
});

it('refuses a sentence that is none', async () => {
  const saying = new PatientVoice(new TestVoice(() => tone(400, 600, 24_000))).say('word '.repeat(1_000), never);
  await expect(saying).rejects.toMatchObject({
    kind: 'request_refused',
    message: /4999 characters in words; at most 2000/,
  });
});

it('asks for four at a time, and a caller who leaves the line is told so', async () => {
  const voice = new TestVoice(() => tone(400, 600, 24_000));
  const patient = new PatientVoice(voice);
  const leaving = new AbortController();
  const all = Array.from({ length: 12 }, (_, at) => patient.say(`Number ${at}.`, never));
  const left = patient.say('Left.', leaving.signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ kind: 'canceled' });
  await Promise.all(all);
  expect(voice.mostAtATime).toBe(4);
});

describeWithProgram('espeak-ng', 'with espeak-ng', () => {
  it('the same sentence has the same samples, made anew', async () => {
    const sounds = [];
    for (let time = 0; time < 2; time += 1) {
      const patient = new PatientVoice(await EspeakVoice.open({ voice: 'en-us+f3', rate: 1 }, never));
      sounds.push((await patient.say('I take 15 mg of mirtazapine at night.', never)).sound);
    }
    expect(sounds[1]).toEqual(sounds[0]);
    expect(sounds[0]).toEqual(resampled(sounds[0] ?? tone(1, 1, 8_000), 48_000));
  });
});
