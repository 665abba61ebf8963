interface Outcome<Value> {
  readonly value: Promise<Value>;
  /** `performance.now()` until which it counts; while it is under way it always does. */
  validUntil: number;
}

/**
 * The answer to a question that many callers ask and that is costly: asked again once the last answer is too old, and never twice
 * at a time.
 */
export class Remembered<Value> {
  private latest: Outcome<Value> | null = null;

  constructor(
    private readonly ask: () => Promise<Value>,
    private readonly freshMs: number,
  ) {}

  /** Rejects as the question did, again for as long as an answer would count. */
  get(): Promise<Value> {
    if (this.latest === null || this.latest.validUntil < performance.now()) this.latest = this.begin();
    return this.latest.value;
  }

  private begin(): Outcome<Value> {
    const value = this.ask();
    const outcome: Outcome<Value> = { value, validUntil: Infinity };
    const settled = (): void => {
      outcome.validUntil = performance.now() + this.freshMs;
    };
    value.then(settled, settled);
    return outcome;
  }
}
