/** The longest label before the patient's message: `You: …`. */
const MOST_LABEL = 24;
/**
 * How many characters of new lines are searched for the patient's message, from the end: more would hold up everything else.
 * Lines that are far too long to be part of it do not count.
 */
const MAX_SEARCHED = 256 * 1024;
/** Replaces a line that is too long to be part of the message: longer than any label, and of characters that no compared text has. */
const BARRIER = '\n'.repeat(MOST_LABEL + 1);

/** Only letters and digits count: a page may render the patient's message in its own way. */
function essence(text: string): string {
  const letters = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
  return letters === '' ? text.trim() : letters;
}

/** Whether a text is the message and nothing else. */
export function isMessage(text: string, message: string): boolean {
  const wanted = essence(message);
  return !isTooLong(text, wanted) && essence(text) === wanted;
}

/**
 * The lines after the patient's own message; all of them where the page does not show it (again), or shows it only before more text
 * than is searched.
 * @returns none when the message is there and nothing follows it
 */
export function linesAfterMessage(lines: readonly string[], message: string): readonly string[] {
  const wanted = essence(message);
  const { first, text, starts, ends } = joined(lines, wanted);
  let from = 0;
  for (const [index, end] of ends.entries()) {
    const start = end - wanted.length;
    // The message begins where a line does, or after a label there.
    while ((starts[from] ?? end) < start - MOST_LABEL) from += 1;
    if (start >= 0 && (starts[from] ?? end) <= start && text.slice(start, end) === wanted) {
      return lines.slice(first + index + 1);
    }
  }
  return lines;
}

/** How many times one line, or several consecutive ones, are the patient's message and nothing else. */
export function countMessage(lines: readonly string[], message: string): number {
  const wanted = essence(message);
  const { text, starts, ends } = joined(lines, wanted);
  const lineEnds = new Set(ends);
  return starts.filter((start) => {
    const end = start + wanted.length;
    return lineEnds.has(end) && text.slice(start, end) === wanted;
  }).length;
}

interface Joined {
  /** Index of the first line that is searched. */
  readonly first: number;
  /** The normalized text of all of them, each computed once. */
  readonly text: string;
  /** Where each of them starts and ends in it. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

function joined(lines: readonly string[], wanted: string): Joined {
  const parts: string[] = [];
  let left = MAX_SEARCHED;
  for (const line of lines.toReversed()) {
    const letters = isTooLong(line, wanted) ? BARRIER : essence(line);
    // One character may become several.
    left -= letters === BARRIER ? 0 : Math.max(line.length, letters.length);
    if (left < 0) break;
    parts.push(letters.length > wanted.length + MOST_LABEL ? BARRIER : letters);
  }
  parts.reverse();
  const starts: number[] = [];
  const ends: number[] = [];
  let length = 0;
  for (const part of parts) {
    starts.push(length);
    length += part.length;
    ends.push(length);
  }
  return { first: lines.length - parts.length, text: parts.join(''), starts, ends };
}

/** Many times as long as the message: it is something else, whatever surrounds its letters, so it is not normalized. */
function isTooLong(line: string, wanted: string): boolean {
  return line.length > 4 * wanted.length + 1_000;
}
