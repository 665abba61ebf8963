import { isDeepStrictEqual } from 'node:util';
import { CommandFailure, RefusedFailure } from '../failure';

/** An answer, and what names its state; null from a service that does not say. */
export interface Tagged<Item> {
  readonly item: Item;
  readonly etag: string | null;
}

/** A change that was made from what was read a while ago. */
export interface Change<Item extends object> {
  /** As in `The suite "Gate" …`. */
  readonly what: string;
  /** What it was made from. */
  readonly known: Item;
  /** Body of the PATCH: fields as they are to be. */
  readonly fields: object;
  /** The fields as they will be, where the service merges what it is sent into what it has. */
  readonly result?: object;
  /** Fields that the change rests on without changing them. */
  readonly basis?: readonly string[];
  readonly read: () => Promise<Tagged<Item>>;
  readonly patch: (etag: string | null) => Promise<Item>;
}

/** Whoever keeps saving other fields of the same resource is not waited for. */
const ATTEMPTS = 4;
const PRECONDITION_FAILED = 412;

/**
 * Changes fields only while they are what the change was made from; other fields may have been changed meanwhile. What is as wanted already
 * needs no change: a change whose answer was lost, and which was therefore sent again, is found made.
 * @throws CommandFailure when somebody else has changed one of the fields, and nothing was changed
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
    // Some answers leave out a field, which cannot be compared then.
    if (!isBasisKept || !hasAll(now, known, told)) {
      throw new CommandFailure(
        `${what} was changed by somebody else meanwhile, and is left as they made it. Look at it, then try again.`,
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
