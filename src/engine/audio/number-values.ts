import { ordinalWords, wholeWords } from './number-words';

/** A value, and the place of the first word after it. */
export interface ReadValue {
  readonly value: number;
  readonly next: number;
}

const UP_TO_19 = new Map(Array.from({ length: 20 }, (_, value) => [wholeWords(value), value]));
const TENS = new Map([20, 30, 40, 50, 60, 70, 80, 90].map((value) => [wholeWords(value), value]));
const SCALES: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);
const ORDINALS = new Map(
  Array.from({ length: 31 }, (_, index) => [ordinalWords(index + 1).replace('-', ' '), index + 1]),
);

/** "Nine hundred and ninety-nine billion …" has fewer words. It bounds what is read at each place of a text of number words. */
const MOST_WORDS = 24;
const MOST_DECIMALS = 9;

/**
 * The number whose words begin at a place, as `numberWords` makes them, and with "and a half" or "half a" too; null where none does.
 * The words are those of `comparableWords`, in which "forty-five" is two. A row of digits ("nine one one") is its first digit: it is no amount.
 */
export function readNumber(words: readonly string[], at: number): ReadValue | null {
  if (words[at] === 'half' || (words[at] === 'a' && words[at + 1] === 'half')) return halfAt(words, at);
  const whole = readWhole(words, at);
  if (whole === null) return null;
  const { value, next } = whole;
  if (words[next] === 'and' && words[next + 1] === 'a' && words[next + 2] === 'half') {
    return { value: value + 0.5, next: next + 3 };
  }
  return words[next] === 'point' ? withDecimals(words, whole) : whole;
}

/** "half", "a half" and "half a", before what it is half of. */
function halfAt(words: readonly string[], at: number): ReadValue {
  const next = words[at] === 'half' ? at + 1 : at + 2;
  return { value: 0.5, next: words[next] === 'a' || words[next] === 'an' ? next + 1 : next };
}

function readWhole(words: readonly string[], from: number): ReadValue | null {
  // "a hundred".
  const isArticle = words[from] === 'a' && isScale(words[from + 1]);
  let at = isArticle ? from + 1 : from;
  let total = 0;
  let group: number | null = isArticle ? 1 : null;
  for (let isOver = false; !isOver && at - from < MOST_WORDS;) {
    const small = group === null || (group >= 100 && group % 100 === 0) ? below100(words, at) : null;
    const scale = SCALES.get(words[at] ?? '');
    if (small !== null) {
      group = (group ?? 0) + small.value;
      at = small.next;
    } else if (words[at] === 'hundred' && group !== null && group < 100) {
      group *= 100;
      at += 1;
    } else if (scale !== undefined && group !== null) {
      total += group * scale;
      group = null;
      at += 1;
    } else {
      isOver = true;
    }
  }
  return at === from ? null : { value: total + (group ?? 0), next: at };
}

const isScale = (word: string | undefined) => word === 'hundred' || SCALES.has(word ?? '');

function below100(words: readonly string[], at: number): ReadValue | null {
  const small = UP_TO_19.get(words[at] ?? '');
  if (small !== undefined) return { value: small, next: at + 1 };
  const tens = TENS.get(words[at] ?? '');
  if (tens === undefined) return null;
  const ones = UP_TO_19.get(words[at + 1] ?? '') ?? 0;
  return ones >= 1 && ones <= 9 ? { value: tens + ones, next: at + 2 } : { value: tens, next: at + 1 };
}

function withDecimals(words: readonly string[], { value, next }: ReadValue): ReadValue {
  let digits = '';
  let at = next + 1;
  while (digits.length < MOST_DECIMALS) {
    const digit = UP_TO_19.get(words[at] ?? '');
    if (digit === undefined || digit > 9) break;
    digits += String(digit);
    at += 1;
  }
  return digits === '' ? { value, next } : { value: Number(`${value}.${digits}`), next: at };
}

/** "first" to "thirty-first", as the days of a month. */
export function readOrdinal(words: readonly string[], at: number): ReadValue | null {
  const two = ORDINALS.get(`${words[at] ?? ''} ${words[at + 1] ?? ''}`);
  if (two !== undefined) return { value: two, next: at + 2 };
  const one = ORDINALS.get(words[at] ?? '');
  return one === undefined ? null : { value: one, next: at + 1 };
}
