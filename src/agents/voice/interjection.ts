import { machineMs } from './sound-clocks';

/** Between two sounds of one word a voice is silent for less than this. */
const WITHIN_A_WORD_MS = 150;
/** Whether the agent is heard is looked at again after so long. */
const LOOK_AGAIN_MS = 20;

export interface PlannedInterjection {
  /** From the beginning of the agent's voice, or the end of the patient's words where the agent began before. */
  readonly afterMs: number;
  /** Identities of those into whose words it is said. */
  readonly speakers: readonly string[];
}

/** What is to be said into the agent's words, until it has been said. An agent that is silent is not spoken into: it is waited for. */
export class Interjection {
  private saidTo: number | null = null;
  private beganAt: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isHeld = false;
  private isOver = false;

  /**
   * @param silentMs how long a speaker has been silent by now; null: it does not speak
   * @param say called once, at most
   */
  constructor(
    private readonly plan: PlannedInterjection,
    private readonly silentMs: (speaker: string) => number | null,
    private readonly say: () => void,
  ) {}

  /** The patient's turn has ended. @param at machine ms */
  turnSaid(at: number): void {
    this.saidTo = at;
    this.arm();
  }

  /** @param at machine ms when the voice began or ended */
  voice(speaker: string, isSpeaking: boolean, at: number): void {
    if (!this.plan.speakers.includes(speaker)) return;
    // What the agent said before the patient's turn had ended was no answer to it.
    if (isSpeaking) this.beganAt ??= at;
    else if (this.saidTo === null || at < this.saidTo) this.beganAt = null;
    this.arm();
  }

  /** The turn seems to be over: nothing is said unless it goes on. */
  hold(): void {
    this.isHeld = true;
    this.beganAt = null;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** What was heard was no answer: it is said into the one that comes. */
  goOn(): void {
    this.isHeld = false;
    if (this.isHeard) this.beganAt ??= machineMs();
    this.arm();
  }

  /** It is not said any more. */
  drop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private arm(): void {
    if (this.isOver || this.isHeld || this.timer !== undefined) return;
    if (this.saidTo === null || this.beganAt === null) return;
    const due = Math.max(this.beganAt, this.saidTo) + this.plan.afterMs;
    this.timer = setTimeout(() => this.look(), Math.max(0, due - machineMs()));
  }

  private look(): void {
    if (!this.isHeard) {
      this.timer = setTimeout(() => this.look(), LOOK_AGAIN_MS);
      return;
    }
    this.isOver = true;
    this.say();
  }

  private get isHeard(): boolean {
    return this.plan.speakers.some((speaker) => (this.silentMs(speaker) ?? Infinity) <= WITHIN_A_WORD_MS);
  }
}
