const SMALL = [
  ...[
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
  ],
  ...['fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES: readonly (readonly [number, string])[] = [
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
];
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};
/** A longer row of digits is no amount that anybody says as one. */
const MOST_DIGITS = 12;

/** "0958": "zero nine five eight". */
export function digitWords(digits: string): string {
  return [...digits].map((digit) => SMALL[Number(digit)] ?? '').join(' ');
}

/** A whole number below a million million, as British English says it: "one hundred and twenty-five". */
export function wholeWords(value: number): string {
  if (value < 20) return SMALL[value] ?? '';
  if (value < 100)
    return value % 10 === 0
      ? (TENS[value / 10] ?? '')
      : `${TENS[Math.floor(value / 10)] ?? ''}-${SMALL[value % 10] ?? ''}`;
  if (value < 1000) {
    const hundreds = `${SMALL[Math.floor(value / 100)] ?? ''} hundred`;
    return value % 100 === 0 ? hundreds : `${hundreds} and ${wholeWords(value % 100)}`;
  }
  const [size, name] = SCALES.find(([least]) => value >= least) ?? [1000, 'thousand'];
  const [rest, head] = [value % size, `${wholeWords(Math.floor(value / size))} ${name}`];
  if (rest === 0) return head;
  return rest < 100 ? `${head} and ${wholeWords(rest)}` : `${head} ${wholeWords(rest)}`;
}

/** "2.50": "two point five zero"; "1,000": "one thousand"; "007" and very long rows digit by digit. */
export function numberWords(written: string): string {
  const [whole = '', decimals] = written.replaceAll(',', '').split('.');
  const isRow = whole.length > MOST_DIGITS || (whole.length > 1 && whole.startsWith('0'));
  const head = isRow ? digitWords(whole) : wholeWords(Number(whole));
  return decimals === undefined ? head : `${head} point ${digitWords(decimals)}`;
}

/** 1998: "nineteen ninety-eight"; 2005: "two thousand and five"; 2026: "twenty twenty-six". */
export function yearWords(year: number): string {
  const [century, rest] = [Math.floor(year / 100), year % 100];
  if (year < 1100 || year > 2099 || (year >= 2000 && year < 2010)) return wholeWords(year);
  if (rest === 0) return `${wholeWords(century)} hundred`;
  return rest < 10 ? `${wholeWords(century)} oh ${wholeWords(rest)}` : `${wholeWords(century)} ${wholeWords(rest)}`;
}

/** 21: "twenty-first". */
export function ordinalWords(value: number): string {
  const words = wholeWords(value);
  const last = /[a-z]+$/.exec(words)?.[0] ?? '';
  const ordinal = IRREGULAR_ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return words.slice(0, words.length - last.length) + ordinal;
}
