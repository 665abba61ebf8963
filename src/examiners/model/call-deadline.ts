/** How long a call may take: a single attempt, and all attempts, waits and the repair together. */
export interface CallLimits {
  readonly attemptMs: number;
  readonly overallMs: number;
}

/**
 * A signal that is aborted when the caller's is or when the time is up. Linked by hand and cleared after the call:
 * AbortSignal.any with a long-lived signal leaks memory on Node 20.
 */
export class CallDeadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private expired = false;

  constructor(
    milliseconds: number,
    private readonly parent: AbortSignal,
  ) {
    this.timer = setTimeout(() => {
      this.expired = true;
      this.controller.abort();
    }, milliseconds);
    if (parent.aborted) this.controller.abort();
    else parent.addEventListener('abort', this.onParentAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isExpired(): boolean {
    return this.expired;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.parent.removeEventListener('abort', this.onParentAbort);
  }

  private readonly onParentAbort = (): void => this.controller.abort();
}
