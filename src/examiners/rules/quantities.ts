import { numberAt, piecesOf, type Piece } from './number-words';

/**
 * A number in a text with what it counts, in a form in which "two days", "2 days" and "48 hours" are equal.
 * `unit`: the base unit of a measure (`minute`, `month`, `mg`, `kg`, `degree` …), `scale` ("seven out of ten"), `clock` (minutes after
 * twelve), `things` (the number counts something: "two tablets"), or null for a bare number.
 */
export interface Quantity {
  /** The number as it was said. */
  readonly count: number;
  /** In the base unit. */
  readonly value: number;
  readonly unit: string | null;
  /** As written in the text. */
  readonly text: string;
}

interface Unit {
  readonly base: string;
  readonly factor: number;
}

const UNITS: ReadonlyMap<string, Unit> = new Map(
  `
minute 1: minute minutes min mins
minute 60: hour hours hr hrs
minute 1440: day days night nights
minute 10080: week weeks wk wks
minute 20160: fortnight fortnights
month 1: month months
month 12: year years yr yrs
mg 0.001: mcg microgram micrograms µg ug
mg 1: mg milligram milligrams milligramme milligrammes
mg 1000: gram grams gramme grammes
kg 1: kg kilo kilos kilogram kilograms
lb 1: lb lbs pound pounds
stone 1: stone stones
ml 1: ml millilitre millilitres milliliter milliliters
ml 1000: litre litres liter liters
cm 0.1: mm millimetre millimetres millimeter millimeters
cm 1: cm centimetre centimetres centimeter centimeters
cm 100: metre metres meter meters
foot 1: foot feet
inch 1: inch inches
mile 1: mile miles
km 1: km kilometre kilometres kilometer kilometers
degree 1: degree degrees ° ℃ ℉ celsius fahrenheit
percent 1: % percent
mmol 1: mmol millimoles
`
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [head = '', words = ''] = line.split(': ');
      const [base = '', factor = '1'] = head.split(' ');
      return words.split(' ').map((word): [string, Unit] => [word, { base, factor: Number(factor) }]);
    }),
);

/** Units of one letter directly follow their number: "5g", "38.6 C". */
const LETTERS: ReadonlyMap<string, Unit> = new Map([
  ['g', { base: 'mg', factor: 1_000 }],
  ['h', { base: 'minute', factor: 60 }],
  ['c', { base: 'degree', factor: 1 }],
  ['f', { base: 'degree', factor: 1 }],
  ['m', { base: 'cm', factor: 100 }],
  ['l', { base: 'ml', factor: 1_000 }],
]);

/** May stand between a number and its unit: "two whole days". */
const BETWEEN = new Set('more full whole good straight long solid consecutive extra - of'.split(' '));
/** Words after a number that are not what it counts. */
const NOT_COUNTED = new Set(
  `a an the at in on of to from for with and or but out over is are was were it i he she they you we my your that which when
   because since so if as than then now ago per each every by this these there am pm o'clock percent`.split(/\s+/),
);
const MULTIPLES = new Set(['twice', 'thrice']);
/** Words before "a week" that make it one week, not "each week" as in "twice a week". */
const BEFORE_ONE = new Set('for about after nearly almost over within than around roughly since past every'.split(' '));
/** The end of a scale says nothing by itself: "out of ten". */
const SCALE_ENDS = new Set([5, 10, 100]);
const MINUTES_A_MONTH = 43_800;

/** The numbers of a text with their units, in order. Takes time in proportion to the text. */
export function quantitiesIn(text: string): Quantity[] {
  const pieces = piecesOf(text);
  const found: Quantity[] = [];
  let at = 0;
  while (at < pieces.length) {
    const read = clockAt(pieces, at) ?? oneAt(pieces, at) ?? halfAt(pieces, at) ?? measuredAt(pieces, at);
    if (read === null) {
      at += 1;
      continue;
    }
    const { next, ...quantity } = read;
    if (!isPartOfWord(pieces, at)) {
      found.push({ ...quantity, text: text.slice(pieces[at]?.start, pieces[next - 1]?.end) });
    }
    at = next;
  }
  return found;
}

/** Whether a number that was said can be one of these. */
export function isAmong(said: Quantity, known: readonly Quantity[]): boolean {
  return known.some((quantity) => isSame(said, quantity));
}

