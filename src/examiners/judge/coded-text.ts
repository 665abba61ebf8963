import { Buffer } from 'node:buffer';
import { wordsOf } from '../rules/words';

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
export function isCoded(text: string): boolean {
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
