import type { Quantity } from './quantities';

/** A day, month or season that a text names: "Tuesday", "last week", "Christmas". */
export interface NamedTime {
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
