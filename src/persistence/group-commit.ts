import DataLoader from 'dataloader';

/**
 * Writes many small changes in few transactions: changes that arrive while a transaction is under way share the next one.
 * No timer is involved, so a lone change is written at once and a busy process pays for one commit per batch.
 */
export class GroupCommit<Change, Result> {
  private inFlight: Promise<unknown> = Promise.resolve();
  private readonly loader: DataLoader<Change, Result>;

  /**
   * @param write commits all the changes or none, and answers in their order
   * @param isPoison whether an error may be the fault of a single change, so that each is tried alone
   */
  constructor(
    private readonly write: (changes: readonly Change[]) => Promise<readonly Result[]>,
    private readonly isPoison: (error: unknown) => boolean,
    maxBatchSize = 200,
  ) {
    this.loader = new DataLoader((changes) => this.commit(changes), {
      cache: false,
      maxBatchSize,
      // One more turn of the event loop: what the same poll of the sockets brought is written together.
      batchScheduleFn: (dispatch) => void this.inFlight.then(() => setImmediate(dispatch)),
    });
  }

  /** Resolves once the change is committed or refused; rejects when the transaction failed. */
  submit(change: Change): Promise<Result> {
    return this.loader.load(change);
  }

  private commit(changes: readonly Change[]): Promise<readonly (Result | Error)[]> {
    const committed = this.writeOrSplit(changes);
    this.inFlight = committed.catch(() => undefined);
    return committed;
  }

  private async writeOrSplit(changes: readonly Change[]): Promise<readonly (Result | Error)[]> {
    try {
      return await this.write(changes);
    } catch (error) {
      if (changes.length === 1 || !this.isPoison(error)) throw error;
    }
    const results: (Result | Error)[] = [];
    for (const change of changes) {
      try {
        results.push(...(await this.write([change])));
      } catch (error) {
        results.push(error instanceof Error ? error : new Error('The change could not be written.', { cause: error }));
      }
    }
    return results;
  }
}
