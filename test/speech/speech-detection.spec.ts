import fc from 'fast-check';
import { LevelMeter } from '../../src/engine/audio/level-meter';
import { overLine } from '../../src/engine/audio/line';
import { hum, mixed, pinkNoise } from '../../src/engine/audio/noise';
import { lossPattern, withLosses } from '../../src/engine/audio/packet-loss';
import { dbfsOf, joined, meanSquare, silence, type Sound, type Span } from '../../src/domain/sound/pcm';
import { resampled } from '../../src/domain/sound/resample';
import { speechIn } from '../../src/engine/audio/speech-detection';
import { someOf, tries } from '../setup/sample';
import { constructedSpeech, type Utterance } from '../engine/audio/constructed-speech';
import { tone } from '../engine/audio/constructed-sound';

const RATE = 16_000;
/** The fewer are the first of the many. */
const { sound: CLEAN, utterances: UTTERANCES } = constructedSpeech(tries({ inCi: 120, elsewhere: 40 }), RATE, 5);
const LEVEL = dbfsOf(meanSquare(CLEAN.samples, UTTERANCES));

interface Errors {
  readonly missed: number;
  readonly invented: number;
  /** Absolute errors in ms. */
  readonly onsets: readonly number[];
  readonly hissOnsets: readonly number[];
  readonly ends: readonly number[];
}

/** Spans with gaps below 0.3 s are one, as in the timeline. */
function errorsOf({ samples, rate }: Sound, utterances: readonly Utterance[]): Errors {
  const spans: Span[] = [];
  for (const span of speechIn({ samples, rate })) {
    const last = spans.at(-1);
    if (last !== undefined && span.from - last.to < 0.3 * rate) spans[spans.length - 1] = { ...last, to: span.to };
    else spans.push(span);
  }
  const found = utterances.map((utterance) => ({
    utterance,
    hits: spans.filter(({ from, to }) => from < utterance.to && to > utterance.from),
  }));
  const milliseconds = (one = 0, other = 0) => (Math.abs(one - other) * 1_000) / rate;
  const onsetsOf = (begins: Utterance['begins']) =>
    found
      .filter(({ utterance, hits }) => hits.length > 0 && utterance.begins === begins)
      .map(({ utterance, hits }) => milliseconds(hits[0]?.from, utterance.from));
  return {
    missed: found.filter(({ hits }) => hits.length === 0).length,
    invented: spans.length - new Set(found.flatMap(({ hits }) => hits)).size,
    onsets: onsetsOf('vowel'),
    hissOnsets: onsetsOf('hiss'),
    ends: found
      .filter(({ hits }) => hits.length > 0)
      .map(({ utterance, hits }) => milliseconds(hits.at(-1)?.to, utterance.to)),
  };
}

const p95 = (errors: readonly number[]) => errors.toSorted((a, b) => a - b)[Math.ceil(0.95 * errors.length) - 1] ?? NaN;

const pink = (ratio: number) => () => mixed(CLEAN, pinkNoise(CLEAN.samples.length, 9), LEVEL - ratio).sound;

const LOSSES = '3 % of packets lost';

/** What arrives of the utterances: an utterance whose first packet is lost begins with the second. */
function audibleIn({ samples }: Sound): Utterance[] {
  return UTTERANCES.map(({ from, to, begins }) => {
    const arrived = samples.subarray(from, to);
    const isAudible = (sample: number) => sample !== 0;
    return { begins, from: from + arrived.findIndex(isAudible), to: from + arrived.findLastIndex(isAudible) + 1 };
  });
}

/** Limits in ms at the 95th percentile. */
describe.each<[name: string, track: () => Sound, onset: number, end: number]>([
  ['clean speech', () => CLEAN, 10, 10],
  ['noise 20 dB below', pink(20), 10, 15],
  ['noise 10 dB below', pink(10), 30, 35],
  ['hum 10 dB below', () => mixed(CLEAN, hum(CLEAN.samples.length, RATE, 1), LEVEL - 10).sound, 30, 30],
  ['a telephone', () => overLine(CLEAN, 'phone', 1), 10, 10],
  [LOSSES, () => withLosses(CLEAN, (n) => lossPattern(n, { share: 0.03, meanBurst: 1.5 }, 3)), 30, 15],
])('in %s', (name, track, onset, end) => {
  const sound = track();
  const errors = errorsOf(sound, name === LOSSES ? audibleIn(sound) : UTTERANCES);

  it('every utterance is found, and no other', () => {
    expect(errors).toMatchObject({ missed: 0, invented: 0 });
  });

  it(`beginnings are exact within ${onset} ms and ends within ${end} ms in 95 of 100`, () => {
    expect(errors.onsets.length).toBeGreaterThan(UTTERANCES.length / 2);
    expect(p95(errors.onsets)).toBeLessThanOrEqual(onset);
    expect(p95(errors.ends)).toBeLessThanOrEqual(end);
  });
});

