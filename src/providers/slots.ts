import { ProviderError } from './errors';

/** Lets so many in at a time; the others wait in line. */
export class Slots {
  private readonly line: (() => void)[] = [];

  constructor(private free: number) {}

  /**
   * @returns lets the next one in; to be called once
   * @throws ProviderError canceled when the signal is aborted in line
   */
  async take(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw ProviderError.canceled();
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

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.line.splice(this.line.indexOf(enter), 1);
        reject(ProviderError.canceled());
      };
      this.line.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
