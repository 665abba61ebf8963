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
  const { what, known, fields, read, patch } = change;
  for (let attempt = 1; ; attempt += 1) {
    const { item, etag } = await read();
    const now = new Map<string, unknown>(Object.entries(item));
    const names = Object.keys(fields);
    const told = names.filter((name) => now.has(name));
    if (told.length === names.length && hasAll(now, fields, names)) return item;
    // Some answers leave out a field, which cannot be compared then.
    if (!hasAll(now, known, told)) {
      throw new CommandFailure(
        `${what} was changed by somebody else meanwhile, and is left as they made it. Try again.`,
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
