import { RE2JS, RE2JSSyntaxException } from 're2js';

/** A pattern is a phrase with its variants; a longer one is a list, for which `contains` has texts. */
export const LONGEST_PATTERN = 1_000;
/** Instructions of the compiled pattern: at each character of a reply as many may be looked at, which takes 3 s for 100 kB. */
const LARGEST_PROGRAM = 1_000;

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/** What RE2 leaves out, by how it is written, and what to write instead. */
const LEFT_OUT: readonly { readonly written: RegExp; readonly sentence: string }[] = [
  {
    written: /\(\?<[=!]|\(\?[=!]/,
    sentence:
      'looks ahead or behind, which RE2 leaves out because it may take for ever: write what must be there, and what must not be there as a criterion with negative points',
  },
  {
    written: /\\[1-9]|\\k</,
    sentence:
      'refers back to what a group found, which RE2 leaves out because it may take for ever: write the words out, with | between them',
  },
  {
    written: /[*+?}]\+|\(\?>/,
    sentence: 'has a possessive repetition or an atomic group, which RE2 has no need of: leave the + or ?> out',
  },
];

/** A pattern that takes time in proportion to the text, whatever both are. */
export interface Pattern {
  /** The first place, as UTF-16 offsets, end exclusive; null where there is none. */
  find(text: string): { readonly start: number; readonly end: number } | null;
}

/** What is wrong with a pattern, after its field's name; null when nothing is. */
export function patternProblem(pattern: string, flags = ''): string | null {
  if (pattern.length > LONGEST_PATTERN)
    return `is longer than ${LONGEST_PATTERN} characters: list words in a check of the kind contains instead`;
  try {
    const compiled = RE2JS.compile(pattern, bitsOf(flags));
    return compiled.programSize() > LARGEST_PROGRAM
      ? 'repeats too much to be searched for quickly: lower its repeat counts'
      : null;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const known = LEFT_OUT.find(({ written }) => written.test(pattern));
    return (
      known?.sentence ??
      `is not a pattern in RE2’s syntax: ${error.message.replace(/^error parsing regexp: /, '').slice(0, 200)}`
    );
  }
}

/** Instructions of a pattern; Infinity for one with a problem. */
export function patternSize(pattern: string, flags = ''): number {
  if (patternProblem(pattern, flags) !== null) return Infinity;
  return RE2JS.compile(pattern, bitsOf(flags)).programSize();
}

/** @throws RE2JSSyntaxException for a pattern with a problem */
export function compilePattern(pattern: string, flags = ''): Pattern {
  const compiled = RE2JS.compile(pattern, bitsOf(flags));
  return {
    find: (text) => {
      const matcher = compiled.matcher(text);
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null;
    },
  };
}

function bitsOf(flags: string): number {
  return [...flags].reduce((bits, flag) => bits | (FLAGS[flag] ?? 0), 0);
}
