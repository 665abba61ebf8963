import type * as z from 'zod/mini';
import { callForNothing, callTagged, type Call } from './client';

/** An item and its ETag. */
export type Tagged<Item> = Item & { readonly etag: string | null };

/** Resources that are listed and viewed, and where the page shows them. */
export interface Readable<Item> {
  /** The address of the list; an item's is below it. Also its name in the cache. */
  readonly view: string;
  /** All of them. */
  readonly list: (signal: AbortSignal) => Promise<Item[]>;
  readonly get: (id: string, signal: AbortSignal) => Promise<Item>;
}

/** Resources that are also created, changed and deleted. */
export interface Resource<Item, Fields, Changes> extends Readable<Item> {
  readonly get: (id: string, signal: AbortSignal) => Promise<Tagged<Item>>;
  readonly idOf: (item: Item) => string;
  /** @param idempotencyKey the same fields sent again with it create nothing again */
  readonly create: (fields: Fields, idempotencyKey: string) => Promise<Item>;
  /** @param changes fields left out stay as they are */
  readonly update: (id: string, changes: Changes) => Promise<Item>;
  /** The same, only for the state with this ETag. @throws ApiError of status 412 when the state is another by now */
  readonly patch: (id: string, changes: object, etag: string | null) => Promise<Tagged<Item>>;
  readonly remove: (id: string) => Promise<void>;
}

interface Place<Schema extends z.ZodMiniType<object>> {
  readonly view: string;
  /** Path of the collection, such as `/api/v1/agents`. */
  readonly api: string;
  readonly item: Schema;
  readonly idOf: (item: z.output<Schema>) => string;
  /** Reads one page of the list. @param page its query: empty for the first, which is usually the whole list */
  readonly list: (page: string, signal: AbortSignal) => Promise<z.output<Schema>[]>;
}

/** The most items in one answer when no limit is given. */
const A_PAGE = 1_000;

/** Reads a list page after page, each item once, even when items are stored or deleted while it reads. */
async function everyItem<Item>(
  read: (page: string) => Promise<readonly Item[]>,
  idOf: (item: Item) => string,
): Promise<Item[]> {
  const items = new Map<string, Item>();
  let offset = 0;
  for (;;) {
    const known = items.size;
    const page = await read(offset === 0 ? '' : `?limit=${A_PAGE}&offset=${offset}`);
    for (const item of page) items.set(idOf(item), item);
    offset += page.length;
    if (page.length < A_PAGE || items.size === known) return [...items.values()];
  }
}

export function resourceAt<Fields, Changes, Schema extends z.ZodMiniType<object>>({
  view,
  api,
  item,
  idOf,
  list,
}: Place<Schema>): Resource<z.output<Schema>, Fields, Changes> {
  const path = (id: string) => `${api}/${encodeURIComponent(id)}`;
  const one = async (id: string, options: Call): Promise<Tagged<z.output<Schema>>> => {
    const { answer, etag } = await callTagged(item, path(id), options);
    return { ...answer, etag };
  };
  return {
    view,
    idOf,
    list: (signal) => everyItem((page) => list(page, signal), idOf),
    get: (id, signal) => one(id, { signal }),
    create: async (fields, idempotencyKey) => {
      const { answer, etag } = await callTagged(item, api, { method: 'POST', body: fields, idempotencyKey });
      return { ...answer, etag };
    },
    update: (id, changes) => one(id, { method: 'PATCH', body: changes }),
    patch: (id, changes, etag) => one(id, { method: 'PATCH', body: changes, etag }),
    remove: (id) => callForNothing(path(id), { method: 'DELETE' }),
  };
}
