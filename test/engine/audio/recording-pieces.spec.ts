import fc from 'fast-check';
import { joined, silence, UnusableAudio } from '../../../src/domain/sound/pcm';
import { packed, piecesOf, soundOfPiece, unpacked } from '../../../src/engine/audio/recording-pieces';
import { constructedSpeech } from './constructed-speech';

const RATE = 8_000;
const anySamples = (maxLength: number) =>
  fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength }).map((values) => Int16Array.from(values));

it('gives back every sample, whatever they are', () => {
  fc.assert(
    fc.property(anySamples(500), fc.integer({ min: 8_000, max: 192_000 }), (samples, rate) => {
      expect(unpacked(packed({ samples, rate }))).toEqual({ samples, rate });
    }),
  );
  const extremes = Int16Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? 32_767 : -32_768));
  expect(unpacked(packed({ samples: extremes, rate: RATE })).samples).toEqual(extremes);
});

it('cuts a track into pieces with no sample twice and none missing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 35 * RATE }), fc.nat(), (length, start) => {
      const track = { samples: Int16Array.from({ length }, (_, at) => start + at), rate: RATE };
      const pieces = piecesOf(track);
      const sounds = pieces.map(soundOfPiece);
      expect(joined(sounds, RATE)).toEqual(track);
      let next = 0;
      sounds.forEach(({ samples }, at) => {
        expect(pieces[at]?.firstSample).toBe(next);
        expect(samples.length).toBeGreaterThan(0);
        expect(samples.length).toBeLessThanOrEqual(10 * RATE);
        next += samples.length;
      });
    }),
    { numRuns: 15 },
  );
});

it('the same track has the same hashes', () => {
  const { sound } = constructedSpeech(6, RATE, 2);
  expect(piecesOf(sound)).toEqual(piecesOf(sound));
  expect(piecesOf(sound)[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
});

it('is smaller than the samples are, and silence is next to nothing', () => {
  const { sound } = constructedSpeech(12, 16_000, 2);
  expect(packed(sound).length).toBeLessThan(0.5 * 2 * sound.samples.length);
  expect(packed(silence(10_000, RATE)).length).toBeLessThan(200);
});

it('notices a changed byte, and reads no damaged piece', () => {
  const [piece] = piecesOf({ samples: Int16Array.from({ length: 300 }, (_, at) => at * at), rate: RATE });
  if (piece === undefined) throw new Error('no piece');
  fc.assert(
    fc.property(
      fc.nat(piece.bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.nat(piece.bytes.length),
      (at, bits, length) => {
        const damaged = Uint8Array.from(piece.bytes);
        damaged[at] = (damaged[at] ?? 0) ^ bits;
        expect(() => soundOfPiece({ bytes: damaged, hash: piece.hash })).toThrow(/its hash differs/);
        try {
          unpacked(damaged.slice(0, length));
        } catch (error) {
          expect(error).toBeInstanceOf(UnusableAudio);
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(() => unpacked(new Uint8Array(3))).toThrow('The bytes are no piece of a recording.');
  expect(() => unpacked(piece.bytes.slice(0, 20))).toThrow('A piece of the recording is damaged.');
});
