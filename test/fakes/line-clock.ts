import type { LineClock } from '../../src/agents/media-stream/held-line';

interface Due {
  readonly at: number;
  readonly act: () => void;
}

/** The time of a thread that carries lines, which passes when a test says so. */
export class ManualLineClock implements LineClock {
  private moment = 1_000_000;
  private due: Due[] = [];
  private unread: (() => void)[] = [];

  now(): number {
    return this.moment;
  }

  after(milliseconds: number, act: () => void): () => void {
    const one = { at: this.moment + milliseconds, act };
    this.due.push(one);
    return () => {
      this.due = this.due.filter((other) => other !== one);
    };
  }

  afterReading(act: () => void): void {
    this.unread.push(act);
  }

  /** Time passes, and everything is done at its moment. */
  pass(milliseconds: number): void {
    const until = this.moment + milliseconds;
    for (let next = this.takeUntil(until); next !== undefined; next = this.takeUntil(until)) {
      this.moment = Math.max(this.moment, next.at);
      next.act();
    }
    this.moment = until;
  }

  /** Time passes while the thread does nothing: what was due meanwhile is done at the end. */
  standStill(milliseconds: number): void {
    this.moment += milliseconds;
    this.pass(0);
  }

  /** What had come has been read. */
  haveRead(): void {
    for (const act of this.unread.splice(0)) act();
  }

  private takeUntil(until: number): Due | undefined {
    const [first] = this.due.filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at);
    this.due = this.due.filter((other) => other !== first);
    return first;
  }
}
