import type { RandomBits } from './random-bits';

/** Below this mean successes are counted up one by one; the rejection of BTRS is made for larger ones. */
const COUNTED_UP_TO = 10;

/**
 * How many of n independent attempts succeed, drawn exactly from the binomial distribution in a time that does not grow with n.
 *
 * Source: W. Hörmann, "The generation of binomial random variates", Journal of Statistical Computation and Simulation 46 (1993)
 * 101–110, algorithm BTRS; inversion for small means by V. Kachitvichyanukul and B. W. Schmeiser, "Binomial random variate generation",
 * Communications of the ACM 31 (1988) 216–222, algorithm BINV.
 *
 * @param attempts n, a whole number from 0
 * @param share of success, 0..1
 */
export function binomial(random: RandomBits, attempts: number, share: number): number {
  if (attempts === 0 || share <= 0) return 0;
  if (share >= 1) return attempts;
  if (share > 0.5) return attempts - binomial(random, attempts, 1 - share);
  return attempts * share < COUNTED_UP_TO ? byInversion(random, attempts, share) : byRejection(random, attempts, share);
}

function byInversion(random: RandomBits, attempts: number, share: number): number {
  const odds = share / (1 - share);
  const none = Math.exp(attempts * Math.log1p(-share));
  // A draw whose rest lies beyond the last outcome by rounding is drawn again.
  for (;;) {
    let rest = random.fraction();
    let likelihood = none;
    for (let successes = 0; successes <= attempts; successes += 1) {
      if (rest <= likelihood) return successes;
      rest -= likelihood;
      likelihood *= (odds * (attempts - successes)) / (successes + 1);
    }
  }
}

function byRejection(random: RandomBits, attempts: number, share: number): number {
  const deviation = Math.sqrt(attempts * share * (1 - share));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * share;
  const centre = attempts * share + 0.5;
  const surelyTaken = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const logOdds = Math.log(share / (1 - share));
  const mode = Math.floor((attempts + 1) * share);
  const atMode = logFactorial(mode) + logFactorial(attempts - mode);
  for (;;) {
    const u = random.fraction() - 0.5;
    const v = random.fraction();
    const edge = 0.5 - Math.abs(u);
    const successes = Math.floor(((2 * a) / edge + b) * u + centre);
    if (edge >= 0.07 && v <= surelyTaken) return successes;
    if (successes < 0 || successes > attempts) continue;
    const bound = atMode - logFactorial(successes) - logFactorial(attempts - successes) + (successes - mode) * logOdds;
    if (Math.log((v * alpha) / (a / edge ** 2 + b)) <= bound) return successes;
  }
}

const LOG_OF_ROOT_OF_TWO_PI = 0.5 * Math.log(2 * Math.PI);
const FACTORIALS_LISTED = 10;
const LOG_FACTORIALS = Float64Array.from({ length: FACTORIALS_LISTED }, (_, n) => {
  let sum = 0;
  for (let factor = 2; factor <= n; factor += 1) sum += Math.log(factor);
  return sum;
});

/** ln n!, beyond the smallest by Stirling's series, whose error is then below 10⁻⁹. */
function logFactorial(n: number): number {
  if (n < FACTORIALS_LISTED) return LOG_FACTORIALS[n] ?? 0;
  const x = n + 1;
  const series = (1 / 12 - (1 / 360 - 1 / 1260 / x ** 2) / x ** 2) / x;
  return (n + 0.5) * Math.log(x) - x + LOG_OF_ROOT_OF_TWO_PI + series;
}
