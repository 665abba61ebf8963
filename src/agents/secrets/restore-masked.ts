type Config = Readonly<Record<string, unknown>>;

/**
 * The changes with the stored value wherever only what was shown of it is sent back, at any depth: a client that reads an agent,
 * edits one field and sends the whole config must not overwrite secrets it has never seen.
 * @param shown the stored config in every way in which it is shown without its secrets
 */
export function restoreMasked(changes: Config, stored: Config, shown: readonly Config[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([key, part]) => {
      if (!Object.hasOwn(stored, key)) return [key, part];
      const parts = partsOf(shown, key);
      // As a whole first: names of fields may have been shown otherwise too.
      const isShown = parts.some((one) => JSON.stringify(one) === JSON.stringify(part));
      return [key, isShown ? stored[key] : restored(part, stored[key], parts)];
    }),
  );
}

function restored(value: unknown, stored: unknown, shown: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return shown.includes(value) ? stored : value;
  if (Array.isArray(value)) {
    if (!Array.isArray(stored)) return value;
    const lists = shown.filter((one) => Array.isArray(one));
    return value.map((item, place) => {
      const parts = lists.filter(({ length }) => place < length).map((list): unknown => list[place]);
      return restored(item, stored[place], parts);
    });
  }
  if (!isDocument(value) || !isDocument(stored)) return value;
  const documents = shown.filter(isDocument);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      Object.hasOwn(stored, key) ? restored(part, stored[key], partsOf(documents, key)) : part,
    ]),
  );
}

function partsOf(documents: readonly Config[], key: string): readonly unknown[] {
  return documents.filter((document) => Object.hasOwn(document, key)).map((document) => document[key]);
}

function isDocument(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
