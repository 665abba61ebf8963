type Config = Readonly<Record<string, unknown>>;

/**
 * A stored config with changes merged key by key: null removes. A field has one spelling afterwards, that of the change:
 * with two, the reader might use the old one.
 * @param fieldOf the field that a key means, however it is spelled
 */
export function mergeConfig(
  stored: Config,
  changes: Config,
  fieldOf: (key: string) => string,
): Record<string, unknown> {
  const changed = new Set(Object.keys(changes).map(fieldOf));
  const kept = Object.entries(stored).filter(([key]) => Object.hasOwn(changes, key) || !changed.has(fieldOf(key)));
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(kept), ...changes }).filter(([key]) => !isRemoved(changes, key)),
  );
}

function isRemoved(changes: Config, key: string): boolean {
  return Object.hasOwn(changes, key) && changes[key] === null;
}