function isSame(said: Quantity, known: Quantity): boolean {
  const [one, other] = [timeOf(said), timeOf(known)];
  if (one !== null && other !== null) {
    // Months and weeks have no common measure: "four weeks" may be "a month".
    return said.unit === known.unit ? isEqual(one, other) : Math.abs(one - other) <= 0.1 * other;
  }
  if (said.unit === known.unit) return isEqual(said.value, known.value);
  if (said.unit !== null && known.unit !== null) return false;
  // "Three" may refer to "three days".
  return isEqual(said.count, known.count);
}

function isEqual(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-6 * Math.max(1, other);
}

function timeOf({ value, unit }: Quantity): number | null {
  if (unit === 'minute') return value;
  return unit === 'month' ? value * MINUTES_A_MONTH : null;
}

type Read = Omit<Quantity, 'text'> & { readonly next: number };

function word(pieces: readonly Piece[], at: number): string {
  return pieces[at]?.lower ?? '';
}

/** "7:30", "half past seven", "quarter to eight". */
function clockAt(pieces: readonly Piece[], at: number): Read | null {
  const first = word(pieces, at);
  const middle = word(pieces, at + 1);
  if (middle === ':' && /^\d{1,2}$/.test(first) && /^\d\d$/.test(word(pieces, at + 2))) {
    const hour = Number(first);
    return { count: hour, value: (hour % 12) * 60 + Number(word(pieces, at + 2)), unit: 'clock', next: at + 3 };
  }
  const minutes = first === 'half' ? 30 : first === 'quarter' ? 15 : null;
  if (minutes === null || (middle !== 'past' && middle !== 'to')) return null;
  const hour = numberAt(pieces, at + 2);
  if (hour === null) return null;
  const value = (hour.value % 12) * 60 + (middle === 'past' ? minutes : -minutes);
  return { count: hour.value, value: (value + 720) % 720, unit: 'clock', next: hour.next };
}

/** "an hour ago", "for a week": one of them. */
function oneAt(pieces: readonly Piece[], at: number): Read | null {
  const article = word(pieces, at);
  if (article !== 'a' && article !== 'an') return null;
  const unit = UNITS.get(word(pieces, at + 1));
  if (unit === undefined || (unit.base !== 'minute' && unit.base !== 'month')) return null;
  const isOne = word(pieces, at + 2) === 'ago' || BEFORE_ONE.has(word(pieces, at - 1));
  if (!isOne || word(pieces, at + 1) === 'minute') return null;
  const half = [2, 3, 4].map((offset) => word(pieces, at + offset)).join(' ') === 'and a half';
  const count = half ? 1.5 : 1;
  return { count, value: count * unit.factor, unit: unit.base, next: at + (half ? 5 : 2) };
}

/** "half an hour", "a quarter of an hour". */
function halfAt(pieces: readonly Piece[], at: number): Read | null {
  const share = word(pieces, at) === 'half' ? 0.5 : word(pieces, at) === 'quarter' ? 0.25 : null;
  if (share === null) return null;
  let next = at + 1;
  for (const skipped of ['of', 'an', 'a']) if (word(pieces, next) === skipped) next += 1;
  const unit = UNITS.get(word(pieces, next));
  if (unit === undefined || next > at + 3) return null;
  return { count: share, value: share * unit.factor, unit: unit.base, next: next + 1 };
}

function measuredAt(pieces: readonly Piece[], at: number): Read | null {
  const read = numberAt(pieces, at);
  if (read === null) return null;
  const unit = unitAt(pieces, read.next);
  const { value: count } = read;
  if (unit !== null) return { count, value: count * unit.factor, unit: unit.base, next: unit.next };
  // "One" is seldom a number: "this one", "one of them".
  if (count === 1 && pieces[at]?.kind === 'word') return null;
  const behind = [word(pieces, read.next), word(pieces, read.next + 1)].join(' ');
  const end = behind === 'out of' ? numberAt(pieces, read.next + 2) : null;
  if (end !== null && SCALE_ENDS.has(end.value)) return { count, value: count, unit: 'scale', next: end.next };
  const isCount = MULTIPLES.has(word(pieces, at)) || countsThings(pieces, read.next);
  return { count, value: count, unit: isCount ? 'things' : null, next: read.next };
}

