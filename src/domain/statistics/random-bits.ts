/**
 * Random bits that a seed brings back: sfc32 of Chris Doty-Humphrey (PractRand), 128 bits of state. A p-value or an interval that is
 * computed twice is the same twice.
 */
export class RandomBits {
  private a = 0;
  private b: number;
  private c = 0;
  private counter = 1;

  constructor(seed: number) {
    this.b = seed | 0;
    // As its author has it: until the seed has reached every bit.
    for (let round = 0; round < 12; round += 1) this.next();
  }

  /** 32 of them, as a signed integer. */
  next(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    this.c |= 0;
    return sum;
  }

  /**
   * The sum of as many of the values as there are, drawn with replacement: each by its `integer`, one after the other. Written out, since
   * millions are drawn, and the next bits are then made while the sum is.
   */
  sumOfDrawn(values: Float64Array): number {
    let { a, b, c, counter } = this;
    const below = values.length;
    let total = 0;
    for (let drawn = 0; drawn < below; drawn += 1) {
      const sum = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
      total += values[(((sum >>> 0) / 2 ** 32) * below) | 0] ?? 0;
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.counter = counter;
    return total;
  }

  /** 0 < x < 1, one of 2³² equally likely ones. */
  fraction(): number {
    return ((this.next() >>> 0) + 0.5) / 2 ** 32;
  }

  /** 0 ≤ n < below. */
  integer(below: number): number {
    return integerOf(this.next() >>> 0, below);
  }

  /** How many heads so many fair coins show. */
  heads(coins: number): number {
    let heads = 0;
    let left = coins;
    for (; left >= 32; left -= 32) heads += bitsSet(this.next());
    return left === 0 ? heads : heads + bitsSet(this.next() >>> (32 - left));
  }
}

/** 0 ≤ n < below, of 32 random bits. */
function integerOf(word: number, below: number): number {
  return Math.floor((word / 2 ** 32) * below);
}

/** H. S. Warren, "Hacker's Delight", 5-1. */
function bitsSet(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bits, 0x01010101) >>> 24;
}
