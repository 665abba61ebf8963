import { RandomBits } from '../../src/domain/statistics/random-bits';

/** The random numbers that worlds are drawn from; a seed reproduces all of them. */
export class Random {
  private readonly bits: RandomBits;

  constructor(seed: number) {
    this.bits = new RandomBits(seed);
  }

  /** 0 ≤ x < 1. */
  uniform(): number {
    return (this.bits.next() >>> 0) / 2 ** 32;
  }

  integer(from: number, to: number): number {
    return from + this.bits.integer(to - from + 1);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  beta(a: number, b: number): number {
    const [one, other] = [this.gamma(a), this.gamma(b)];
    return one + other === 0 ? 0.5 : one / (one + other);
  }

  /** G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables" (2000). */
  private gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * this.uniform() ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - this.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }
}
