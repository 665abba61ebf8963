type HostileText = readonly [name: string, textOf: (length: number) => string];

/** Characters that some rule of the service looks for. */
const CHARACTERS = [...'. !?a1"\'’”()[]{}<>&,;:-–—_*#\\/|=`~@%\n\r\t\0…。？\u00a0\u2028\u200b\u0301\u1100가é😀'];

/** Short texts that some rule begins to follow, between bars. */
const PIECES = [
  'a.|. |a |a\n|."|?"|? |!)|1. |- |e.g.|\r\n|\\"|\\u|a\'|-a|a, |a-| -|# |#|*_|()|((|[]|{"a":|<a|<!--|</|&amp;',
  '😀\u200d|a\u0301|\u0301\u0300|\u1100\u1161|does not |you |the patient |must |chest pain, and |only if asked |no, ',
  'says "|presents with ',
].flatMap((some) => some.split('|'));

/** Begins what some rules look for the end of. */
const OPENINGS = '# "\'([{<Bearer ';

/** Texts nobody writes and anybody can send: each is made as long as asked for. */
export const HOSTILE_TEXTS: readonly HostileText[] = [
  ...CHARACTERS.map((character) => flood(character)),
  // What a scan to the end meets when it was wrong to go there.
  ...CHARACTERS.map((character): HostileText => [
    `${named(character)} ending in a`,
    (length) => `${repeated(character, length - 1)}a`,
  ]),
  ...PIECES.map((piece) => flood(piece)),
  ...PIECES.map((piece): HostileText => [
    `${named(piece)} after ${named(OPENINGS)}`,
    (length) => `${OPENINGS}${repeated(piece, length - OPENINGS.length - 1)}x`,
  ]),
];

/** One character over and over, for lengths at which all of the others would take too long. */
export const FLOODS: readonly HostileText[] = [...'. a"\u0301'].map((character) => flood(character));

function flood(piece: string): HostileText {
  return [named(piece), (length) => repeated(piece, length)];
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function named(piece: string): string {
  const code = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
  return JSON.stringify(piece).replaceAll(/[^\x20-\x7e]/gu, code);
}
