import { readNumber, readOrdinal } from './number-values';

/** A dose or a time that a text names. */
export interface Quantity {
  readonly kind: 'dose' | 'time';
  /** The same however it is written or said: `40 milligram`, `3 day`, `2 a day`, `8:30 pm`. */
  readonly key: string;
  readonly text: string;
}

interface Match extends Quantity {
  readonly next: number;
}

type Reader = (words: readonly string[], at: number) => Match | null;

const set = (words: string) => new Set(words.split(' '));
const DOSE_UNITS = set(
  'milligram microgram gram millilitre unit tablet capsule pill puff drop sachet spoonful teaspoon tablespoon patch spray suppository lozenge ampoule dose',
);
const TIME_UNITS = set('second minute hour day week month year');
const PER = set('kilogram day hour dose week');
const MONTHS = set('january february march april may june july august september october november december');
const DAYS = set('monday tuesday wednesday thursday friday saturday sunday');
const TIMES: ReadonlyMap<string, number> = new Map([
  ['once', 1],
  ['twice', 2],
  ['thrice', 3],
]);
/** What people say of a time without a number; the longest first. */
const PHRASES: readonly (readonly [key: string, ...sayings: string[]])[] = [
  ['every other day', 'every other day', 'every second day', 'on alternate days'],
  ['last night', 'last night'],
  ['this morning', 'this morning'],
  ['at night', 'at night', 'every night', 'nightly', 'at bedtime', 'before bed'],
  ['in the morning', 'in the morning', 'every morning', 'in the mornings'],
  ['in the evening', 'in the evening', 'every evening', 'in the evenings'],
  ['in the afternoon', 'in the afternoon'],
  ['after meals', 'after meals', 'after food', 'after eating'],
  ['before meals', 'before meals', 'before food', 'before eating'],
  ['1 a day', 'every day', 'each day', 'daily'],
  ['1 a week', 'every week', 'each week', 'weekly'],
  ['yesterday', 'yesterday'],
  ['midnight', 'midnight'],
  ['noon', 'noon', 'midday'],
];
const PHRASES_BY_FIRST_WORD = groupedByFirstWord();

/**
 * The doses and times of an English text, in order.
 * @param words those of `comparableWords`
 */
export function quantitiesIn(words: readonly string[]): Quantity[] {
  const found: Quantity[] = [];
  for (let at = 0; at < words.length;) {
    const match = matchAt(words, at);
    if (match !== null) found.push({ kind: match.kind, key: match.key, text: match.text });
    at = match?.next ?? at + 1;
  }
  return found;
}

/** The keys under which a quantity is found again: a time of day that was said without its half is any of the two. */
export function matchingKeys({ key }: Quantity): readonly string[] {
  const clock = /^(\d{1,2}:\d\d)( [ap]m)?$/.exec(key);
  if (clock === null) return [key];
  const [, time = '', half] = clock;
  return half === undefined ? [time, `${time} am`, `${time} pm`] : [key, time];
}

function matchAt(words: readonly string[], at: number): Match | null {
  for (const read of READERS) {
    const match = read(words, at);
    if (match !== null) return match;
  }
  return null;
}

const matched = (words: readonly string[], at: number, next: number, kind: Quantity['kind'], key: string): Match => ({
  kind,
  key,
  text: words.slice(at, next).join(' '),
  next,
});

const singular = (word: string | undefined) =>
  (word ?? '')
    .replace(/s$/, '')
    .replace(/liter$/, 'litre')
    .replace(/^suppositorie$/, 'suppository')
    .replace(/^patche$/, 'patch');

/** "eight thirty p m", "eight o'clock", "half past eight", "quarter to nine". */
const clock: Reader = (words, at) => {
  const spoken = pastOrTo(words, at) ?? hourAndMinutes(words, at);
  if (spoken === null) return null;
  const { hour, minutes, next } = spoken;
  const half = words[next + 1] === 'm' && (words[next] === 'a' || words[next] === 'p') ? words[next] : null;
  if (half === null && !spoken.isClock) return null;
  const key = `${hour % 12 === 0 ? 12 : hour % 12}:${String(minutes).padStart(2, '0')}`;
  const isAfternoon = hour > 12;
  const suffix = half === null ? (isAfternoon ? ' pm' : '') : ` ${half}m`;
  return matched(words, at, half === null ? next : next + 2, 'time', key + suffix);
};

interface SpokenClock {
  readonly hour: number;
  readonly minutes: number;
  readonly next: number;
  /** Whether it can be nothing but a time of day. */
  readonly isClock: boolean;
}

function pastOrTo(words: readonly string[], at: number): SpokenClock | null {
  const start = words[at] === 'a' ? at + 1 : at;
  const part = words[start] === 'half' ? 30 : words[start] === 'quarter' ? 15 : null;
  const direction = words[start + 1];
  if (part === null || (direction !== 'past' && direction !== 'to')) return null;
  const hour = hourAt(words, start + 2);
  if (hour === null) return null;
  const { value, next } = hour;
  if (direction === 'past') return { hour: value, minutes: part, next, isClock: true };
  return { hour: value === 0 ? 23 : value - 1, minutes: 60 - part, next, isClock: true };
}

