/**
 * The window of J. F. Kaiser: 1 in the middle, near 0 at the edges. Source: J. F. Kaiser, "Nonrecursive digital filter design using the
 * I0-sinh window function", Proc. IEEE Int. Symp. Circuits and Systems (1974) 20–23.
 *
 * @param place −1 (one edge) to 1 (the other); 0 is the result outside
 * @param shape the larger, the weaker the sidelobes: 8 lets through about −80 dB beyond the stop edge
 */
export function kaiser(place: number, shape: number): number {
  const inside = 1 - place * place;
  return inside < 0 ? 0 : besselI0(shape * Math.sqrt(inside)) / besselI0(shape);
}

/** sin(πx) / πx, the impulse response of an ideal low-pass filter. */
export function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The modified Bessel function of order 0 by its power series, whose terms are below 1e-18 of the sum after 50 for x up to 20. */
function besselI0(x: number): number {
  const square = (x * x) / 4;
  let term = 1;
  let sum = 1;
  for (let order = 1; order <= 50 && term > sum * 1e-18; order += 1) {
    term *= square / (order * order);
    sum += term;
  }
  return sum;
}
