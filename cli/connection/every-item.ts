/** The most items in one answer when no limit is given. */
const A_PAGE = 1_000;

/** Query parameters of one page; none for the first. */
export type PageQuery = Readonly<Record<string, string>>;

/** `?a=b`, or an empty text. */
export function queryOf(parameters: PageQuery): string {
  const query = new URLSearchParams(parameters).toString();
  return query === '' ? '' : `?${query}`;
}

/**
 * Reads a list page after page, each item once, even when items are stored or deleted while it reads. The first page is requested without
 * a limit: an older service answers it, and every later page, with the whole list, which also ends the reading.
 */
export async function everyItem<Item>(
  read: (page: PageQuery) => Promise<readonly Item[]>,
  idOf: (item: Item) => string,
): Promise<Item[]> {
  const items = new Map<string, Item>();
  let offset = 0;
  for (;;) {
    const known = items.size;
    const page = await read(offset === 0 ? {} : { limit: String(A_PAGE), offset: String(offset) });
    for (const item of page) items.set(idOf(item), item);
    offset += page.length;
    if (page.length < A_PAGE || items.size === known) return [...items.values()];
  }
}
