import type { Chance } from '../soak/chance';
import { familyOf, filledWith, type HostileText } from './hostile-text';

const CHARACTERS: Readonly<Record<string, string>> = {
  'full stop': '.',
  'exclamation mark': '!',
  'question mark': '?',
  ellipsis: '…',
  'ideographic full stop': '。',
  comma: ',',
  colon: ':',
  hyphen: '-',
  underscore: '_',
  asterisk: '*',
  'number sign': '#',
  backtick: '`',
  pipe: '|',
  'equals sign': '=',
  'less-than sign': '<',
  ampersand: '&',
  backslash: '\\',
  slash: '/',
  'dollar sign': '$',
  'percent sign': '%',
  blank: ' ',
  'no-break space': '\u00a0',
  tab: '\t',
  'line feed': '\n',
  'carriage return': '\r',
  'double quote': '"',
  apostrophe: "'",
  'closing double quote': '”',
  'opening bracket': '[',
  'closing bracket': ']',
  'opening parenthesis': '(',
  'closing parenthesis': ')',
  'opening brace': '{',
  digit: '7',
  zero: '0',
  letter: 'a',
  'capital letter': 'A',
  'dotless i': 'ı',
  'sharp s': 'ß',
  'combining acute accent': '\u0301',
  emoji: '🚑',
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'right-to-left override': '\u202e',
  'Hebrew letter': 'א',
  'Han character': '医',
};

/** Those over which scans have stumbled, also as much as one reply can hold. */
const TO_THE_BRIM = ['full stop', 'blank', 'line feed', 'double quote', 'opening bracket', 'digit', 'letter'];

/** Patterns whose scans begin again at every place. */
const PATTERNS: Readonly<Record<string, string>> = {
  'sentences of one letter': 'a. ',
  'full stop and quote': '."',
  'full stops without blanks': 'a.b',
  'quotes that never close': ' "a',
  'numbers that never end': '1.',
  'list numbers': '1. \n',
  initials: 'A.B. ',
  titles: 'Dr. ',
  addresses: 'http://a.',
  'mail addresses': 'a@',
  negations: 'not no never ',
  questions: 'why? ',
  'blanks before line ends': '          \n',
  'carriage returns and line feeds': '\r\n',
  emphasis: '**a*',
  'table cells': '| a ',
  'tags that never close': '<a ',
  entities: '&#x26;',
  escapes: '\\u0041',
  'percent escapes': '%25',
  'words of two letters': 'ab ba ',
  'hyphenated words': 'a-',
  'words with apostrophes': "a'",
  'letters with accents': 'e\u0301',
};

/** One character, or one pattern, and nothing else. */
export function floods(chance: Chance): HostileText[] {
  const texts: Record<string, string> = {};
  for (const [name, character] of Object.entries(CHARACTERS)) {
    texts[name] = filledWith(character, 30_000);
    texts[`${name}, after an answer`] = `Call an ambulance now${filledWith(character, 65_536)}`;
  }
  for (const name of TO_THE_BRIM) texts[`${name}, almost 1 MiB`] = filledWith(CHARACTERS[name] ?? '', 500_000);
  for (const [name, pattern] of Object.entries(PATTERNS)) texts[name] = filledWith(pattern, 60_000);
  const all = Object.values(CHARACTERS);
  for (let number = 1; number <= 24; number += 1) {
    const unit = Array.from({ length: chance.between(2, 4) }, () => all[chance.between(0, all.length - 1)]).join('');
    texts[`mixture ${number}`] = filledWith(unit, 40_000);
  }
  return familyOf('floods', texts);
}