it('a hiss, 10 to 16 dB below the vowels, is found where it begins as long as the track is clean', () => {
  const errors = errorsOf(CLEAN, UTTERANCES);
  expect(errors.hissOnsets.length).toBeGreaterThan(UTTERANCES.length / 5);
  expect(p95(errors.hissOnsets)).toBeLessThanOrEqual(25);
});

it.each(someOf([8_000, 22_050, 24_000, 48_000], 2, 'rates'))('at %d Hz times are as exact', (rate) => {
  const { sound, utterances } = constructedSpeech(tries({ inCi: 25, elsewhere: 12 }), RATE, 6);
  const errors = errorsOf(
    resampled(sound, rate),
    utterances.map(({ from, to, begins }) => ({ begins, from: (from * rate) / RATE, to: (to * rate) / RATE })),
  );
  expect(errors).toMatchObject({ missed: 0, invented: 0 });
  expect(p95(errors.onsets)).toBeLessThanOrEqual(10);
});

describe('nothing is speech in', () => {
  const minute = 20_000;
  it.each<[string, () => Sound]>([
    ['silence', () => silence(minute, RATE)],
    ['no samples', () => silence(0, RATE)],
    ['noise at −35 dBFS', () => mixed(silence(3 * minute, RATE), pinkNoise(60 * RATE, 2), -35).sound],
    ['an offset', () => ({ samples: new Int16Array(10 * RATE).fill(2_000), rate: RATE })],
    ['hum', () => mixed(silence(minute, RATE), hum(20 * RATE, RATE, 2), -30).sound],
    ['a tone without end', () => tone(440, minute, RATE)],
    ['a voice below −60 dBFS', () => ({ rate: RATE, samples: CLEAN.samples.slice(0, 30 * RATE).map((s) => s / 60) })],
    [
      'clicks',
      () => ({
        rate: RATE,
        samples: Int16Array.from({ length: RATE * 10 }, (_, at) => (at % 4_000 === 0 ? 30_000 : 0)),
      }),
    ],
  ])('%s', (_, track) => {
    expect(speechIn(track())).toEqual([]);
  });
});

it('spans are in order, apart, and inside the sound', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 12_000 })), { maxLength: 20 }),
      (parts) => {
        const sound = joined(
          parts.map(([ms, amplitude]) => tone(300, ms, RATE, amplitude)),
          RATE,
        );
        let end = 0;
        for (const { from, to } of speechIn(sound)) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(sound.samples.length);
      },
    ),
  );
});

it('what was heard so far has the beginnings that all of it will have', () => {
  const { sound, utterances } = constructedSpeech(12, RATE, 8);
  for (const { from } of utterances) {
    // A tenth of a second into the utterance.
    const sofar = speechIn({ samples: sound.samples.slice(0, from + 0.1 * RATE), rate: RATE }).at(-1);
    expect(Math.abs((sofar?.from ?? 0) - from)).toBeLessThan(0.025 * RATE);
  }
});

it('levels do not depend on how the samples arrive, and no step is missing', () => {
  const { samples } = constructedSpeech(1, 22_050, 3).sound;
  const whole = new LevelMeter(22_050);
  whole.push(samples);
  expect(whole.steps).toHaveLength(Math.floor((samples.length / 22_050) * 500));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 30 }), (lengths) => {
      const meter = new LevelMeter(22_050);
      let at = 0;
      for (const length of lengths) meter.push(samples.subarray(at, (at += length)));
      meter.push(samples.subarray(at));
      expect(meter.steps).toEqual(whole.steps);
    }),
    { numRuns: 20 },
  );
});
