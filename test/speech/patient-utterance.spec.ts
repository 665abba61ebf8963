import { disturbancesOf, resampled } from '../../src/engine/audio';
import { DISTURBANCES, type Disturbance } from '../../src/domain';
import { dbfsOf, meanSquare } from '../../src/domain/sound/pcm';
import { utteranceOf, type UtteranceRequest } from '../../src/engine/speech/patient-utterance';
import { keysHeardIn } from '../setup/heard-keys';
import { toneVoice } from '../engine/speech/spoken-voice';

const never = new AbortController().signal;
const RATE = 48_000;

const QUIET: Omit<UtteranceRequest, 'message'> = { language: 'en', line: 'wideband', noise: null, sounds: [], seed: 1 };

const utter = (message: string, options: Partial<UtteranceRequest> = {}) =>
  utteranceOf(toneVoice(options.language).voice, { ...QUIET, message, ...options }, never);

/** A seed with which this disturbance happens in a turn of so many sentences. */
function seedWith(kind: Disturbance, sentences: number): number {
  for (let seed = 1; seed < 1_000; seed += 1) {
    const { pause, sound, whileAgentSpeaks } = disturbancesOf(new Set([kind]), sentences, seed);
    if (pause !== null || sound !== null || whileAgentSpeaks !== null) return seed;
  }
  throw new Error(`No seed brings ${kind}.`);
}

const at = (samples: Int16Array, ms: number) => samples.slice((ms * RATE) / 1_000 - 24, (ms * RATE) / 1_000 + 24);
const isSilent = (samples: Int16Array) => samples.every((sample) => sample === 0);

