import DataLoader from 'dataloader';

/** The loader takes no null for a key; a question may have one. */
interface Question<Key> {
  readonly key: Key;
}

/**
 * One query for all callers that ask at the same time. Requests that arrive while a query is under way share the *next* one,
 * never the one in flight: that may have looked at the rows before the caller's own write was committed. So a client whose write
 * was answered reads it (read-your-writes), and nothing is cached or outlives its readers.
 *
 * Under load there is at most one query in flight, and each answer is made once for all who wait for it: let `read` do the
 * serializing too. Keys are compared like the keys of a Map.
 */
export class SharedRead<Key, Result> {
  private inFlight: Promise<unknown> = Promise.resolve();
  private readonly loader: DataLoader<Question<Key>, Result>;

  /**
   * @param read answers in the order of its keys, which are all different; an Error is the answer of its own key alone, a
   *   rejection reaches every caller that waits
   */
  constructor(private readonly read: (keys: readonly Key[]) => Promise<readonly (Result | Error)[]>) {
    this.loader = new DataLoader((questions) => this.readOnce(questions.map(({ key }) => key)), {
      cache: false,
      batchScheduleFn: (dispatch) => void this.inFlight.then(dispatch),
    });
  }

  /** @throws what `read` rejects with, or Error when its answer leaves the key out */
  load(key: Key): Promise<Result> {
    return this.loader.load({ key });
  }

  private async readOnce(keys: readonly Key[]): Promise<(Result | Error)[]> {
    const distinct = [...new Set(keys)];
    const reading = this.read(distinct);
    this.inFlight = reading.catch(() => undefined);
    const results = await reading;
    const resultOf = new Map(results.map((result, position) => [distinct[position], result]));
    return keys.map((key) => {
      const result = resultOf.get(key);
      return result === undefined ? new Error('A shared read gave no answer for one of its keys.') : result;
    });
  }
}
