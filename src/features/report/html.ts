import { spaced } from '../../domain';

/** Text of a page in which everything from outside is escaped; only the literals of `html` are taken as they are. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | readonly Part[];

/** A piece of a page: what stands in `${}` is escaped, unless it is a piece of a page itself. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(literals.reduce((text, literal, at) => text + textOf(parts[at - 1] ?? null) + literal));
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return part.map(textOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that no reader would see, and those that turn the direction of the text after them: a transcript must not look
 * otherwise than it is. Tab and line ends stay.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

function escaped(text: string): string {
  return text.replaceAll(UNSEEN, '\u{FFFD}').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** How numbers and names are written for people; the JSON has them as they are. */

export function oneDecimal(value: number): string {
  return (Math.round(value * 10) / 10).toFixed(1);
}

/** @param value 0..100; null where there is none */
export function percentOf(value: number | null): string {
  return value === null ? '–' : `${oneDecimal(value)}\u00a0%`;
}

/** @param value 0..1 */
export function twoDecimals(value: number | null): string {
  return value === null ? '–' : value.toFixed(2).replace('-', '−');
}

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** The name of a scenario, with the harm that a failure may do in small type behind it. */
export function graded(name: string, severity: string | null): Html {
  return html`${name}${severity === null ? '' : html` <small>(${spaced(severity)})</small>`}`;
}

/** The UTC day of an ISO 8601 time. */
export function day(at: string): string {
  return at.slice(0, 10);
}
