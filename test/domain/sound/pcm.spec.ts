import {
  amplified,
  amplitudeOf,
  dbfsOf,
  joined,
  meanSquare,
  samplesIn,
  silence,
  toSample,
  toSamples,
} from '../../../src/domain/sound/pcm';

test.each([
  [0.4, 0],
  [0.5, 1],
  [-0.4, -0],
  [-0.5, -1],
  [1.5, 2],
  [-1.5, -2],
  [32_767, 32_767],
  [32_768, 32_767],
  [-32_768, -32_768],
  [-32_769, -32_768],
])('%d is the sample %d', (value, sample) => {
  expect(toSample(value)).toBe(sample);
});

test('values are samples one by one', () => {
  expect([...toSamples(Float64Array.of(1.2, -40_000, 7))]).toEqual([1, -32_768, 7]);
});

test('time is a whole number of samples, the nearest', () => {
  expect([samplesIn(1_000, 8_000), samplesIn(1.06, 8_000), samplesIn(1.07, 8_000)]).toEqual([8_000, 8, 9]);
  expect(silence(10, 8_000)).toEqual({ samples: new Int16Array(80), rate: 8_000 });
});

test('twenty decibels are ten times the amplitude, and what does not fit is clipped', () => {
  expect([amplitudeOf(20), amplitudeOf(0), amplitudeOf(-20)]).toEqual([10, 1, 0.1]);
  expect([...amplified({ samples: Int16Array.of(5, -7, 4_000), rate: 8_000 }, 20).samples]).toEqual([50, -70, 32_767]);
});

test('the mean square is that of the samples in the spans, as far as there are any', () => {
  const samples = [1, 2, 3, 4];
  expect(meanSquare(samples)).toBe(7.5);
  expect(meanSquare(samples, [{ from: 1, to: 3 }])).toBe(6.5);
  expect(
    meanSquare(samples, [
      { from: -5, to: 1 },
      { from: 3, to: 9 },
    ]),
  ).toBe(8.5);
  expect(meanSquare(samples, [{ from: 2, to: 2 }])).toBe(0);
  expect(meanSquare([])).toBe(0);
});

test('the level of full scale is 0 dBFS, and none is below that of silence', () => {
  expect(dbfsOf(32_768 ** 2)).toBe(0);
  expect(dbfsOf(3_276.8 ** 2)).toBeCloseTo(-20, 9);
  expect([dbfsOf(0), dbfsOf(1e-9)]).toEqual([-120, -120]);
});

test('sounds are joined in their order, of one rate only', () => {
  const one = { samples: Int16Array.of(1, 2), rate: 8_000 };
  const other = { samples: Int16Array.of(3), rate: 8_000 };
  expect(joined([one, other], 8_000)).toEqual({ samples: Int16Array.of(1, 2, 3), rate: 8_000 });
  expect(joined([], 8_000)).toEqual({ samples: new Int16Array(0), rate: 8_000 });
  expect(() => joined([one, { ...other, rate: 16_000 }], 8_000)).toThrow(
    /16000 Hz cannot be placed in a track of 8000 Hz/,
  );
});
