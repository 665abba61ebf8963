/** A token of a text that numbers are read from: digits, a word, or a single mark. */
export interface Piece {
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'digits' | 'word' | 'mark';
}

const PIECE = /\d+(?:[.,]\d+)*|\p{L}+|[^\s\p{L}\d]/gu;

export function piecesOf(text: string): Piece[] {
  return Array.from(text.matchAll(PIECE), ({ 0: piece, index }): Piece => {
    const kind = /^\d/.test(piece) ? 'digits' : /^\p{L}/u.test(piece) ? 'word' : 'mark';
    return { lower: piece.toLowerCase(), start: index, end: index + piece.length, kind };
  });
}

const SMALL = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen`
    .split(' ')
    .map((word, value): [string, number] => [word, value]),
);
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, at): [string, number] => [word, (at + 2) * 10]),
);
const SCALES = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
]);
const COUNTS = new Map([
  ['couple', 2],
  ['dozen', 12],
  ['twice', 2],
  ['thrice', 3],
]);

/** A number that begins at a piece, and the index of the piece after it. */
export interface ReadNumber {
  readonly value: number;
  readonly next: number;
}

/** The number in digits or words that begins at this piece; null when none does. */
export function numberAt(pieces: readonly Piece[], at: number): ReadNumber | null {
  const piece = pieces[at];
  if (piece === undefined) return null;
  if (piece.kind === 'digits') {
    const value = digitsValue(piece.lower);
    return value === null ? null : withHalf(pieces, { value, next: at + 1 });
  }
  return piece.kind === 'word' ? spelledAt(pieces, at) : null;
}

/** "1,000" and "1,000.5" are thousands, "38,6" and "38.6" are not; "1.000,5" and "1.2.3" are not numbers. */
function digitsValue(digits: string): number | null {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits.replace(',', '.');
  const value = Number(grouped);
  return Number.isFinite(value) ? value : null;
}

function spelledAt(pieces: readonly Piece[], at: number): ReadNumber | null {
  const first = pieces[at]?.lower ?? '';
  const count = COUNTS.get(first);
  if (count !== undefined) return { value: count, next: at + 1 };
  // "a hundred", "a couple", "half a dozen"
  const next = pieces[at + 1]?.lower ?? '';
  if (first === 'a' && (SCALES.has(next) || COUNTS.has(next))) return spelledAfterArticle(pieces, at + 1);
  if (first === 'half' && next === 'a' && pieces[at + 2]?.lower === 'dozen') return { value: 6, next: at + 3 };
  const below = belowHundredAt(pieces, at);
  if (below === null) return null;
  let { value, next: end } = below;
  for (let scale = SCALES.get(pieces[end]?.lower ?? ''); scale !== undefined;) {
    value *= scale;
    end += 1;
    const from = pieces[end]?.lower === 'and' ? end + 1 : end;
    const rest = belowHundredAt(pieces, from);
    scale = undefined;
    if (rest === null) continue;
    value += rest.value;
    end = rest.next;
    scale = SCALES.get(pieces[end]?.lower ?? '');
  }
  return withHalf(pieces, { value, next: end });
}

function spelledAfterArticle(pieces: readonly Piece[], at: number): ReadNumber | null {
  const word = pieces[at]?.lower ?? '';
  const value = SCALES.get(word) ?? COUNTS.get(word);
  return value === undefined ? null : { value, next: at + 1 };
}

function belowHundredAt(pieces: readonly Piece[], at: number): ReadNumber | null {
  const word = pieces[at]?.lower ?? '';
  const small = SMALL.get(word);
  if (small !== undefined) return { value: small, next: at + 1 };
  const tens = TENS.get(word);
  if (tens === undefined) return null;
  const from = pieces[at + 1]?.lower === '-' ? at + 2 : at + 1;
  const ones = SMALL.get(pieces[from]?.lower ?? '') ?? 0;
  return ones > 0 && ones < 10 ? { value: tens + ones, next: from + 1 } : { value: tens, next: at + 1 };
}

/** "two and a half". */
function withHalf(pieces: readonly Piece[], read: ReadNumber): ReadNumber {
  const words = [0, 1, 2].map((offset) => pieces[read.next + offset]?.lower ?? '');
  return words.join(' ') === 'and a half' ? { value: read.value + 0.5, next: read.next + 3 } : read;
}
