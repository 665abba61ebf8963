import fc from 'fast-check';
import { amplified, dbfsOf, meanSquare, UnusableAudio } from '../../../src/domain/sound/pcm';
import { patientTrack, speechLevel, trimmed, type TrackPart } from '../../../src/engine/audio/patient-track';
import { tone } from './constructed-sound';

const RATE = 16_000;
const speech = (id: string, samples: readonly number[]): TrackPart => ({
  kind: 'speech',
  id,
  sound: { samples: Int16Array.from(samples), rate: RATE },
});
const pause = (ms: number): TrackPart => ({ kind: 'pause', ms });

it('knows to the sample where a sentence is, whatever silence its engine left around it', () => {
  const track = patientTrack(
    [pause(10), speech('a', [0, 0, 7, 900, -900, 3, 0]), pause(1), speech('b', [500, 0, 500]), speech('c', [1_000])],
    RATE,
  );
  expect(track.sentences).toEqual([
    { id: 'a', from: 160, to: 162 },
    { id: 'b', from: 178, to: 181 },
    { id: 'c', from: 181, to: 182 },
  ]);
  expect([...track.sound.samples.subarray(158)]).toEqual([
    0,
    0,
    900,
    -900,
    ...Array<number>(16).fill(0),
    500,
    0,
    500,
    1_000,
  ]);
  expect(track.pauses).toEqual([
    { from: 0, to: 160, inside: null },
    { from: 162, to: 178, inside: null },
  ]);
});

it('a sentence in parts is one sentence, and says where its pauses are', () => {
  const cough: TrackPart = { kind: 'sound', name: 'cough', sound: { samples: Int16Array.of(0, 5, 0), rate: RATE } };
  const track = patientTrack(
    [speech('a', [100, 200]), pause(1), cough, speech('a', [300]), pause(1), speech('b', [400])],
    RATE,
  );
  expect(track.sentences).toEqual([
    { id: 'a', from: 0, to: 22 },
    { id: 'b', from: 38, to: 39 },
  ]);
  expect(track.pauses).toEqual([
    { from: 2, to: 18, inside: 'a' },
    { from: 22, to: 38, inside: null },
  ]);
  expect(track.sounds).toEqual([{ name: 'cough', from: 18, to: 21 }]);
});

it('holds every sample of every part once, in order, and its spans say where', () => {
  const part = fc.oneof(
    fc.record({
      kind: fc.constant('speech' as const),
      id: fc.constantFrom('a', 'b', 'c'),
      sound: fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 40 }).map((samples) => ({
        samples: Int16Array.from(samples),
        rate: RATE,
      })),
    }),
    fc.record({ kind: fc.constant('pause' as const), ms: fc.integer({ min: 0, max: 5 }) }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const { sound, sentences, pauses } = patientTrack(parts, RATE);
      const expected = parts.flatMap((one) =>
        one.kind === 'pause' ? Array<number>(one.ms * 16).fill(0) : [...trimmed(one.sound).samples],
      );
      expect([...sound.samples]).toEqual(expected);
      const length = sound.samples.length;
      for (const { from, to } of [...sentences, ...pauses]) expect(0 <= from && from <= to && to <= length).toBe(true);
      sentences.slice(1).forEach(({ from }, at) => expect(from).toBeGreaterThanOrEqual(sentences[at]?.to ?? 0));
    }),
  );
});

it('trims nothing away that is louder than the silence of an engine', () => {
  fc.assert(
    fc.property(
      fc.nat(50),
      fc.nat(50),
      fc.array(fc.integer({ min: 200, max: 30_000 }), { minLength: 1 }),
      (before, after, loud) => {
        const samples = Int16Array.from([...Array<number>(before).fill(3), ...loud, ...Array<number>(after).fill(-3)]);
        expect([...trimmed({ samples, rate: RATE }).samples]).toEqual(loud);
      },
    ),
  );
  expect(trimmed({ samples: new Int16Array(100).fill(9), rate: RATE }).samples).toHaveLength(0);
});

it('measures the level of speech without the pauses in it', () => {
  const sound = tone(400, 500, RATE);
  const track = patientTrack(
    [pause(900), { kind: 'speech', id: 'a', sound }, pause(3_000), { kind: 'speech', id: 'a', sound }],
    RATE,
  );
  expect(speechLevel(track)).toBeCloseTo(dbfsOf(meanSquare(sound.samples)), 1);
  expect(dbfsOf(meanSquare(amplified(sound, -6).samples))).toBeCloseTo(speechLevel(track) - 6, 1);
  expect(speechLevel(patientTrack([], RATE))).toBe(-120);
});

it('refuses a sentence of another rate', () => {
  const sound = tone(400, 10, 22_050);
  expect(() => patientTrack([{ kind: 'speech', id: 'a', sound }], RATE)).toThrow(UnusableAudio);
  expect(() => patientTrack([{ kind: 'speech', id: 'a', sound }], RATE)).toThrow(/22050 Hz .* 16000 Hz: resample/);
});
