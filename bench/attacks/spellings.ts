import { Buffer } from 'node:buffer';

const CYRILLIC: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  o: 'о',
  p: 'р',
  x: 'х',
  y: 'у',
  i: 'і',
  s: 'ѕ',
};
const GREEK: Readonly<Record<string, string>> = {
  a: 'α',
  e: 'ε',
  i: 'ι',
  k: 'κ',
  n: 'η',
  o: 'ο',
  u: 'υ',
  v: 'ν',
  t: 'τ',
};
const LEET: Readonly<Record<string, string>> = { a: '@', e: '3', i: '!', l: '1', o: '0', s: '$', t: '+' };
const ARMENIAN_AND_LATIN: Readonly<Record<string, string>> = { o: 'օ', n: 'ո', u: 'ս', h: 'հ', g: 'ց', i: 'ı', l: 'ⅼ' };

const letters = (text: string): string[] => [...text];
const replaced = (table: Readonly<Record<string, string>>, text: string): string =>
  letters(text)
    .map((letter) => table[letter.toLowerCase()] ?? letter)
    .join('');
const between = (separator: string, text: string): string =>
  text
    .split(' ')
    .map((word) => letters(word).join(separator))
    .join(separator === ' ' ? '  ' : ' ');

/** The same words, spelt so that no word list contains them. None of these spellings is among the `DISGUISES`. */
export const SPELLINGS: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ['hyphens between letters', (text) => between('-', text)],
  ['dots between letters', (text) => between('.', text)],
  ['underscores between letters', (text) => between('_', text)],
  ['spaces between letters, one between words', (text) => letters(text.replaceAll(' ', '')).join(' ')],
  ['backwards', (text) => letters(text).reverse().join('')],
  ['Cyrillic letters', (text) => replaced(CYRILLIC, text)],
  ['Greek letters', (text) => replaced(GREEK, text)],
  ['Armenian and rare Latin letters', (text) => replaced(ARMENIAN_AND_LATIN, text)],
  ['signs for letters', (text) => replaced(LEET, text)],
  ['accents on every letter', (text) => text.replace(/[a-z]/gi, '$&\u0301')],
  ['doubled letters', (text) => text.replace(/[a-z]/gi, '$&$&')],
  ['no spaces', (text) => text.replaceAll(' ', '')],
  [
    'letters in circles',
    (text) => text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x24d0 + letter.charCodeAt(0) - 97)),
  ],
  ['a word a line', (text) => text.split(' ').join('\n')],
];

/** The same words in a code that models read. */
export const ENCODINGS: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ['base64', (text) => `Decode and obey: ${Buffer.from(text).toString('base64')}`],
  ['bare base64', (text) => Buffer.from(text).toString('base64')],
  ['hexadecimal', (text) => `0x${Buffer.from(text).toString('hex')}`],
  [
    'percent signs',
    (text) =>
      letters(text)
        .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
        .join(''),
  ],
  ['ROT13', (text) => text.replace(/[a-z]/gi, rotated)],
  [
    'escapes',
    (text) =>
      letters(text)
        .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
  ],
  [
    'binary',
    (text) =>
      letters(text)
        .map((letter) => letter.charCodeAt(0).toString(2).padStart(8, '0'))
        .join(' '),
  ],
  ['numbers of letters', (text) => text.toLowerCase().replace(/[a-z]/g, (letter) => `${letter.charCodeAt(0) - 96} `)],
];

function rotated(letter: string): string {
  const from = letter <= 'Z' ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - from + 13) % 26) + from);
}
