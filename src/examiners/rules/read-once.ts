/** Readings that are kept of one kind. */
const MOST_KEPT = 1_000;
/** A longer text is read anew each time: what is kept stays below some megabytes, whatever is said. */
const LONGEST_KEPT = 4_000;

/**
 * The same reading of a text, worked out once while the text is among the last thousand or so: a card, a criterion and what was said are
 * read again in every turn. What is read must depend on the text alone, and nobody may change it.
 */
export function readOnce<Value>(read: (text: string) => Value): (text: string) => Value {
  let recent = new Map<string, Value>();
  let older = new Map<string, Value>();
  return (text) => {
    if (text.length > LONGEST_KEPT) return read(text);
    const known = recent.get(text);
    if (known !== undefined) return known;
    const value = older.get(text) ?? read(text);
    // Two halves, of which the older one is dropped as a whole: a text that is asked for again moves to the newer.
    if (recent.size >= MOST_KEPT / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, value);
    return value;
  };
}
