interface Place {
  readonly enter: () => void;
}

/** A line that takes no more for now. */
export class LineFull extends Error {
  override readonly name = 'LineFull';
}

export interface ThreadLinesOptions {
  /** How many are let in at a time. */
  readonly most: number;
  /** How many of these may be callers' work; the others are kept free for runs. */
  readonly mostOfCallers: number;
  /** How many of one caller may wait. */
  readonly longest: number;
  /** The error for those whose signal is aborted. */
  readonly canceled: () => Error;
}

/**
 * Lets a limited number in at a time. What runs need goes first, in order of arrival; then callers take turns, each with a line
 * of its own: a caller that asks for much waits behind its own requests.
 */
export class ThreadLines {
  private inside = 0;
  private callersInside = 0;
  private readonly runs: Place[] = [];
  /** The caller whose turn it is stands first. */
  private readonly callers = new Map<unknown, Place[]>();

  constructor(private readonly options: ThreadLinesOptions) {}

  /**
   * @param caller whose line to wait in; null: it is for a run
   * @returns a function that lets the next one in; a second call does nothing
   * @throws what `canceled` returns, when the signal is aborted before or in line; LineFull
   */
  async take(caller: unknown, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw this.options.canceled();
    const line = caller === null ? this.runs : (this.callers.get(caller) ?? []);
    const hasRoom = caller === null || this.callersInside < this.options.mostOfCallers;
    if (this.inside < this.options.most && hasRoom && line.length === 0) this.enter(caller);
    else await this.wait(caller, line, signal);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.inside -= 1;
      if (caller !== null) this.callersInside -= 1;
      this.letIn();
    };
  }

  private enter(caller: unknown): void {
    this.inside += 1;
    if (caller !== null) this.callersInside += 1;
  }

  private wait(caller: unknown, line: Place[], signal: AbortSignal): Promise<void> {
    if (caller !== null && line.length >= this.options.longest) {
      throw new LineFull(
        `${line.length} texts of yours are waiting to be read already: wait for some of them, and try again.`,
      );
    }
    if (caller !== null) this.callers.set(caller, line);
    return new Promise((resolve, reject) => {
      const place: Place = {
        enter: () => {
          signal.removeEventListener('abort', leave);
          this.enter(caller);
          resolve();
        },
      };
      const leave = (): void => {
        const at = line.indexOf(place);
        if (at >= 0) line.splice(at, 1);
        if (line.length === 0 && this.callers.get(caller) === line) this.callers.delete(caller);
        reject(this.options.canceled());
      };
      line.push(place);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  private letIn(): void {
    while (this.inside < this.options.most) {
      const next = this.runs.shift() ?? this.nextOfCallers();
      if (next === undefined) return;
      next.enter();
    }
  }

  private nextOfCallers(): Place | undefined {
    if (this.callersInside >= this.options.mostOfCallers) return undefined;
    const [first] = this.callers;
    if (first === undefined) return undefined;
    const [caller, line] = first;
    const place = line.shift();
    this.callers.delete(caller);
    if (line.length > 0) this.callers.set(caller, line);
    return place;
  }
}
