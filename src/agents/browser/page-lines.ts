/** How many lines of a page are read, counted from the end: no reader follows more, and each costs time in every read. */
export const MAX_LINES = 20_000;

/** The non-empty lines of texts, trimmed. */
export function linesOf(texts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const text of texts.toReversed()) {
    for (let end = text.length; end >= 0 && lines.length < MAX_LINES;) {
      const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
      const line = start === end ? '' : text.slice(start, end).trim();
      if (line !== '') lines.push(line);
      end = start - 1;
    }
  }
  return lines.reverse();
}
