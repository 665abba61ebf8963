/** An item and its ETag. */
export type Tagged<Item> = Item & { readonly etag: string | null };

/** Resources that are listed and viewed, and where the page shows them. */
export interface Readable<Item> {
  /** The address of the list; an item's is below it. Also its name in the cache. */
  readonly view: string;
  /** All of them. */
  readonly list: (signal: AbortSignal) => Promise<readonly Item[]>;
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
  readonly patch: (id: string, changes: Changes, etag: string | null) => Promise<Tagged<Item>>;
  readonly remove: (id: string) => Promise<void>;
}

interface Answered<Item> {
  readonly answer: Item;
  readonly etag: string | null;
}

/** Which part of a list: nothing for the first page, which is usually the whole list. */
interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
}

/** The calls of a resource. */
interface Calls<Item, Fields, Changes> {
  readonly view: string;
  readonly idOf: (item: Item) => string;
  readonly list: (page: PageQuery, signal: AbortSignal) => Promise<readonly Item[]>;
  readonly get: (id: string, signal: AbortSignal) => Promise<Answered<Item>>;
  readonly create: (fields: Fields, idempotencyKey: string) => Promise<Answered<Item>>;
  /** @param etag of the state to change; null for any state */
  readonly change: (id: string, changes: Changes, etag: string | null) => Promise<Answered<Item>>;
  readonly remove: (id: string) => Promise<void>;
}

/** The most items in one answer when no limit is given. */
const A_PAGE = 1_000;

/** Reads a list page after page, each item once, even when items are stored or deleted while it reads. */
async function everyItem<Item>(
  read: (page: PageQuery) => Promise<readonly Item[]>,
  idOf: (item: Item) => string,
): Promise<Item[]> {
  const items = new Map<string, Item>();
  let offset = 0;
  for (;;) {
    const known = items.size;
    const page = await read(offset === 0 ? {} : { limit: A_PAGE, offset });
    for (const item of page) items.set(idOf(item), item);
    offset += page.length;
    if (page.length < A_PAGE || items.size === known) return [...items.values()];
  }
}

export function resourceOf<Item extends object, Fields, Changes>({
  view,
  idOf,
  list,
  get,
  create,
  change,
  remove,
}: Calls<Item, Fields, Changes>): Resource<Item, Fields, Changes> {
  const tagged = ({ answer, etag }: Answered<Item>): Tagged<Item> => ({ ...answer, etag });
  return {
    view,
    idOf,
    list: (signal) => everyItem((page) => list(page, signal), idOf),
    get: async (id, signal) => tagged(await get(id, signal)),
    create: async (fields, idempotencyKey) => tagged(await create(fields, idempotencyKey)),
    update: async (id, changes) => tagged(await change(id, changes, null)),
    patch: async (id, changes, etag) => tagged(await change(id, changes, etag)),
    remove,
  };
}
