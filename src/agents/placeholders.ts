/** What a request's template may hold in double braces. */
export const PLACEHOLDERS = ['message', 'messages', 'history', 'session_id'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Literal text, or a placeholder that a value replaces. */
export type Piece = string | { readonly placeholder: Placeholder };

/** What is wrong with a template or a path: the rest of a sentence that begins with the field's name. */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault';
}

const IN_BRACES = /\{\{([^{}]{0,100})\}\}/g;
/** How much of an unknown placeholder a sentence quotes. */
const QUOTED = 40;

/**
 * A template's text in pieces. Two braces that are never closed are literal text.
 * @throws TemplateFault for a name that is no placeholder
 */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(IN_BRACES)) {
    if (found.index > end) pieces.push(text.slice(end, found.index));
    pieces.push({ placeholder: placeholderOf(found[1] ?? '') });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** The placeholder that a text consists of; null when it is anything else. */
export function wholePlaceholder(pieces: readonly Piece[]): Placeholder | null {
  const [only, ...others] = pieces;
  return only === undefined || typeof only === 'string' || others.length > 0 ? null : only.placeholder;
}

/** As it is written, or escaped in an address. */
const WRITTEN = `(?:\\{\\{|%7B%7B)(?:\\s|%20){0,5}(${PLACEHOLDERS.join('|')})(?:\\s|%20){0,5}(?:\\}\\}|%7D%7D)`;
const ALONE = new RegExp(`^(?:(?:Bearer|Basic|Token|ApiKey)\\s{1,5})?${WRITTEN}$`, 'i');
const ANYWHERE = new RegExp(WRITTEN, 'gi');

/** Whether a value of a config is nothing but a placeholder, with or without a scheme: then it is no secret, whatever its field is called. */
export function isPlaceholder(text: string): boolean {
  return ALONE.test(text);
}

/** The placeholders in a value of a config, each once. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(ANYWHERE), ([, name = '']) => `{{${name}}}`))];
}

/** Whether the value is a list of messages rather than a text. */
export function isList(placeholder: Placeholder): placeholder is 'messages' | 'history' {
  return placeholder === 'messages' || placeholder === 'history';
}

function placeholderOf(inBraces: string): Placeholder {
  const name = inBraces.trim();
  const known = PLACEHOLDERS.find((placeholder) => placeholder === name);
  if (known !== undefined) return known;
  const all = PLACEHOLDERS.map((placeholder) => `{{${placeholder}}}`).join(', ');
  throw new TemplateFault(`holds {{${name.slice(0, QUOTED)}}}, which is no placeholder: there are ${all}`);
}
