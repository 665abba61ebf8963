import { ownTurn } from '../concurrency/own-turn';

/** Shorter values are part of too many words: they are looked for by themselves (`ShortSecrets`). */
export const MIN_LENGTH = 8;
/** Still shorter ones are no secrets, wherever they stand. */
const MIN_SHORT_LENGTH = 4;

/** One word of letters alone, such as `optional`, is what people put where a key is asked for and none is needed. */
const WORD = /^([A-Z]?[a-z]{0,10}|[A-Z]{0,11})$/;

const SCHEME = /^(Bearer|Basic|Token|ApiKey)\s+/i;

/**
 * Everything that an echo may make of a secret: the value with and without its scheme, as JSON, HTML and addresses write it, and
 * in Base64, wherever in the encoded text it stands (`Bearer x`, `user:x`, all headers as one document). Of plain words and of values
 * with fewer than MIN_LENGTH characters only what no sentence holds by chance.
 */
export function formsOf(value: string): readonly string[] {
  const steps = formsInSteps(value);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same; a value of a megabyte takes many turns of the event loop. */
export async function formsInTurns(value: string): Promise<readonly string[]> {
  const steps = formsInSteps(value);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await ownTurn(value.length);
  }
}

/** A step takes some milliseconds at most: where every character is escaped, that costs a thousand times what copying does. */
function* formsInSteps(value: string): Generator<void, readonly string[]> {
  const bare = bareOf(value);
  if (bare.length < MIN_SHORT_LENGTH) return [];
  const encoded = encodedForms(bare);
  if (bare.length < MIN_LENGTH || WORD.test(bare)) return [`Bearer ${bare}`, ...encoded];
  const written = ESCAPES.map((): string[] => []);
  for (let from = 0; from < bare.length;) {
    const part = bare.slice(from, partEnd(bare, from));
    ESCAPES.forEach((escape, at) => written[at]?.push(escape(part)));
    from += part.length;
    if (from < bare.length) yield;
  }
  return [...new Set([value.trim(), bare, ...written.map((parts) => parts.join('')), ...encoded])];
}

const PART_CHARACTERS = 16_384;

/** Not within a character: each is escaped by itself. */
function partEnd(text: string, from: number): number {
  const end = from + PART_CHARACTERS;
  return end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** What JSON, JSON in JSON, JSON of PHP, addresses, forms and HTML make of a text. */
const ESCAPES: readonly ((text: string) => string)[] = [
  inJson,
  (text) => inJson(inJson(text)),
  (text) => text.replaceAll('/', '\\/'),
  inAddress,
  (text) => inAddress(text).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  (text) => inAddress(text).replaceAll('%20', '+'),
  escapedForHtml,
];

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAddress(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The value by itself, where it is looked for standing alone: it has four to seven characters. Null when it has not. */
export function shortFormOf(value: string): string | null {
  const bare = bareOf(value);
  return bare.length >= MIN_SHORT_LENGTH && bare.length < MIN_LENGTH ? bare : null;
}

function bareOf(value: string): string {
  return value.trim().replace(SCHEME, '');
}

/** In Base64 three bytes are four characters: of each way a text can fall onto them, what does not depend on its neighbours. */
function encodedForms(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    for (const alphabet of ['base64', 'base64url'] as const) {
      const whole = shifted.subarray(0, shifted.length - (shifted.length % 3)).toString(alphabet);
      const form = before === 0 ? whole : whole.slice(4);
      if (form.length >= MIN_LENGTH) found.push(form);
    }
  }
  return found;
}

function escapedForHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