describe('an utterance', () => {
  it('tells where each sentence is, to the sample', async () => {
    const { samples, recorded, sentences } = await utter('My chest hurts. It began two hours ago.');
    expect(sentences.map(({ id, words }) => [id, words])).toEqual([
      ['p1', 'My chest hurts.'],
      ['p2', 'It began two hours ago.'],
    ]);
    const [first, second] = sentences;
    expect(first?.from).toBe(0);
    expect(second?.to).toBe((samples.length * 1_000) / RATE);
    expect((second?.from ?? 0) - (first?.to ?? 0)).toBeCloseTo(250, 1);
    expect(isSilent(at(samples, (first?.to ?? 0) + 100))).toBe(true);
    expect(isSilent(at(samples, (second?.from ?? 0) + 10))).toBe(false);
    expect(recorded).toEqual(resampled({ samples, rate: RATE }, 16_000).samples);
  });

  it.each([
    ['markdown', '**My** _chest_ hurts.', ['My chest hurts.']],
    ['emoji', 'My chest hurts 😖👨‍👩‍👧!', ['My chest hurts!']],
    ['tags', '<b>My chest</b> hurts.<br>Since <i>two</i> hours.', ['My chest hurts.', 'Since two hours.']],
    ['a list', '- chest pain\n- 50 mg aspirin', ['chest pain', 'fifty milligrams aspirin']],
  ])('is without %s', async (_, message, words) => {
    const { sentences } = await utter(message);
    expect(sentences.map((sentence) => sentence.words)).toEqual(words);
  });

  it('leaves out what holds no word, and keeps the numbers of the others', async () => {
    const { sentences } = await utter('Yes.\n\n😖\n\nNo.');
    expect(sentences.map(({ id }) => id)).toEqual(['p1', 'p3']);
  });

  it('of keys is their tones over the line, whatever disturbs turns, with the time at which each tone ends', async () => {
    const all = { sounds: DISTURBANCES, certain: ['pauses', 'coughs', 'asides'] } as const;
    const { samples, recorded, keys, ...rest } = await utter('', { ...all, keys: '1w5', line: 'phone' });
    expect(keysHeardIn({ samples, rate: RATE })).toBe('15');
    expect(keysHeardIn({ samples: recorded, rate: 16_000 })).toBe('15');
    expect(keys).toEqual([
      { key: '1', afterMs: 100 },
      { key: '5', afterMs: 800 },
    ]);
    expect(samples).toHaveLength(800 * 48);
    expect(rest).toMatchObject({ sentences: [], pauses: [], disturbances: [] });
  });

  it.each(['', '…', '👍', '   ', '***', '<br>'])('of %j cannot be said', async (message) => {
    await expect(utter(message)).rejects.toMatchObject({ kind: 'request_refused' });
  });

  it.each([
    ['sentences', 'I have pain in my chest. '.repeat(160)],
    ['one sentence', 'and then it hurt '.repeat(235)],
    ['one word', 'a'.repeat(4_000)],
    ['one number', '7'.repeat(4_000)],
  ])('of 4,000 characters of %s is said whole', async (_, message) => {
    const { voice, asked } = toneVoice();
    const { sentences } = await utteranceOf(voice, { ...QUIET, message: message.slice(0, 4_000) }, never);
    expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
    const said = sentences.map(({ words }) => words).join('');
    expect(said.length).toBeGreaterThanOrEqual(3_800);
  });

  it('is the same for the same seed, whatever disturbs it, and another for another', async () => {
    const all: Partial<UtteranceRequest> = {
      sounds: ['interruptions', 'backchannels', 'pauses', 'coughs', 'asides'],
      noise: { kind: 'babble', snrDb: 10 },
      line: 'mobile_bad',
      seed: 5,
    };
    const message = 'My chest hurts, and my left arm too. It began two hours ago.';
    const once = await utter(message, all);
    expect(await utter(message, all)).toEqual(once);
    expect((await utter(message, { ...all, seed: 6 })).samples).not.toEqual(once.samples);
  });

  it('pauses in the middle of a sentence, which stays one', async () => {
    const { samples, sentences, pauses, disturbances } = await utter('My chest hurts, and my left arm too.', {
      sounds: ['pauses'],
      seed: seedWith('pauses', 1),
    });
    expect(sentences).toHaveLength(1);
    const [pause] = pauses;
    expect(pause?.to).toBeCloseTo((pause?.from ?? 0) + (pause?.scriptedMs ?? 0), 3);
    expect([500, 1_000, 1_500, 2_000, 3_000]).toContain(pause?.scriptedMs);
    expect(isSilent(at(samples, ((pause?.from ?? 0) + (pause?.to ?? 0)) / 2))).toBe(true);
    expect(disturbances).toEqual([{ kind: 'pause', from: pause?.from, to: pause?.to }]);
    expect(sentences[0]?.from).toBeLessThan(pause?.from ?? 0);
    expect(sentences[0]?.to).toBeGreaterThan(pause?.to ?? 0);
  });

  it('does not pause inside a word', async () => {
    const { pauses } = await utter('Yes.', { sounds: ['pauses'], seed: seedWith('pauses', 1) });
    expect(pauses).toEqual([]);
  });

  it.each(['coughs', 'asides'] as const)('%s are heard before a sentence, and are none', async (sounds) => {
    const said = await utter('My chest hurts.', { sounds: [sounds], seed: seedWith(sounds, 1) });
    const [heard] = said.disturbances;
    expect(heard?.kind).toBe(sounds === 'coughs' ? 'cough' : 'aside');
    expect(heard?.from).toBe(0);
    expect(said.sentences.map(({ id }) => id)).toEqual(['p1']);
    expect(said.sentences[0]?.from).toBeGreaterThan(heard?.to ?? 0);
  });

  it.each(['pink', 'hum', 'babble'] as const)('%s is as much quieter as was asked for', async (kind) => {
    const message = 'My chest hurts, and my left arm too.';
    const clean = await utter(message);
    const noisy = await utter(message, { noise: { kind, snrDb: 10 } });
    const noise = noisy.samples.map((sample, place) => sample - (clean.samples[place] ?? 0));
    const snr = dbfsOf(meanSquare(clean.samples)) - dbfsOf(meanSquare(noise));
    expect(snr).toBeGreaterThan(9.5);
    expect(snr).toBeLessThan(10.5);
    expect(noisy.disturbances).toEqual([{ kind: 'noise', from: 0, to: (clean.samples.length * 1_000) / RATE }]);
  });

  it.each([
    ['interruptions', 'interruption'],
    ['backchannels', 'backchannel'],
  ] as const)('%s are in the language of the patient', async (sounds, kind) => {
    const seed = seedWith(sounds, 1);
    const english = await utter('My chest hurts.', { sounds: [sounds], seed });
    const german = await utter('Meine Brust tut weh.', { sounds: [sounds], seed, language: 'de-DE' });
    const latin = await utter('Pectus mihi dolet.', { sounds: [sounds], seed, language: 'la' });
    expect(english.interjection).toMatchObject({ kind, words: expect.any(String) });
    expect(english.interjection?.samples.length).toBeGreaterThan(0);
    expect(english.interjection?.afterMs).toBe(german.interjection?.afterMs);
    expect(english.interjection?.words).not.toBe(german.interjection?.words);
    expect(latin.interjection).toBeNull();
  });
});
