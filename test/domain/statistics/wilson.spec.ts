import { criticalValue, normalQuantile, wilsonInterval } from '../../../src/domain/statistics/wilson';

describe('Wilson’s interval', () => {
  test('of 17 of 20 is from 64 to 95 %', () => {
    // statsmodels.stats.proportion.proportion_confint(17, 20, method='wilson')
    const found = wilsonInterval(17 / 20, 20, 0.95);
    expect(found.low).toBeCloseTo(0.639581, 6);
    expect(found.high).toBeCloseTo(0.947631, 6);
  });

  test('has every rate in it that a test at this level would not refute', () => {
    for (const [rate, size, confidence] of [
      [0.3, 12.5, 0.9],
      [0.97, 40, 0.99],
    ] as const) {
      const z = criticalValue(confidence);
      const { low, high } = wilsonInterval(rate, size, confidence);
      for (const end of [low, high]) {
        expect(Math.abs(rate - end) / Math.sqrt((end * (1 - end)) / size)).toBeCloseTo(z, 9);
      }
    }
  });

  test('ends exactly where nothing or everything passed', () => {
    for (const size of [1, 7, 20_000]) {
      expect(wilsonInterval(0, size, 0.95).low).toBe(0);
      expect(wilsonInterval(1, size, 0.95).high).toBe(1);
      const [none, all] = [wilsonInterval(0, size, 0.95), wilsonInterval(1, size, 0.95)];
      expect(none.high).toBeGreaterThan(0);
      expect(all.low).toBeCloseTo(1 - none.high, 12);
    }
  });
});

test('critical values are those of every table', () => {
  expect(criticalValue(0.95)).toBeCloseTo(1.959964, 6);
  expect(criticalValue(0.99)).toBeCloseTo(2.575829, 6);
  expect(normalQuantile(0.8)).toBeCloseTo(0.841621, 6);
  expect(normalQuantile(0.5)).toBeCloseTo(0, 12);
});
