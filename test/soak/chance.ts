/** Numbers that look random and are the same for the same seed. */
export class Chance {
  private state: number;

  constructor(seed: string) {
    // FNV-1a: neighbouring seeds begin far apart.
    let hash = 0x811c9dc5;
    for (const char of seed) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
    this.state = hash >>> 0;
  }

  /** In [0, 1): mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of them, as often as its weight says. */
  pick<Value>(weighted: readonly (readonly [Value, number])[]): Value {
    let left = this.next() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of weighted) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new Error('There is nothing to pick from.');
  }
}
