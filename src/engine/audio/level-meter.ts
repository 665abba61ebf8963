/** Steps a second: energies are kept for every 2 ms, five of which are a frame of the detector. */
export const STEPS_A_SECOND = 500;

/**
 * Below the lowest voice's second harmonic there is mostly hum, wind and what microphones add as an offset; above 2 kHz there are hisses,
 * which are weak but stand out in the noise of rooms. Each band is judged against its own noise.
 */
const LOW_EDGE_HZ = 150;
const SPLIT_HZ = 2_000;

/** Mean squares of one step, in squared sample steps. */
export interface StepEnergy {
  readonly low: number;
  readonly high: number;
}

/**
 * The energies of a track in two bands, in steps of 2 ms, as its samples arrive: the result does not depend on how they were grouped.
 * Step k covers the samples from round(k · rate / 500) on.
 */
export class LevelMeter {
  readonly steps: StepEnergy[] = [];
  private position = 0;
  private stepStart = 0;
  private sums = { low: 0, high: 0 };
  private readonly offset: Smoother;
  private readonly split: Smoother;
  private readonly splitAgain: Smoother;

  constructor(private readonly rate: number) {
    this.offset = new Smoother(LOW_EDGE_HZ, rate);
    this.split = new Smoother(SPLIT_HZ, rate);
    this.splitAgain = new Smoother(SPLIT_HZ, rate);
  }

  push(samples: Int16Array): void {
    for (const sample of samples) {
      if (this.position === this.endOfStep()) this.closeStep();
      const voice = sample - this.offset.next(sample);
      const low = this.split.next(voice);
      const rest = voice - low;
      // The difference of a second smoothing is steeper than that of one.
      const high = rest - this.splitAgain.next(rest);
      this.sums.low += low * low;
      this.sums.high += high * high;
      this.position += 1;
    }
    if (this.position === this.endOfStep()) this.closeStep();
  }

  private endOfStep(): number {
    return Math.round(((this.steps.length + 1) * this.rate) / STEPS_A_SECOND);
  }

  private closeStep(): void {
    const length = this.position - this.stepStart;
    this.steps.push({ low: this.sums.low / length, high: this.sums.high / length });
    this.stepStart = this.position;
    this.sums = { low: 0, high: 0 };
  }
}

/** An exponential mean, which is a low-pass filter of first order. */
class Smoother {
  private mean = 0;
  private readonly weight: number;

  constructor(edgeHz: number, rate: number) {
    this.weight = 1 - Math.exp((-2 * Math.PI * edgeHz) / rate);
  }

  next(value: number): number {
    this.mean += this.weight * (value - this.mean);
    return this.mean;
  }
}
