/**
 * Random numbers that a stored seed reproduces: Tommy Ettinger's mulberry32, 32 bits of state. They determine orders and choices,
 * and nothing secret.
 */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 ≤ n < below; `below` is a positive integer. */
  integer(below: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  /** In random order (Fisher and Yates). */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    const taken: Item[] = [];
    while (left.length > 0) taken.push(...left.splice(this.integer(left.length), 1));
    return taken;
  }

  /** A separate generator, so that what runs concurrently does not depend on which comes first. */
  fork(): SeededRandom {
    return new SeededRandom(this.integer(2 ** 32));
  }
}
