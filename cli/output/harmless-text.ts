import { stripVTControlCharacters } from 'node:util';

/**
 * Text of agents, patients, judges and servers is hostile: a terminal would interpret some of it instead of showing it.
 * Control characters (C0 with ESC, DEL, C1), line and paragraph separators, marks that change or hide the direction of
 * writing (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters, and the marks ALM, LRM, RLM), and tags that draw nothing.
 */
const OBEYED =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
const LONE_RETURN = /\r(?!\n)/g;
const RUN_OF_BLANKS = / {2,}/g;

/** One line of untrusted text, safe to print. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text.toWellFormed()).replace(OBEYED, ' ').replace(RUN_OF_BLANKS, ' ').trim();
}

/** The same, keeping line breaks; tabs become spaces. */
export function harmlessLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => oneLine(line));
}

/** One line of at most this many characters, with an ellipsis where it was cut. */
export function shortened(text: string, maxCharacters: number): string {
  // Far more than fits: text that is cut off anyway need not be examined character by character.
  const line = oneLine(text.slice(0, maxCharacters * 16));
  const characters = Array.from(line);
  if (characters.length <= maxCharacters && text.length <= maxCharacters * 16) return line;
  return `${characters.slice(0, Math.max(0, maxCharacters - 1)).join('')}…`;
}

/** The same text with its middle left out when it is longer: what a sentence quotes is in its middle, its own words are before and after. */
export function abridged(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.floor(maxCharacters / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}

/** JSON of the same meaning that is safe on a terminal: characters that it would interpret are written as `\uXXXX`. */
export function harmlessJson(value: unknown): string {
  return escapeInJson(JSON.stringify(value, null, 2));
}

/** A document for a terminal: line breaks and tabs stay, other characters that it would interpret become U+FFFD. */
export function harmlessDocument(text: string): string {
  // A carriage return that does not end a line would let the following text overwrite the line.
  return text
    .replace(LONE_RETURN, '\uFFFD')
    .replace(OBEYED, (character) => (isLayout(character) ? character : '\uFFFD'));
}

/** For JSON text: line breaks between its parts stay. */
export function escapeInJson(json: string): string {
  return json.replace(OBEYED, (character) => {
    if (isLayout(character)) return character;
    return Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join('');
  });
}

function isLayout(character: string): boolean {
  return character === '\n' || character === '\r' || character === '\t';
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}
