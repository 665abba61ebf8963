/** The longest piece; longer sentences are cut at white space. */
const MAX_SENTENCE = 500;

/** A full stop after one of these does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|vs|approx|no|e\.g|i\.e|etc|[a-z])\.$/i;
/** "2." at the start of a sentence numbers it. */
const LIST_NUMBER = /^\s*\d{1,2}\.$/;
const TERMINATORS = new Set(['.', '!', '?', '…', '。', '！', '？']);
const CLOSERS = new Set(['"', "'", '”', '’', ')', ']', '*', '_', '»']);

/**
 * The sentences of a text in order, each word for word as written. A line end also ends a sentence; surrounding white space
 * is left out. Takes time in proportion to the text, whatever it is.
 */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\n' || character === '\r') {
      take(text, start, at, sentences);
      start = at + 1;
    } else if (TERMINATORS.has(character)) {
      // A run of terminators that does not end a sentence is walked once, not once from each of its characters.
      if (at >= end) end = closing(text, at + 1);
      if (!endsSentence(text, start, at, end)) continue;
      take(text, start, end, sentences);
      start = end;
      at = end - 1;
    }
  }
  take(text, start, text.length, sentences);
  return sentences;
}

/** After the last terminator and closing mark that follow. */
function closing(text: string, from: number): number {
  let at = from;
  while (at < text.length && (TERMINATORS.has(text[at] ?? '') || CLOSERS.has(text[at] ?? ''))) at += 1;
  return at;
}

function endsSentence(text: string, start: number, at: number, end: number): boolean {
  if ('。！？'.includes(text[at] ?? ' ')) return true;
  if (end < text.length && !/\s/.test(text[end] ?? '')) return false;
  if (at - start < 6 && LIST_NUMBER.test(text.slice(start, at + 1))) return false;
  return text[at] !== '.' || !ABBREVIATION.test(text.slice(Math.max(start, at - 8), at + 1));
}

function take(text: string, start: number, end: number, into: string[]): void {
  let from = start;
  while (from < end) {
    let to = end;
    if (end - from > MAX_SENTENCE) {
      to = from + MAX_SENTENCE;
      while (to > from && !/\s/.test(text[to] ?? '')) to -= 1;
      // A run without white space is kept whole, whatever its length.
      if (to === from) {
        to = from + MAX_SENTENCE;
        while (to < end && !/\s/.test(text[to] ?? '')) to += 1;
      }
    }
    const sentence = text.slice(from, to).trim();
    if (sentence !== '') into.push(sentence);
    from = to;
  }
}

/**
 * A text without any trailing characters that are in `characters`. A regular expression (`/[.\\s]+$/`) would walk every
 * run of them inside the text once from each of the run's characters.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Begins a criterion with negative points that was made from a prohibition, which follows as its author wrote it: turning "never
 * give aspirin to children" into the act itself would mean rewriting clinical text by machine. MET means the rule was broken.
 */
export const BREAKS_RULE = 'Breaks the rule: ';
