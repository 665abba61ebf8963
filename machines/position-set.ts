const BITS = 32;

/** An immutable set of positions in a list, kept as bits: a changed copy of a set over 10,000 positions copies 1.25 kB. */
export class PositionSet {
  private constructor(private readonly words: Uint32Array) {}

  /** An empty set for the positions 0 to `size` - 1. */
  static over(size: number): PositionSet {
    return new PositionSet(new Uint32Array(Math.ceil(size / BITS)));
  }

  has(position: number): boolean {
    return ((this.words[Math.floor(position / BITS)] ?? 0) & (1 << (position % BITS))) !== 0;
  }

  with(position: number): PositionSet {
    const words = this.words.slice();
    const at = Math.floor(position / BITS);
    words[at] = (words[at] ?? 0) | (1 << (position % BITS));
    return new PositionSet(words);
  }
}
