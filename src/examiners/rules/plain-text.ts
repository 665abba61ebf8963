/** Invisible characters: format characters, fillers and joiners. Nothing may hide behind them. */
const INVISIBLE =
  /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;
const BLANKS = /[\s\p{Cc}\u0085]+/gu;

/** Most sentences: nothing but letters, digits, spaces and usual punctuation of ASCII, which every rule below leaves as it is. */
const ORDINARY = /^[A-Za-z][A-Za-z0-9 .,;:!?'"()%/$=+@-]*$/;

/** Whether neither `visibleText` nor `plainText` changes the text. Saves a dozen passes over each of thousands of sentences. */
export function isOrdinary(text: string): boolean {
  return ORDINARY.test(text) && !text.includes('  ') && !text.endsWith(' ');
}

/** The text as a reader sees it: no invisible characters, white space as single spaces. */
export function visibleText(text: string): string {
  if (isOrdinary(text)) return text;
  return text.toWellFormed().replace(INVISIBLE, '').replace(BLANKS, ' ').trim();
}

const LINK = /!?\[([^[\]]{0,500})\]\([^()\s]{0,500}\)/g;
const TAG = /<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,300})?\/?>/gi;
const BREAKING_TAG = /^<\/?(?:br|p|div|li|ul|ol|td|tr|th|h\d)\b/i;
const ENTITY = /&(nbsp|amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-f]{1,5});/gi;
const NAMED: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Marks of emphasis and code, even inside a word. */
const EMPHASIS = /\*{1,3}|~~|`{1,3}|(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])/gu;
const LINE_MARKER = /^(?:[-+•‣◦▪·>|\s]|#{1,6}\s|\(?\d{1,3}[.)]\s)+/;

/**
 * The words of a text that may be Markdown or HTML, in plain characters: compatibility forms (full width, mathematical letters,
 * ligatures) as what they stand for, without emphasis marks, tags and the addresses of links. For matching words, not for display.
 */
export function plainText(text: string): string {
  if (isOrdinary(text)) return text;
  const decoded = visibleText(text).normalize('NFKC').replace(ENTITY, characterOf);
  return decoded
    .replace(LINK, '$1')
    .replace(TAG, (tag) => (BREAKING_TAG.test(tag) ? ' ' : ''))
    .replace(EMPHASIS, '')
    .replace(LINE_MARKER, '')
    .replaceAll('|', ' ')
    .replace(/[‘’‛ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒]/g, '-')
    .replace(BLANKS, ' ')
    .trim();
}

function characterOf(entity: string, name: string): string {
  const named = NAMED[name.toLowerCase()];
  if (named !== undefined) return named;
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
  return code > 31 && code < 0xd800 ? String.fromCodePoint(code) : entity;
}
