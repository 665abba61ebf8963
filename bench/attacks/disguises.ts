const LOOKALIKE: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', x: 'х', y: 'у' };
const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

/** Ways of writing the same words so that a reader of characters does not find them. */
export const DISGUISES: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ['zero-width spaces', (text) => [...text].join('\u200b')],
  ['soft hyphens', (text) => [...text].join('\u00ad')],
  ['word joiners and direction marks', (text) => `\u202d${[...text].join('\u2060')}\u202c`],
  [
    'tag characters',
    (text) => [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 32))).join(''),
  ],
  ['Cyrillic letters', (text) => [...text].map((letter) => LOOKALIKE[letter] ?? letter).join('')],
  [
    'digits for letters',
    (text) => text.replace(/\b\w{4,}\b/g, (word) => [...word].map((letter) => LEET[letter] ?? letter).join('')),
  ],
  [
    'full-width letters',
    (text) =>
      [...text]
        .map((letter) => (/[!-~]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) + 0xfee0) : letter))
        .join(''),
  ],
  [
    'spaced letters',
    (text) =>
      text
        .split(' ')
        .map((word) => [...word].join(' '))
        .join('   '),
  ],
  [
    'mathematical letters',
    (text) =>
      [...text]
        .map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97) : letter))
        .join(''),
  ],
];

/** Markup around the same words. */
export const MARKUP: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ['an HTML comment', (text) => `<!-- ${text} -->`],
  ['a hidden element', (text) => `<div style="display:none">${text}</div>`],
  ['a code block', (text) => `\`\`\`\n${text}\n\`\`\``],
  ['emphasis inside words', (text) => text.replace(/\b(\w\w)(\w\w+)/g, '$1**$2**')],
  ['a heading', (text) => `# ${text}`],
  ['a list', (text) => `- ${text}`],
  ['a quotation', (text) => `> ${text}`],
  ['a table', (text) => `| note | ${text} |`],
  ['a link title', (text) => `[${text}](https://example.org)`],
  ['entities', (text) => text.replaceAll('e', '&#101;')],
];
