import { ownTurn } from '../../platform/concurrency';

/** Shorter values are part of too many words: they are searched separately (`ShortSecrets`). */
export const MIN_LENGTH = 8;
/** Even shorter ones are not treated as secrets anywhere. */
const MIN_SHORT_LENGTH = 4;

/** A single word of letters, such as `optional`, is what people enter where a key is asked for and none is needed. */
const WORD = /^([A-Z]?[a-z]{0,10}|[A-Z]{0,11})$/;

const SCHEME = /^(Bearer|Basic|Token|ApiKey)\s+/i;

/**
 * Every form in which an echo may return a secret: the value with and without its scheme, as JSON, HTML and URLs write it, and
 * in Base64, at any offset of the encoded text (`Bearer x`, `user:x`, all headers as one document). Of plain words and of values
 * with fewer than MIN_LENGTH characters, only forms that no sentence holds by chance.
 */
export function formsOf(value: string): readonly string[] {
  const steps = formsInSteps(value);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The forms of several values, by value. What is large altogether takes many turns of the event loop, be it one value of a
 * megabyte or a dozen of 20 kB.
 */
export async function formsInTurns(values: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const size = values.reduce((sum, { length }) => sum + length, 0);
  const forms = new Map<string, readonly string[]>();
  for (const value of values) {
    const steps = formsInSteps(value);
    for (let isDone = false; !isDone;) {
      await ownTurn(size);
      const step = steps.next();
      if (step.done === true) forms.set(value, step.value);
      isDone = step.done === true;
    }
  }
  return forms;
}

/** A step takes a few milliseconds at most: escaping every character costs a thousand times as much as copying. */
function* formsInSteps(value: string): Generator<void, readonly string[]> {
  const bare = bareOf(value);
  if (bare.length < MIN_SHORT_LENGTH) return [];
  const encoded = encodedForms(bare);
  if (bare.length < MIN_LENGTH || WORD.test(bare)) return [`Bearer ${bare}`, ...encoded];
  const written: string[] = [];
  for (let from = 0; from < bare.length;) {
    const part = bare.slice(from, partEnd(bare, from));
    escapedForms(part).forEach((form, at) => (written[at] = (written[at] ?? '') + form));
    from += part.length;
    if (from < bare.length) yield;
  }
  return [...new Set([value.trim(), bare, ...written, ...encoded])];
}

const PART_CHARACTERS = 16_384;

/** Not within a character: each is escaped on its own. */
function partEnd(text: string, from: number): number {
  const end = from + PART_CHARACTERS;
  return end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** A text as JSON, JSON in JSON, PHP's JSON, URLs, forms and HTML write it; always as many, in this order. */
function escapedForms(text: string): readonly string[] {
  const json = inJson(text);
  const address = encodeURIComponent(text.toWellFormed());
  return [
    json,
    inJson(json),
    text.replaceAll('/', '\\/'),
    address,
    // Runs of codes at once: a call for each costs more than all the rest.
    address.replaceAll(/(?:%[0-9A-F]{2})+/g, (codes) => codes.toLowerCase()),
    address.replaceAll('%20', '+'),
    escapedForHtml(text),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The bare value if it has four to seven characters, to be found where it stands alone; otherwise null. */
export function shortFormOf(value: string): string | null {
  const bare = bareOf(value);
  return bare.length >= MIN_SHORT_LENGTH && bare.length < MIN_LENGTH ? bare : null;
}

function bareOf(value: string): string {
  return value.trim().replace(SCHEME, '');
}

/** In Base64 three bytes are four characters: for each of the three alignments, the part that does not depend on its neighbours. */
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
