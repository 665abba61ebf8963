interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_AT_ONCE = 200;

/** What arrives while a statement is under way shares the next one: a lone item is written at once, many cost few commits. */
export class BatchedWrites<Item, Result> {
  private readonly queue: Waiting<Item, Result>[] = [];
  private isWriting = false;

  /** @param write writes all the items or none, and answers in their order */
  constructor(private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  /** Resolves once it is committed; rejects when the statement failed. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      if (this.isWriting) return;
      this.isWriting = true;
      void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    while (this.queue.length > 0) await this.writeBatch(this.queue.splice(0, MOST_AT_ONCE));
    // In the same step as the last look at the queue: whoever comes next begins anew.
    this.isWriting = false;
  }

  /** Never rejects: everybody hears for themselves. */
  private async writeBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, place) => {
        const result = results[place];
        if (result === undefined) reject(new Error('A batch was answered with fewer results than it has items.'));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