function unitAt(pieces: readonly Piece[], from: number): (Unit & { readonly next: number }) | null {
  const letter = LETTERS.get(word(pieces, from));
  const gap = (pieces[from]?.start ?? 0) - (pieces[from - 1]?.end ?? 0);
  if (letter !== undefined && gap <= 1) return { ...letter, next: from + 1 };
  let at = from;
  while (at < from + 2 && BETWEEN.has(word(pieces, at))) at += 1;
  const unit = UNITS.get(word(pieces, at));
  return unit === undefined ? null : { ...unit, next: at + 1 };
}

function countsThings(pieces: readonly Piece[], at: number): boolean {
  const counted = pieces[at];
  return counted?.kind === 'word' && !NOT_COUNTED.has(counted.lower);
}

/** The digits of "B12", "covid-19" and "H1N1" count nothing. */
function isPartOfWord(pieces: readonly Piece[], at: number): boolean {
  const [before, own] = [pieces[at - 1], pieces[at]];
  if (before === undefined || own?.kind !== 'digits' || before.end !== own.start) return false;
  if (before.kind === 'word') return true;
  const name = pieces[at - 2];
  return (
    before.lower === '-' && name?.kind === 'word' && name.end === before.start && numberAt(pieces, at - 2) === null
  );
}

/** A day, month or season that a text names: "Tuesday", "last week", "Christmas". */
interface NamedTime {
  readonly name: string;
  /** As written in the text. */
  readonly text: string;
}

const WEEKDAY = /\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b/gi;
const MONTH = /\b(January|February|April|June|July|August|September|October|November|December)\b/g;
/** These have other meanings too. */
const MAY_OR_MARCH =
  /\b(?:[Ii]n|[Ss]ince|[Ll]ast|of|[Oo]n|early|late|mid|\d{1,2}(?:st|nd|rd|th)?)\s{1,20}(May|March)\b|\b(May|March) \d/g;
const SEASON = /\b(?:last|this|in|since|over|during) (?:the )?(spring|summer|autumn|fall|winter)\b/gi;
const FEAST = /\b(Christmas|Easter|New Year|Thanksgiving|Halloween)\b/gi;
const YESTERDAY = /\b(?:yesterday|last night)\b/gi;
const LAST = /\blast (week|weekend|month|year)\b/gi;

const DAY = 1_440;

/** The days, months and seasons that a text names to say when something was. "Today" and "this morning" do not count. */
export function namedTimesIn(text: string): NamedTime[] {
  const found: NamedTime[] = [];
  for (const pattern of [WEEKDAY, MONTH, MAY_OR_MARCH, SEASON, FEAST]) {
    for (const match of text.matchAll(pattern)) {
      found.push({ name: (match[1] ?? match[2] ?? '').toLowerCase(), text: match[0] });
    }
  }
  for (const { 0: said } of text.matchAll(YESTERDAY)) found.push({ name: 'yesterday', text: said });
  for (const match of text.matchAll(LAST)) found.push({ name: `last ${match[1]?.toLowerCase()}`, text: match[0] });
  return found;
}

/** Whether a time was named before, or counted: "yesterday" may be "a day ago", and "last week" may be "six days". */
export function isNamedOrCounted(
  { name }: NamedTime,
  named: readonly NamedTime[],
  counted: readonly Quantity[],
): boolean {
  if (named.some((other) => other.name === name)) return true;
  return SPANS.some(
    (span) =>
      span.name === name &&
      counted.some(({ value, unit }) => unit === span.unit && value >= span.least && value <= span.most),
  );
}

const SPANS = [
  { name: 'yesterday', unit: 'minute', least: DAY / 2, most: 2 * DAY },
  { name: 'last week', unit: 'minute', least: 3 * DAY, most: 14 * DAY },
  { name: 'last weekend', unit: 'minute', least: DAY, most: 8 * DAY },
  { name: 'last month', unit: 'minute', least: 14 * DAY, most: 60 * DAY },
  { name: 'last month', unit: 'month', least: 1, most: 2 },
  { name: 'last year', unit: 'month', least: 6, most: 24 },
] as const;
