/** V8's own search is quick for these whatever the text: at most as many comparisons a place. */
const SHORT = 32;

/**
 * Text that is looked for in texts, both from outside. V8's search compares anew from each place: a needle of 200,000 characters in a
 * text of 440,000 takes it 6 s. This one never looks back in the text (Knuth, Morris and Pratt, 1977): its time grows with the length of
 * the two.
 */
export class Needle {
  /** For each beginning of the needle, how long its longest end is that the needle begins with. */
  private readonly borders: Int32Array | null;

  constructor(readonly text: string) {
    this.borders = text.length <= SHORT ? null : bordersOf(text);
  }

  /** Where it begins in a text, at or after `from`; -1 where it does not. As `text.indexOf`. */
  indexIn(text: string, from = 0): number {
    const { borders, text: needle } = this;
    if (borders === null) return text.indexOf(needle, from);
    const { value = -1 } = this.placesIn(text, from).next();
    return value;
  }

  /** Everywhere it begins in a text, from left to right, overlapping places too; an empty needle nowhere. */
  *placesIn(text: string, from = 0): Generator<number, undefined> {
    const { borders, text: needle } = this;
    if (borders === null) {
      for (let at = text.indexOf(needle, from); at >= 0 && needle !== ''; at = text.indexOf(needle, at + 1)) yield at;
      return;
    }
    let matched = 0;
    for (let at = Math.max(0, from); at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
      if (needle.charCodeAt(matched) === unit) matched += 1;
      if (matched < needle.length) continue;
      yield at - matched + 1;
      matched = borders[matched - 1] ?? 0;
    }
  }

  isIn(text: string): boolean {
    return this.indexIn(text) !== -1;
  }

  /** The text with `by` in place of each, from left to right. As `text.replaceAll` with a text; an empty needle replaces nothing. */
  replaceIn(text: string, by: string): string {
    if (this.text === '') return text;
    const pieces: string[] = [];
    let at = 0;
    for (let found = this.indexIn(text); found !== -1; found = this.indexIn(text, at)) {
      pieces.push(text.slice(at, found), by);
      at = found + this.text.length;
    }
    return at === 0 ? text : pieces.join('') + text.slice(at);
  }
}

function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length);
  let matched = 0;
  for (let at = 1; at < needle.length; at += 1) {
    const unit = needle.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched += 1;
    borders[at] = matched;
  }
  return borders;
}

/** Whether one text from outside holds another: as `text.includes(part)`, in time that grows with the length of the two. */
export function holdsText(text: string, part: string): boolean {
  return part.length <= text.length && new Needle(part).isIn(text);
}

const WORD = /[\p{L}\p{N}\p{M}]/u;

/** Where words begin in a text with no letter directly before or after them; otherwise where they are found at all, else -1. */
export function indexOfWords(text: string, words: string): number {
  let first = -1;
  for (const at of new Needle(words).placesIn(text)) {
    if (!splitsWord(text, at) && !splitsWord(text, at + words.length)) return at;
    if (first < 0) first = at;
  }
  return first;
}

function splitsWord(text: string, at: number): boolean {
  return WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));
}
