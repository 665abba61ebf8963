import { digitWords, numberWords, ordinalWords, wholeWords, yearWords } from './number-words';

/** One and many of each unit. A unit is matched as it is written, since `M` and `m` differ; the longest comes first. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  'mmol/L': ['millimole per litre', 'millimoles per litre'],
  'mmol/l': ['millimole per litre', 'millimoles per litre'],
  'mg/kg': ['milligram per kilogram', 'milligrams per kilogram'],
  'mg/dL': ['milligram per decilitre', 'milligrams per decilitre'],
  'mg/dl': ['milligram per decilitre', 'milligrams per decilitre'],
  mmHg: ['millimetre of mercury', 'millimetres of mercury'],
  bpm: ['beat per minute', 'beats per minute'],
  mcg: ['microgram', 'micrograms'],
  µg: ['microgram', 'micrograms'],
  μg: ['microgram', 'micrograms'],
  mg: ['milligram', 'milligrams'],
  kg: ['kilogram', 'kilograms'],
  ml: ['millilitre', 'millilitres'],
  mL: ['millilitre', 'millilitres'],
  cm: ['centimetre', 'centimetres'],
  mm: ['millimetre', 'millimetres'],
  IU: ['international unit', 'international units'],
  '°C': ['degree Celsius', 'degrees Celsius'],
  '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
  '°': ['degree', 'degrees'],
  '%': ['percent', 'percent'],
  hrs: ['hour', 'hours'],
  min: ['minute', 'minutes'],
  g: ['gram', 'grams'],
};
/** What stands behind a stroke; days and weeks are words already. */
const PER_UNIT: Readonly<Record<string, string>> = {
  ml: 'millilitre',
  mL: 'millilitre',
  kg: 'kilogram',
  dl: 'decilitre',
  dL: 'decilitre',
  l: 'litre',
  L: 'litre',
  g: 'gram',
  h: 'hour',
  hr: 'hour',
  min: 'minute',
};
const UNIT = Object.keys(UNITS).join('|');
const NUMBER = String.raw`\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?`;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const FRACTIONS: Readonly<Record<string, string>> = {
  '½': 'half',
  '¼': 'quarter',
  '¾': 'three quarters',
  '⅓': 'third',
  '⅔': 'two thirds',
  '1/2': 'half',
  '1/4': 'quarter',
  '3/4': 'three quarters',
  '1/3': 'third',
  '2/3': 'two thirds',
};

type Rule = readonly [pattern: RegExp, spoken: (...groups: string[]) => string];

/** A rule's groups are strings, empty where they did not take part. A rule that does not apply after all gives back what was written. */
const rule = (pattern: RegExp, spoken: (...groups: string[]) => string): Rule => [pattern, spoken];
const always = (words: string) => () => words;
const amountWords = (amount: string, unit: string) =>
  `${numberWords(amount)} ${UNITS[unit]?.[amount === '1' ? 0 : 1] ?? unit}`;
const fractionWords = (written: string) => {
  const words = FRACTIONS[written] ?? written;
  return /^(half|quarter|third)$/.test(words) ? `a ${words}` : words;
};
/** Pressures and pain have the same strokes; a pressure falls, and the lowest with which one still talks are above these. */
const isPressure = (upper: number, lower: number) => upper > lower && upper >= 50 && lower >= 20;
const dateWords = (written: string, day: number, month: number, year: number) => {
  const name = MONTHS[month - 1];
  return name === undefined || day < 1 || day > 31 ? written : `the ${ordinalWords(day)} of ${name} ${yearWords(year)}`;
};

