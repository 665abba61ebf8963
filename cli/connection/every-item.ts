/** The most items in one answer when no limit is given. */
const A_PAGE = 1_000;

/** Which page: nothing for the first, which is usually the whole list. */
export interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * Reads a list page after page, each item once, even when items are stored or deleted while it reads. The first page is requested without
 * a limit: it is usually the whole list.
 */
export async function everyItem<Item>(
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
