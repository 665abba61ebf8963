import { familyOf, type HostileText } from './hostile-text';

/** Units that readers of text have stumbled over. */
const UNITS: Readonly<Record<string, string>> = {
  'high surrogate': '\ud83d',
  'low surrogate': '\ude91',
  'surrogates the wrong way round': '\ude91\ud83d',
  'line separator': '\u2028',
  'paragraph separator': '\u2029',
  'next line': '\u0085',
  NUL: '\0',
  bell: '\u0007',
  'vertical tab': '\u000b',
  'form feed': '\f',
  delete: '\u007f',
  'byte order mark': '\ufeff',
  'swapped byte order mark': '\ufffe',
  'not a character': '\uffff',
  'not a character of the last plane': '\u{10ffff}',
  'replacement character': '\ufffd',
  'private use': '\ue000',
  'ligature of eighteen letters': '\ufdfa',
  'Angstrom sign': '\u212b',
  'Hangul syllable parts': '\u1100\u1161\u11a8',
  'letter that grows in upper case': 'ŉ',
  'Greek letter that grows': 'ΐ',
  'capital I with dot': 'İ',
  'combining stack': `a${'\u0300\u0316\u0489'.repeat(20)}`,
  'enclosing marks': 'a\u20dd\u20e3',
  'family emoji': '👩‍👩‍👧‍👦',
  'flag halves': '🇩',
  'skin tones': '🏿',
  'variation selectors': 'x\ufe0f',
  'tag characters': '\u{e0041}\u{e007f}',
  'soft hyphen': '\u00ad',
  'word joiner': '\u2060',
  'interlinear annotation': '\ufff9a\ufffab\ufffb',
  'right-to-left isolate': '\u2067',
  'pop without push': '\u202c',
  'Arabic letter mark': '\u061c',
  'mathematical letter': '𝐚',
  'full-width letter': 'ａ',
  'zero-width non-joiner': '\u200c',
  'Mongolian vowel separator': '\u180e',
  'Khmer vowel': '\u17b4',
  'Tibetan stack': '\u0f40\u0fb5\u0f71',
  'musical symbol': '𝅘𝅥𝅮',
};

/** Characters by themselves between words, and 20,000 of them. */
export function unicode(): HostileText[] {
  const texts: Record<string, string> = {
    'one cluster of 100,000 marks': `a${'\u0301\u0323'.repeat(50_000)}`,
    'one emoji of 20,000 people': Array.from({ length: 20_000 }, () => '👩').join('\u200d'),
    'overrides inside overrides': `${'\u202e\u202d'.repeat(10_000)}llac\u202c`,
    'look-alikes': 'Саll аn аmbulаnсе nоw.',
  };
  for (const [name, unit] of Object.entries(UNITS)) {
    texts[`${name} between words`] = `Call ${unit}an${unit} ambulance${unit} now.${unit}`;
    texts[`20,000 times ${name}`] = unit.repeat(20_000 / Math.max(1, unit.length / 4));
  }
  return familyOf('unicode', texts);
}