const MARKUP: readonly Rule[] = [
  rule(/<\/?[a-zA-Z][^<>]{0,200}>/g, always(' ')),
  rule(/!?\[([^[\]]{0,200})\]\([^()\s]{0,500}\)/g, (_, words = '') => words),
  rule(/^[ \t]{0,3}(?:#{1,6}|[-*+]|>(?! ?\d))[ \t]/gm, always('')),
  rule(/[*_`]{1,3}|~~/g, always('')),
  rule(/[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}\uFE0F\u200B-\u200D\uFEFF]/gu, always(' ')),
  // Control characters and lone surrogates: an engine may stop at them.
  rule(/[\p{Cc}\p{Cs}]/gu, always(' ')),
];

const AMOUNT = new RegExp(`(?<![\\w.])(${NUMBER})[ -]?(${UNIT})(?!\\w)`, 'g');
/** What follows a number to call is neither more of a number nor a unit. */
const NO_AMOUNT = `(?![\\w/]|[.,]\\d| ?(?:${UNIT})(?!\\w))`;
const CALLED = new RegExp(
  `\\b(call(?:ed|ing|s)?|dial(?:l?ed|l?ing|s)?|ring(?:ing|s)?|rang|phon(?:e|ed|ing|es)) (112|111)${NO_AMOUNT}`,
  'gi',
);
const EMERGENCY_NUMBER = new RegExp(`(?<![\\w.,/:-])(?:911|999|988)${NO_AMOUNT}`, 'g');
const SLASHED_AMOUNT = new RegExp(`(?<![\\w./])(\\d{2,4})/(?=\\d{2,4} ?(?:${UNIT})(?!\\w))`, 'g');
const AMOUNT_RANGE = new RegExp(
  `(?<![\\w.,/-])(${NUMBER}) ?(${UNIT}) ?[-–] ?(?=(?:${NUMBER}) ?(?:${UNIT})(?![\\w/]))`,
  'g',
);
const TIME = String.raw`\d{1,2}(?::[0-5]\d(?: ?[ap]\.?m\b\.?)?| ?[ap]\.?m\b\.?)`;
const TIME_RANGE = new RegExp(`(?<![\\w.:])(${TIME}) ?[-–] ?(?=${TIME}(?!:?\\d))`, 'gi');
const HYPHENATED = new RegExp(`(?<![\\d.])(${NUMBER})(?=-[a-zA-Z])`, 'g');
const RANGE = new RegExp(
  `(?<![\\w.,/-])(${NUMBER}) ?[-–] ?(?=(${NUMBER})(?![\\w/-]|\\.\\d) ?(?:[^\\d]|$)|(?:${NUMBER}) ?(?:${UNIT})(?![\\w/]))`,
  'g',
);

/** In this order: the words a rule makes hold no digits, so no later rule reads them again. */
const ENGLISH: readonly Rule[] = [
  rule(/\bb\.i\.d\.?|\bb\.d\.|\bBID\b|\bBD\b/g, always('twice a day')),
  rule(/\bt\.[id]\.[ds]\.?|\b(?:tds|tid|TDS|TID)\b/g, always('three times a day')),
  rule(/\bq\.[id]\.[ds]\.?|\b(?:qds|qid|QDS|QID)\b/g, always('four times a day')),
  // "OD" may be an overdose or the right eye: only the dotted letters are a dose.
  rule(/\bo\.d\./g, always('once a day')),
  rule(/\bp\.r\.n\.?|\b(?:prn|PRN)\b/g, always('when needed')),
  rule(/\b(\d{4})-(\d{2})-(\d{2})\b/g, (all, year, month, day) =>
    dateWords(all, Number(day), Number(month), Number(year)),
  ),
  // Day before month, as in Britain, unless only the other order is a date.
  rule(/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, (all, first, second, year) =>
    Number(second) > 12
      ? dateWords(all, Number(second), Number(first), Number(year))
      : dateWords(all, Number(first), Number(second), Number(year)),
  ),
  rule(
    /(?<![\w.,])(?:\+\d{1,4}|0\d{1,4})(?:[ -]\d{2,5}){1,4}(?![\w.,/-]\d)|(?<![\w.,])\+\d{7,15}\b/g,
    (all) => (all.startsWith('+') ? 'plus ' : '') + digitWords(all.replace(/\D/g, '')),
  ),
  rule(EMERGENCY_NUMBER, (digits) => digitWords(digits)),
  // Without such a word before it, 112 may be a pulse.
  rule(CALLED, (_, verb = '', digits = '') => `${verb} ${digitWords(digits)}`),
  rule(TIME_RANGE, (_, from = '') => `${from} to `),
  rule(/\b([01]?\d|2[0-3]):([0-5]\d)(?: ?([ap])\.?m\b\.?)?(?!:?\d)/gi, (_, hour, minutes = '', half = '') => {
    const clock =
      minutes === '00'
        ? half === ''
          ? " o'clock"
          : ''
        : minutes.startsWith('0')
          ? ` oh ${wholeWords(Number(minutes))}`
          : ` ${wholeWords(Number(minutes))}`;
    return `${wholeWords(Number(hour))}${clock}${half === '' ? '' : ` ${half.toLowerCase()} m`}`;
  }),
  rule(
    /(?<![\w.])(\d{1,2}) ?([ap])\.?m\b\.?/gi,
    (_, hour, half = '') => `${wholeWords(Number(hour))} ${half.toLowerCase()} m`,
  ),
  rule(/(?<![\w./])(?:24\/7|50\/50)(?![\w/]|\.\d)/g, (all) => (all === '24/7' ? 'twenty-four seven' : 'fifty fifty')),
  // Eyesight.
  rule(/(?<![\w./])20\/(\d{2,3})(?![\w/]|\.\d)/g, (_, distance = '') => `twenty ${numberWords(distance)}`),
  // A pressure with its unit, or the strengths of a tablet with two medicines; the second number is said with the unit.
  rule(SLASHED_AMOUNT, (_, first = '') => `${numberWords(first)} over `),
  rule(
    /(?<![\w./])(\d{2,3})\/(\d{2,3})(?![\w/]|\.\d)/g,
    (_, upper = '', lower = '') =>
      `${numberWords(upper)} ${isPressure(Number(upper), Number(lower)) ? 'over' : 'out of'} ${numberWords(lower)}`,
  ),
  rule(
    /(?<![\w.])(\d{1,3}) ?([½¼¾⅓⅔])/g,
    (_, whole = '', part = '') => `${numberWords(whole)} and ${fractionWords(part)}`,
  ),
  rule(/[½¼¾⅓⅔]/g, (all) => fractionWords(all)),
  rule(/(?<![\w./])(\d{1,3}) ([123]\/[234])(?![\w/]|\.\d)/g, (all, whole = '', part = '') =>
    FRACTIONS[part] === undefined ? all : `${numberWords(whole)} and ${fractionWords(part)}`,
  ),
  rule(/(?<![\w./])(\d{1,2})\/(\d{1,2})(?![\w/]|\.\d)/g, (all, part = '', of = '') =>
    FRACTIONS[all] === undefined ? `${numberWords(part)} out of ${numberWords(of)}` : fractionWords(all),
  ),
  rule(/(?<![\w.])\.(?=\d)/g, always('0.')),
  rule(/~(?= ?\d)/g, always('about ')),
  rule(AMOUNT_RANGE, (_, amount = '', unit = '') => `${amountWords(amount, unit)} to `),
  rule(RANGE, (_, from = '') => `${numberWords(from)} to `),
  rule(/\b(\d{1,3})[ -]?(?:yo|y\/o)\b/gi, (_, age = '') => `${numberWords(age)} year old`),
  rule(/\bq ?(\d{1,2}) ?h(?:rs?)?\b/gi, (_, hours = '') => `every ${numberWords(hours)} hours`),
  rule(/(?<![\w])[-−](?=\d{1,3}(?:\.\d{1,3})? ?°)/g, always('minus ')),
  rule(AMOUNT, (_, amount = '', unit = '') => amountWords(amount, unit)),
  // "5 mg/day", "5 mg/5 ml": the unit before the stroke is words by now.
  rule(/(?<=[a-z])\/(day|week|hour|hr|min|h)\b/g, (_, unit = '') => ` per ${PER_UNIT[unit] ?? unit}`),
  rule(
    /(?<=(?:gram|litre|unit|mole)s?)\/(ml|mL|kg|dl|dL|l|L|g)\b/g,
    (_, unit = '') => ` per ${PER_UNIT[unit] ?? unit}`,
  ),
  rule(/(?<=(?:gram|litre|unit)s?)\/(?=[a-z])/g, always(' per ')),
  rule(/\b(\d{1,3})(?:st|nd|rd|th)\b/gi, (_, value) => ordinalWords(Number(value))),
  rule(
    /\b(in|since|born|until) (1[1-9]\d\d|20\d\d)(?![\w,]|\.\d)/gi,
    (_, word = '', year) => `${word} ${yearWords(Number(year))}`,
  ),
  // "a 45-year-old", "a 10-day course".
  rule(HYPHENATED, (all) => ` ${numberWords(all)}`),
  rule(new RegExp(`(?<![\\d.])(?:${NUMBER})`, 'g'), (all) => ` ${numberWords(all)} `),
  // Rows of digits longer than the bound above.
  rule(/\d/g, (all) => ` ${digitWords(all)} `),
  rule(/<=|≤/g, always(' at most ')),
  rule(/>=|≥/g, always(' at least ')),
  rule(/</g, always(' less than ')),
  rule(/>/g, always(' more than ')),
  rule(/ ?& ?/g, always(' and ')),
  rule(/%/g, always(' percent ')),
];

function applied(text: string, rules: readonly Rule[]): string {
  let spoken = text;
  for (const [pattern, words] of rules) {
    spoken = spoken.replace(pattern, (...found: unknown[]) =>
      words(...found.map((group) => (typeof group === 'string' ? group : ''))),
    );
  }
  return spoken
    .replace(/[\s]+/gu, ' ')
    .replace(/ (?=[.,;:!?])/g, '')
    .trim();
}

/**
 * What an engine is given to say for a text: no markup, and in English the words for numbers, units, doses, times a day, dates, numbers to
 * call, pressures and ranges, since engines read them each in a way of its own. Other languages lose their markup only.
 *
 * It never throws. Each pattern has a bounded length, so the time grows with the length of the text.
 */
export function spokenText(text: string, language = 'en'): string {
  const plain = applied(text, MARKUP);
  return /^en(?:[-_]|$)/i.test(language) ? applied(plain, ENGLISH) : plain;
}

/** The words of a text for `wordErrors`: "50mg", "50 mg" and "fifty milligrams" are the same words. */
export function comparableWords(text: string, language = 'en'): readonly string[] {
  const spoken = spokenText(text, language).toLowerCase().replaceAll('’', "'");
  const words = spoken.match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [];
  // British English says "one hundred and five", American English "one hundred five".
  return words.filter(
    (word, at) => word !== 'and' || !/^(?:hundred|thousand|million|billion)$/.test(words[at - 1] ?? ''),
  );
}
