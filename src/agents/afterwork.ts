/** Work that continues when no caller waits for it any more: ending sessions and deleting rooms after a run was canceled. */
export class Afterwork {
  private readonly begun = new Set<Promise<unknown>>();

  /** @returns the same work */
  keep<Result>(work: Promise<Result>): Promise<Result> {
    this.begun.add(work);
    const done = (): boolean => this.begun.delete(work);
    work.then(done, done);
    return work;
  }

  /** Waits until all of it has ended. Never throws. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.begun);
  }
}
