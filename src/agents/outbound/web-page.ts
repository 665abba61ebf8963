import type { IncomingHttpHeaders } from 'node:http';

/**
 * What tells a web page from words: an agent's server that answers with a login, a notice or the error of a gateway in front of it has
 * not let the agent speak. Everything here takes time in proportion to the text.
 */

/** Media types of web pages. */
const PAGE_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;
/** The beginning of a page, after what `beginning` passes over. */
const FIRST_TAG = /^<(?:!doctype\s+html|html|head|body|title|meta)(?=[\s/>])/i;
/** No page has more comments and declarations before its first tag. */
const MOST_PASSED_OVER = 50;
const FIRST_TAG_CHARACTERS = 100;

/** The end of a whole page, comments after it aside. */
const LAST_TAG = /<\/(?:html|body)\s{0,20}>\s{0,1000}$/i;
const END_CHARACTERS = 2_000;

/** An attribute's value may hold `>`, hardly ever `<`: a tag ends at either. */
const PASSWORD_FIELD = /<input\b[^<>]{0,500}?\btype\s{0,20}=\s{0,20}["']?password\b/i;
const TITLE = /<title\b[^<>]{0,200}>([^<]{0,300})/i;
/** A title stands at the beginning of a page. */
const TITLE_WITHIN = 20_000;

export function isPageType(headers: IncomingHttpHeaders): boolean {
  return PAGE_TYPE.test(headers['content-type'] ?? '');
}

/** Whether a text begins as a web page does. */
export function beginsAsPage(text: string): boolean {
  return FIRST_TAG.test(beginning(text));
}

/**
 * Whether a text is a web page from its beginning to its end. Words with tags in them, such as Markdown or a sample of code, are none, and
 * neither is a sentence that begins with a tag.
 */
export function isWholePage(text: string): boolean {
  const first = beginning(text);
  return FIRST_TAG.test(first) && (/^<!doctype/i.test(first) || LAST_TAG.test(text.slice(-END_CHARACTERS)));
}

/** Whether a page asks its reader to log in. */
export function asksForPassword(page: string): boolean {
  return PASSWORD_FIELD.test(page);
}

/** Empty when it has none. */
export function titleOf(page: string): string {
  return TITLE.exec(page.slice(0, TITLE_WITHIN))?.[1]?.trim() ?? '';
}

/** From the first tag on: without byte order mark, white space, comments and the declaration of XML before it. */
function beginning(text: string): string {
  let at = 0;
  for (let passed = 0; passed < MOST_PASSED_OVER; passed += 1) {
    while (at < text.length && /[\s\ufeff]/.test(text.charAt(at))) at += 1;
    const close = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?xml', at) ? '?>' : null;
    if (close === null) break;
    const end = text.indexOf(close, at);
    if (end < 0) return '';
    at = end + close.length;
  }
  return text.slice(at, at + FIRST_TAG_CHARACTERS);
}
