import { ProviderError } from '../errors';

/**
 * Ends calls to a page when the caller gives up, when time is over or when the page is gone: a page that loops
 * forever answers nothing, and most calls to it have no time limit of their own.
 */
export class CallLimits {
  private readonly over: Promise<never>;
  private end: (error: ProviderError) => void = () => undefined;
  private ended: ProviderError | null = null;
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort = (): void => this.end(ProviderError.canceled());

  /** @param late the error of a call that is not answered within `ms` */
  constructor(
    private readonly signal: AbortSignal,
    ms: number,
    late: () => ProviderError,
  ) {
    this.over = new Promise<never>((_, reject) => {
      this.end = (error) => {
        this.ended ??= error;
        reject(this.ended);
      };
    });
    this.over.catch(() => undefined);
    this.timer = setTimeout(() => this.end(late()), ms);
    if (signal.aborted) this.onAbort();
    else signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** The page is gone: every call fails with this. */
  fail(error: ProviderError): void {
    this.end(error);
  }

  /** Why no further call is answered; null while they are. */
  get failure(): ProviderError | null {
    return this.ended;
  }

  /** @throws ProviderError when the limits are reached first; else what the call throws */
  async call<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    return Promise.race([this.over, work]);
  }

  async sleep(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    // The rest of a long read of a slow page may take many seconds, for which no caller waits any more.
    await this.call(slept).finally(() => clearTimeout(timer));
  }

  /** Releases the signal and the timer. */
  release(): void {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.onAbort);
  }
}
