import { kaiser, sinc } from '../../../src/domain/sound/kaiser';

describe('the window of Kaiser', () => {
  it.each([
    // Of the modified Bessel function of order 0: 427.564115721805 at 8, 157.759495870705 at 8 √0.75.
    [0, 8, 1],
    [0.5, 8, 0.368972722615833],
    [-0.5, 8, 0.368972722615833],
    [1, 8, 0.002338830512733],
    [-1, 8, 0.002338830512733],
    [1, 1, 0.789848314825112],
    [1.001, 8, 0],
    [-1.001, 8, 0],
  ])('at %d of shape %d is %d', (place, shape, value) => {
    expect(kaiser(place, shape)).toBeCloseTo(value, 12);
  });
});

describe('the ideal low-pass filter', () => {
  it.each([
    [0, 1],
    [0.5, 2 / Math.PI],
    [-0.5, 2 / Math.PI],
    [1.5, -2 / (3 * Math.PI)],
    [1, 0],
    [-2, 0],
  ])('answers %d by %d', (x, value) => {
    expect(sinc(x)).toBeCloseTo(value, 12);
  });
});
