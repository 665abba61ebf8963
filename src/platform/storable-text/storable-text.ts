/**
 * JSON text that PostgreSQL accepts wherever it turns JSON strings into text: NUL and lone surrogates, which text
 * columns cannot hold, become U+FFFD. Model output and agent replies may contain either.
 */
export function toStorableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!UNSTORABLE_ESCAPE.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return storableText(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [storableText(key), inner]));
  });
}

/** Text as a row returns it: what is published of it is then what is read of it later. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** May match a harmless literal backslash too; that only costs the slower path. */
const UNSTORABLE_ESCAPE = /\\u(0000|d[89a-f])/i;
