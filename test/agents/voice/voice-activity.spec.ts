import { VoiceActivity, type VoiceChange } from '../../../src/agents/voice/voice-activity';
import { constructedVoice, loudIn } from '../../../src/agents/voice/timing/constructed-voice';

const RATE = 16_000;

const silent = (milliseconds: number): Int16Array => new Int16Array((milliseconds * RATE) / 1_000);
const noisy = (milliseconds: number, amplitude: number): Int16Array =>
  silent(milliseconds).map((_, at) => Math.round(amplitude * Math.sin(at * at)));
const joined = (...parts: Int16Array[]): Int16Array => Int16Array.from(parts.flatMap((part) => [...part]));
const plus = (one: Int16Array, other: Int16Array): Int16Array => one.map((sample, at) => sample + (other[at] ?? 0));

/** What is noticed, whatever the pieces that sound comes in. */
function changesIn(sound: Int16Array, pieces = 800): VoiceChange[] {
  const activity = new VoiceActivity(RATE, 300);
  const changes: VoiceChange[] = [];
  for (let at = 0; at < sound.length; at += pieces) changes.push(...activity.push(sound.subarray(at, at + pieces)));
  return changes;
}

test('a voice begins with its first loud step and ends after its last', () => {
  const sound = joined(silent(500), constructedVoice(700, RATE), silent(600));
  const wanted = [
    { isSpeaking: true, atMs: 500 },
    { isSpeaking: false, atMs: 1_200 },
  ];
  expect(changesIn(sound)).toEqual(wanted);
  expect(changesIn(sound, 37)).toEqual(wanted);
});

test('a pause for breath is part of what is said, a longer one is not', () => {
  const voice = constructedVoice(400, RATE);
  const after = (pause: number): VoiceChange[] =>
    changesIn(joined(silent(300), voice, silent(pause), voice, silent(400)));
  expect(after(250)).toHaveLength(2);
  expect(after(320)).toHaveLength(4);
});

test('a click is no voice', () =>
  expect(changesIn(joined(silent(400), constructedVoice(20, RATE), silent(400)))).toEqual([]));

test('in noise a voice stands out, and the noise alone does not', () => {
  const noise = noisy(3_000, 300);
  expect(changesIn(noise)).toEqual([]);
  const voiced = plus(noise, joined(silent(1_000), constructedVoice(800, RATE), silent(1_200)));
  expect(changesIn(voiced)).toEqual([
    { isSpeaking: true, atMs: 1_000 },
    { isSpeaking: false, atMs: 1_800 },
  ]);
});

test('a tone for ever is noise after three seconds, not speech without end', () => {
  expect(changesIn(joined(silent(100), constructedVoice(6_000, RATE))).at(-1)).toMatchObject({ isSpeaking: false });
});

test('where a constructed voice begins and ends is known to the period of its pitch', () => {
  const found = loudIn(joined(silent(100), constructedVoice(300, RATE), silent(100)));
  expect(found?.first).toBeGreaterThanOrEqual(1_600);
  expect(found?.first).toBeLessThan(1_600 + RATE / 150);
  expect(found?.last).toBeGreaterThan(6_400 - RATE / 150);
  expect(found?.last).toBeLessThan(6_400);
  expect(loudIn(silent(50))).toBeNull();
});

test('a constructed voice is as loud as a voice, and never cut off', () => {
  const loudest = constructedVoice(300, RATE).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  expect(loudest).toBeGreaterThan(9_000);
  expect(loudest).toBeLessThan(12_000);
});

test('a constructed voice begins and ends softly, so that nothing clicks', () => {
  const voice = constructedVoice(303, RATE);
  for (const edge of [voice.slice(0, 8), voice.slice(-8)]) {
    expect(Math.max(...edge.map(Math.abs))).toBeLessThan(1_000);
  }
});

test('what is softer than any voice is none, in whatever silence', () => {
  const soft = (share: number): Int16Array => constructedVoice(600, RATE).map((sample) => Math.round(sample * share));
  expect(changesIn(joined(silent(500), soft(0.005), silent(500)))).toEqual([]);
  expect(changesIn(joined(silent(500), soft(0.05), silent(500)))).toHaveLength(2);
});

test('a speaker that has not ended has been silent since its last loud step, one that is silent never', () => {
  const activity = new VoiceActivity(RATE, 300);
  activity.push(silent(200));
  expect(activity.silentMs).toBeNull();
  activity.push(constructedVoice(300, RATE));
  expect(activity.silentMs).toBe(0);
  activity.push(silent(120));
  expect(activity.silentMs).toBe(120);
  expect(activity.end()).toEqual([{ isSpeaking: false, atMs: 500 }]);
  expect(activity.silentMs).toBeNull();
  expect(activity.end()).toEqual([]);
});
