/** Characters that some rule of the service looks for. */
const CHARACTERS = [...'. !?a1"\'’”()[]{}<>&,;:-–—_*#\\/|=`~@%\n\r\t\0…。？\u00a0\u2028\u200b\u0301\u1100가é😀'];

/** One character over and over. */
function alone(): [string, (length: number) => string][] {
  return CHARACTERS.map((character) => [named(character), (length) => filled(character, length)]);
}

/** The same with another character at its end: what a scan to the end meets when it was wrong to go there. */
function endingOtherwise(): [string, (length: number) => string][] {
  return CHARACTERS.flatMap((character) =>
    ['a', '.'].map((end): [string, (length: number) => string] => [
      `${named(character)} ending in ${end}`,
      (length) => `${filled(character, length - 1)}${end}`,
    ]),
  );
}

const PIECES = [
  ...[
    'a.',
    '. ',
    'a ',
    'a\n',
    '."',
    '?"',
    '? ',
    '!)',
    '1. ',
    '- ',
    'e.g.',
    '\r\n',
    '\\"',
    '\\u',
    "a'",
    '-a',
    'a, ',
    'a-',
    ' -',
  ],
  ...[
    '# ',
    '#',
    '*_',
    '()',
    '((',
    '[]',
    '{"a":',
    '<a',
    '<!--',
    '</',
    '&amp;',
    '😀\u200d',
    'a\u0301',
    '\u0301\u0300',
    '\u1100\u1161',
  ],
  ...[
    'does not ',
    'you ',
    'the patient ',
    'must ',
    'chest pain, and ',
    'only if asked ',
    'no, ',
    'says "',
    'presents with ',
  ],
];

/** Short pieces over and over. */
function repeated(): [string, (length: number) => string][] {
  return PIECES.flatMap((piece): [string, (length: number) => string][] => [
    [named(piece), (length) => filled(piece, length)],
    [`${named(piece)} after one of each`, (length) => `${OPENINGS}${filled(piece, length - OPENINGS.length - 1)}x`],
  ]);
}

/** Begins what some rules look for the rest of. */
const OPENINGS = '# "\'([{<Bearer ';

function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function named(piece: string): string {
  return JSON.stringify(piece).replaceAll(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}

/** Texts nobody writes and anybody can send: each grows to the length asked for. */
export const HOSTILE_TEXTS: ReadonlyMap<string, (length: number) => string> = new Map([
  ...alone(),
  ...endingOtherwise(),
  ...repeated(),
]);
