/** More changes than this make it another word. */
const MOST_CHANGES = 3;

/** The known name that a misspelt one most resembles; null when none does. */
export function nearestName(given: string, known: readonly string[]): string | null {
  const ranked = known
    .map((name) => ({ name, changes: changesBetween(given.toLowerCase().slice(0, 100), name) }))
    .filter(({ name, changes }) => changes <= Math.min(MOST_CHANGES, Math.ceil(name.length / 2)))
    .sort((one, other) => one.changes - other.changes);
  return ranked[0]?.name ?? null;
}

/** How many characters have to be added, taken away or replaced (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, character] of Array.from(one).entries()) {
    const next = [line + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (character === other[at - 1] ? 0 : 1);
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
