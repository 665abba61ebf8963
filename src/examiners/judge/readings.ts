import { Buffer } from 'node:buffer';
import { isOrdinary, plainText, visibleText } from '../rules/plain-text';
import { wordsOf } from '../rules/words';

/** No single sentence is longer; several joined together may be. */
export const MOST_READ = 3_000;

/**
 * The ways in which a sentence may be read: as it stands, without markup, with spaced-out letters joined, without accents, with
 * look-alike letters of other alphabets as the Latin ones.
 */
export function readingsOf(sentence: string): string[] {
  if (isShort(sentence) && isOrdinary(sentence)) {
    const readings = [sentence];
    if (SPELLED_PLAINLY.test(sentence)) readings.push(unspaced(sentence));
    if (MIXED_PLAINLY.test(sentence)) readings.push(unmasked(sentence));
    return [...new Set(readings)];
  }
  const plain = plainText(sentence).slice(0, MOST_READ);
  const readings = [plain, unspaced(sentence.slice(0, MOST_READ)), unmasked(plain), unmasked(withoutAccents(plain))];
  const hidden = tagCharacters(sentence);
  if (hidden !== '') readings.push(hidden);
  const visible = visibleText(sentence).slice(0, MOST_READ);
  return [...new Set([...readings, visible])];
}

/** Whether a sentence is written to escape a word list, in a way in which no agent writes to a patient. */
export function isDisguised(sentence: string): boolean {
  if (isShort(sentence) && isOrdinary(sentence) && !MAYBE_DISGUISED.test(sentence)) return false;
  const plain = plainText(sentence).slice(0, MOST_READ);
  return isSpelled(plain) || hasMixedAlphabets(plain) || isBackwards(plain) || isCoded(plain);
}

const SPELLED = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][ .\-_*·•]){3,60}[\p{L}\p{N}](?![\p{L}\p{N}])/gu;
const BETWEEN = /[ .\-_*·•]/g;
const LETTERS_ALONE = /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*·•]){2,200}\p{L}(?![\p{L}\p{N}])/gu;
/** The longest names of medicines have about twenty letters. */
const MOST_SPELLED = 24;

/** Joins "M A R K": single letters with one mark or space between each; wider spaces separate words. */
function unspaced(sentence: string): string {
  return sentence
    .split(/\s{2,}/)
    .map((part) => plainText(part).replace(SPELLED, (run) => run.replace(BETWEEN, '')))
    .join(' ');
}

/** A name may be spelled out, and a number; a sentence is not. */
function isSpelled(plain: string): boolean {
  let letters = 0;
  for (const [run] of plain.matchAll(LETTERS_ALONE)) letters += run.match(/\p{L}/gu)?.length ?? 0;
  return letters > MOST_SPELLED;
}

/**
 * What an ordinary sentence (`isOrdinary`) needs at least to be read otherwise than as it stands: most have none of it, and are spared the
 * searches with the classes of Unicode.
 */
const SPELLED_PLAINLY = /(?<![A-Za-z0-9])(?:[A-Za-z0-9][ .-]){3}/;
const MIXED_PLAINLY = /[A-Za-z][\d@$!+]|[\d@$!+][A-Za-z]/;

function isShort(sentence: string): boolean {
  return sentence.length <= MOST_READ;
}

const BACKWARDS = new Set([
  'eht',
  'siht',
  'taht',
  'uoy',
  'yreve',
  'htiw',
  'ruoy',
  'hcae',
  'gnihtyreve',
  'enod',
  'dluohs',
]);

/** Two of the commonest words of English, written backwards. */
function isBackwards(plain: string): boolean {
  return new Set(wordsOf(plain).filter((word) => BACKWARDS.has(word))).size >= 2;
}

function withoutAccents(plain: string): string {
  return plain.normalize('NFD').replace(/\p{M}/gu, '');
}

/** At least two words of mixed alphabets: a single one may be a unit or a gene (µmol, ΔF508), which begin with a Greek letter. */
function hasMixedAlphabets(plain: string): boolean {
  const mixed = plain
    .match(/[\p{L}\p{M}]+/gu)
    ?.filter(
      (word) =>
        /[a-z]/i.test(word) && /[\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Cherokee}]|[a-z]\p{sc=Greek}+[a-z]/iu.test(word),
    );
  return (mixed?.length ?? 0) >= 2;
}