function hourAndMinutes(words: readonly string[], at: number): SpokenClock | null {
  const hour = hourAt(words, at);
  if (hour === null) return null;
  const { value, next } = hour;
  if (words[next] === "o'clock") return { hour: value, minutes: 0, next: next + 1, isClock: true };
  const isOh = words[next] === 'oh';
  const minutes = readNumber(words, isOh ? next + 1 : next);
  if (minutes === null || minutes.value > 59 || (isOh && minutes.value > 9)) {
    return { hour: value, minutes: 0, next, isClock: false };
  }
  return { hour: value, minutes: minutes.value, next: minutes.next, isClock: isOh || words[at - 1] === 'at' };
}

function hourAt(words: readonly string[], at: number): { readonly value: number; readonly next: number } | null {
  const hour = readNumber(words, at);
  return hour !== null && Number.isInteger(hour.value) && hour.value <= 24 ? hour : null;
}

/** "twice a day", "three times daily", "every six hours". */
const frequency: Reader = (words, at) => {
  if (words[at] === 'every') {
    const hours = readNumber(words, at + 1);
    const unit = singular(words[hours?.next ?? at]);
    if (hours === null || !TIME_UNITS.has(unit)) return null;
    return matched(words, at, hours.next + 1, 'time', `every ${hours.value} ${unit}`);
  }
  const count = countOfTimes(words, at);
  if (count === null) return null;
  const { value, next } = count;
  const period = words[next] ?? '';
  if (period === 'daily' || period === 'weekly') {
    return matched(words, at, next + 1, 'time', `${value} a ${period === 'daily' ? 'day' : 'week'}`);
  }
  if (!/^(?:a|per|each|every)$/.test(period) || !TIME_UNITS.has(words[next + 1] ?? '')) return null;
  return matched(words, at, next + 2, 'time', `${value} a ${words[next + 1] ?? ''}`);
};

function countOfTimes(words: readonly string[], at: number): { readonly value: number; readonly next: number } | null {
  const named = TIMES.get(words[at] ?? '');
  if (named !== undefined) return { value: named, next: at + 1 };
  const number = readNumber(words, at);
  if (number === null || singular(words[number.next]) !== 'time') return null;
  return { value: number.value, next: number.next + 1 };
}

/** "forty milligrams", "half a tablet", "three days"; of "two to three tablets" the first. */
const amount: Reader = (words, at) => {
  const number = articleOf(words, at) ?? readNumber(words, at);
  if (number === null) return null;
  const { value, next } = number;
  const upTo = words[next] === 'to' || words[next] === 'or' ? readNumber(words, next + 1) : null;
  const unitAt = upTo?.next ?? next;
  const start = words[unitAt] === 'international' ? unitAt + 1 : unitAt;
  const unit = singular(words[start]);
  // The upper end is read on its own, with its unit.
  const end = upTo === null ? start + 1 : next;
  if (DOSE_UNITS.has(unit)) {
    const of = singular(words[start + 2]);
    const isRate = upTo === null && words[start + 1] === 'per' && PER.has(of);
    return isRate
      ? matched(words, at, start + 3, 'dose', `${value} ${unit} per ${of}`)
      : matched(words, at, end, 'dose', `${value} ${unit}`);
  }
  // An age is no time.
  if (!TIME_UNITS.has(unit) || words[start + 1] === 'old') return null;
  if (unit === 'hour' && value === 0.5) return matched(words, at, end, 'time', '30 minute');
  return matched(words, at, end, 'time', `${value} ${unit}`);
};

/** "an hour", "a tablet". */
function articleOf(words: readonly string[], at: number): { readonly value: number; readonly next: number } | null {
  const isUnit = DOSE_UNITS.has(words[at + 1] ?? '') || TIME_UNITS.has(words[at + 1] ?? '');
  return isUnit && (words[at] === 'a' || words[at] === 'an') ? { value: 1, next: at + 1 } : null;
}

/** "the twenty-first of March", "March twenty-first". */
const date: Reader = (words, at) => {
  const first = words[at] ?? '';
  const isMonthFirst = MONTHS.has(first);
  // "I may five …" and "march two" are no dates.
  const isVerb = first === 'may' || first === 'march';
  const day = isMonthFirst
    ? (readOrdinal(words, at + 1) ?? (isVerb ? null : readNumber(words, at + 1)))
    : readOrdinal(words, at);
  if (day === null || !Number.isInteger(day.value) || day.value < 1 || day.value > 31) return null;
  if (isMonthFirst) return matched(words, at, day.next, 'time', `${day.value} ${first}`);
  const monthAt = words[day.next] === 'of' ? day.next + 1 : day.next;
  const month = words[monthAt] ?? '';
  return MONTHS.has(month) ? matched(words, at, monthAt + 1, 'time', `${day.value} ${month}`) : null;
};

const phrase: Reader = (words, at) => {
  const first = words[at] ?? '';
  const weekday = singular(first);
  if (DAYS.has(weekday)) return matched(words, at, at + 1, 'time', weekday);
  for (const { key, saying } of PHRASES_BY_FIRST_WORD.get(first) ?? []) {
    if (saying.every((word, place) => words[at + place] === word)) {
      return matched(words, at, at + saying.length, 'time', key);
    }
  }
  return null;
};

const READERS: readonly Reader[] = [frequency, date, clock, amount, phrase];

interface Saying {
  readonly key: string;
  readonly saying: readonly string[];
}

function groupedByFirstWord(): ReadonlyMap<string, readonly Saying[]> {
  const grouped = new Map<string, Saying[]>();
  for (const [key, ...sayings] of PHRASES) {
    for (const saying of sayings.map((words) => words.split(' '))) {
      const first = saying[0] ?? '';
      grouped.set(first, [...(grouped.get(first) ?? []), { key, saying }]);
    }
  }
  return grouped;
}
