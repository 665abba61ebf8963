/** Steps in which sound is judged. */
const STEP_MS = 10;
/** A voice is louder than this, and than the noise by so much. Softer beginnings would be found late above it. */
const LEAST_DBFS = -50;
const ABOVE_NOISE_DB = 10;
/** A voice that has begun goes on until it is softer by so much. */
const HYSTERESIS_DB = 4;
const STEPS_TO_BEGIN = 3;
/** The quietest step of this time is the noise: nobody speaks so long without a pause for breath. */
const NOISE_WINDOW_MS = 3_000;

export interface VoiceChange {
  readonly isSpeaking: boolean;
  /** Where the voice began or ended, in ms from the beginning of the track. */
  readonly atMs: number;
}

/**
 * Whether a voice is heard, while its sound arrives: enough to know who has the floor. What is measured afterwards comes from the whole
 * recording.
 */
export class VoiceActivity {
  private readonly step: number;
  private readonly energies: number[] = [];
  private steps = 0;
  private sum = 0;
  private filled = 0;
  private loud = 0;
  private lastLoud = 0;
  private isSpeaking = false;

  /**
   * @param rate samples a second, a multiple of 100
   * @param pauseMs how long a voice is silent before it has ended
   */
  constructor(
    rate: number,
    private readonly pauseMs: number,
  ) {
    this.step = (rate * STEP_MS) / 1_000;
  }

  /** How long a voice that has not ended has been silent, which may be a pause; null while there is none. */
  get silentMs(): number | null {
    return this.isSpeaking ? this.steps * STEP_MS - this.lastLoud : null;
  }

  /** The sound ended, whatever was being said. */
  end(): VoiceChange[] {
    if (!this.isSpeaking) return [];
    this.isSpeaking = false;
    this.loud = 0;
    return [{ isSpeaking: false, atMs: this.lastLoud }];
  }

  push(samples: Int16Array): VoiceChange[] {
    const changes: VoiceChange[] = [];
    for (const sample of samples) {
      this.sum += sample * sample;
      this.filled += 1;
      if (this.filled < this.step) continue;
      const change = this.judge(this.sum / this.step);
      if (change !== null) changes.push(change);
      this.steps += 1;
      [this.sum, this.filled] = [0, 0];
    }
    return changes;
  }

  private judge(energy: number): VoiceChange | null {
    this.energies.push(energy);
    if (this.energies.length > NOISE_WINDOW_MS / STEP_MS) this.energies.shift();
    const noise = decibels(Math.min(...this.energies));
    const level = decibels(energy);
    const needed = Math.max(LEAST_DBFS, noise + ABOVE_NOISE_DB);
    const at = this.steps * STEP_MS;
    if (this.isSpeaking) {
      if (level >= needed - HYSTERESIS_DB) this.lastLoud = at + STEP_MS;
      if (at + STEP_MS - this.lastLoud < this.pauseMs) return null;
      this.isSpeaking = false;
      this.loud = 0;
      return { isSpeaking: false, atMs: this.lastLoud };
    }
    this.loud = level >= needed ? this.loud + 1 : 0;
    if (this.loud < STEPS_TO_BEGIN) return null;
    this.isSpeaking = true;
    this.lastLoud = at + STEP_MS;
    return { isSpeaking: true, atMs: at - (STEPS_TO_BEGIN - 1) * STEP_MS };
  }
}

function decibels(square: number): number {
  return square === 0 ? -120 : 10 * Math.log10(square / 32_768 ** 2);
}