/** Letters of other alphabets that look like Latin ones; a word that mixes both is a disguise. */
const LOOKALIKES = new Map(
  Object.entries({
    а: 'a',
    в: 'b',
    е: 'e',
    ѕ: 's',
    і: 'i',
    ј: 'j',
    к: 'k',
    м: 'm',
    н: 'h',
    о: 'o',
    р: 'p',
    с: 'c',
    т: 't',
    у: 'y',
    х: 'x',
    ԁ: 'd',
    ɡ: 'g',
    ո: 'n',
    ս: 'u',
    հ: 'h',
    ց: 'g',
    օ: 'o',
    α: 'a',
    ε: 'e',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    η: 'n',
    υ: 'u',
    χ: 'x',
    ı: 'i',
    А: 'A',
    В: 'B',
    Е: 'E',
    К: 'K',
    М: 'M',
    Н: 'H',
    О: 'O',
    Р: 'P',
    С: 'C',
    Т: 'T',
    Х: 'X',
    Ѕ: 'S',
    І: 'I',
    Α: 'A',
    Β: 'B',
    Ε: 'E',
    Ι: 'I',
    Κ: 'K',
    Μ: 'M',
    Ν: 'N',
    Ο: 'O',
    Ρ: 'P',
    Τ: 'T',
    Χ: 'X',
  }),
);
const DIGITS = new Map(
  Object.entries({
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '@': 'a',
    $: 's',
    '!': 'i',
    '+': 't',
    '|': 'l',
  }),
);

function unmasked(text: string): string {
  return text.replace(/[\p{L}\p{N}@$!+|]+/gu, (word) => {
    if (!/[a-z]/i.test(word)) return word;
    return word.replace(/[^a-z]/giu, (letter) => LOOKALIKES.get(letter) ?? DIGITS.get(letter) ?? letter);
  });
}

/** Text written in the invisible tag characters, which some models read. */
function tagCharacters(text: string): string {
  const tags = text.match(/[\u{e0020}-\u{e007e}]/gu) ?? [];
  return tags.map((tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join('');
}

interface Code {
  readonly form: RegExp;
  readonly decoded: (run: string) => string;
}

const bytes = (run: string, each: RegExp, base: number): string =>
  Buffer.from((run.match(each) ?? []).map((digits) => parseInt(digits, base))).toString('utf8');

/** Codes that models read as if they were written out. Each form is bounded, and matches a run in only one way. */
const CODES: readonly Code[] = [
  {
    form: /(?<![\w/=.:+-])[A-Za-z0-9+/]{20,2000}={0,2}(?![\w/+])/g,
    decoded: (run) => Buffer.from(run, 'base64').toString('utf8'),
  },
  {
    form: /(?<![0-9a-z])(?:0x)?(?:[0-9a-f]{2}[\s:]?){12,1000}(?![0-9a-z])/gi,
    decoded: (run) => bytes(run.replace(/^0x/i, ''), /[0-9a-f]{2}/gi, 16),
  },
  { form: /(?:%[0-9a-f]{2}){8,1000}/gi, decoded: (run) => bytes(run, /[0-9a-f]{2}/gi, 16) },
  { form: /(?:\\u00[0-9a-f]{2}){8,1000}/gi, decoded: (run) => bytes(run, /(?<=\\u00)[0-9a-f]{2}/gi, 16) },
  { form: /(?:\\x[0-9a-f]{2}){8,1000}/gi, decoded: (run) => bytes(run, /(?<=\\x)[0-9a-f]{2}/gi, 16) },
  { form: /(?<![01])(?:[01]{8}\s?){8,400}(?![01])/g, decoded: (run) => bytes(run, /[01]{8}/g, 2) },
];

/** Whether a text contains encoded words: base64, hexadecimal, percent-encoding, escapes, bits, ROT13. A run that does not decode to words does not count. */
function isCoded(text: string): boolean {
  return (
    isRotated(text) || CODES.some(({ form, decoded }) => (text.match(form) ?? []).some((run) => isWords(decoded(run))))
  );
}

/** Three words or more, and hardly anything else. */
function isWords(text: string): boolean {
  return /\p{L}{2,}[\s,.]+\p{L}+[\s,.]+\p{L}/u.test(text) && /^[\p{L}\p{M}\s\p{P}\p{N}]+$/u.test(text);
}

/** "the", "and", "you", … */
const ROTATED = new Set(['gur', 'naq', 'lbh', 'guvf', 'guvat', 'rnpu', 'nyy', 'lbhe', 'qbar', 'rirel']);

function isRotated(text: string): boolean {
  return new Set(wordsOf(text).filter((word) => ROTATED.has(word))).size >= 2;
}

/** What an ordinary sentence needs at least to be disguised: letters alone, words backwards or rotated, a run of a code. */
const MAYBE_DISGUISED = new RegExp(
  `(?<![A-Za-z0-9])(?:[A-Za-z][ .-]){2}|\\b(?:${[...BACKWARDS, ...ROTATED].join('|')})\\b|` +
    '[A-Za-z0-9+/]{20}|(?:[0-9a-f]{2}[ :]?){12}|(?:%[0-9a-f]{2}){2}|[01]{8}',
  'i',
);
