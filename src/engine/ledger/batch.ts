/** A change that waits to be written, and what its batch needs to know of it. */
export interface Waiting<Change, Result> {
  readonly change: Change;
  /** Two changes of one row never share a statement, which would apply only one of them. */
  readonly row: string;
  /** Whose lock it needs. */
  readonly run: string;
  readonly chars: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes in one batch: more of them make every one wait longer than they save. */
const MOST_CHANGES = 200;
/**
 * Text in one batch; a single change may be larger. Several times as much memory is needed on both sides for a moment, and the
 * driver writes all of it into its buffer in one turn of the event loop.
 */
const MOST_CHARS = 1024 * 1024;

/**
 * Takes from the front what can be written together. The rest stays in its order, so that a later change of a row never
 * overtakes an earlier one.
 */
export function takeBatch<Change, Result>(queue: Waiting<Change, Result>[]): Waiting<Change, Result>[] {
  const batch: Waiting<Change, Result>[] = [];
  const later: Waiting<Change, Result>[] = [];
  const rows = new Set<string>();
  let chars = 0;
  let seen = 0;
  for (const waiting of queue) {
    const isFull = batch.length >= MOST_CHANGES || (batch.length > 0 && chars + waiting.chars > MOST_CHARS);
    if (isFull) break;
    seen += 1;
    if (rows.has(waiting.row)) {
      later.push(waiting);
      continue;
    }
    rows.add(waiting.row);
    chars += waiting.chars;
    batch.push(waiting);
  }
  queue.splice(0, seen, ...later);
  return batch;
}
