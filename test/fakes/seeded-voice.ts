/** A sound like a voice: its pitch and colour change from syllable to syllable, the same for a seed. */
export class SeededVoice {
  constructor(private state: number) {}

  /** @param rate samples a second */
  samples(milliseconds: number, rate: number): Int16Array {
    const samples = new Int16Array((milliseconds * rate) / 1_000);
    const syllable = Math.round(rate * 0.15);
    let phase = 0;
    for (let from = 0; from < samples.length; from += syllable) {
      const pitch = 100 + 120 * this.next();
      const colours = Array.from({ length: 8 }, () => this.next());
      for (let at = from; at < Math.min(samples.length, from + syllable); at += 1) {
        phase += (2 * Math.PI * pitch) / rate;
        const value = colours.reduce((sum, colour, index) => sum + colour * Math.sin(phase * (index + 1)), 0);
        samples[at] = Math.round(value * 3_000 * (0.4 + 0.6 * Math.sin((Math.PI * (at - from)) / syllable)));
      }
    }
    return samples;
  }

  noise(milliseconds: number, rate: number): Int16Array {
    return Int16Array.from({ length: (milliseconds * rate) / 1_000 }, () => (this.next() - 0.5) * 20_000);
  }

  /** From 0 to 1. */
  private next(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }
}
