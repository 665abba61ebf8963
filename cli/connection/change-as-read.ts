import { isDeepStrictEqual } from 'node:util';
import { CommandFailure, RefusedFailure } from '../failure';

/** An answer and its ETag; null from a service that sends none. */
export interface Tagged<Item> {
  readonly item: Item;
  readonly etag: string | null;
}

/** A change that is based on an earlier read. */
export interface Change<Item extends object> {
  /** As in `The suite "Gate" …`. */
  readonly what: string;
  /** The resource as it was read. */
  readonly known: Item;
  /** Body of the PATCH: the new values of fields. */
  readonly fields: object;
  /** The resulting fields, where the service merges the body into the stored value. */
  readonly result?: object;
  /** Fields that the change depends on without changing them. */
  readonly basis?: readonly string[];
  readonly read: () => Promise<Tagged<Item>>;
  readonly patch: (etag: string | null) => Promise<Item>;
}

/** Attempts while another client keeps saving other fields of the same resource. */
const ATTEMPTS = 4;
const PRECONDITION_FAILED = 412;

/**
 * Changes fields only while they still have the values that were read; other fields may have changed since. Fields that already have the new
 * values need no change: so a change that was sent again because its answer was lost counts as made.
 * @throws CommandFailure when another client has changed one of the fields; nothing was changed then
 */
export async function changeAsRead<Item extends object>(change: Change<Item>): Promise<Item> {
  const { what, known, fields, result = fields, basis = [], read, patch } = change;
  for (let attempt = 1; ; attempt += 1) {
    const { item, etag } = await read();
    const now = new Map<string, unknown>(Object.entries(item));
    const names = Object.keys(fields);
    const told = names.filter((name) => now.has(name));
    const isBasisKept = hasAll(now, known, basis);
    if (isBasisKept && told.length === names.length && hasAll(now, result, names)) return item;
    // A field that an answer leaves out cannot be compared.
    if (!isBasisKept || !hasAll(now, known, told)) {
      throw new CommandFailure(
        `${what} was changed by another client since it was read, and is left as it is. Look at it, then try again.`,
      );
    }
    try {
      return await patch(etag);
    } catch (error) {
      const isOutdated = error instanceof RefusedFailure && error.status === PRECONDITION_FAILED;
      if (!isOutdated || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Whether the named fields have these values; one that is not given is null. */
function hasAll(now: ReadonlyMap<string, unknown>, values: object, names: readonly string[]): boolean {
  const wanted = new Map<string, unknown>(Object.entries(values));
  return names.every((name) => isDeepStrictEqual(now.get(name) ?? null, wanted.get(name) ?? null));
}
