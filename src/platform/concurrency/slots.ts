/** Lets a limited number in at a time; the others wait in line, in order of arrival. */
export class Slots {
  private readonly line: (() => void)[] = [];

  /** @param canceled the error for callers whose signal is aborted */
  constructor(
    private free: number,
    private readonly canceled: () => Error = () => new DOMException('Waiting in line was canceled.', 'AbortError'),
  ) {}

  /**
   * @returns a function that lets the next one in; a second call does nothing
   * @throws what `canceled` returns, when the signal is aborted before or in line
   */
  async take(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted === true) throw this.canceled();
    if (this.free > 0) this.free -= 1;
    else await this.turn(signal);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const next = this.line.shift();
      if (next === undefined) this.free += 1;
      else next();
    };
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.line.splice(this.line.indexOf(enter), 1);
        reject(this.canceled());
      };
      this.line.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
