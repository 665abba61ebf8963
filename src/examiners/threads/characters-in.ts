/** The characters of all strings in a value; the counting stops beyond `enough`. */
export function charactersIn(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  let count = 1;
  if (typeof value !== 'object' || value === null) return count;
  const parts: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const part of parts) {
    count += charactersIn(part, enough - count);
    if (count > enough) break;
  }
  return count;
}
