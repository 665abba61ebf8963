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
  const bare = bareOf(value);
  if (bare.length < MIN_SHORT_LENGTH) return [];
  const encoded = encodedForms(bare);
  if (bare.length < MIN_LENGTH || WORD.test(bare)) return [`Bearer ${bare}`, ...encoded];
  const json = JSON.stringify(bare).slice(1, -1);
  const percent = encodeURIComponent(bare.toWellFormed());
  return [
    ...new Set([
      value.trim(),
      bare,
      json,
      JSON.stringify(json).slice(1, -1),
      bare.replaceAll('/', '\\/'),
      percent,
      percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      percent.replaceAll('%20', '+'),
      escapedForHtml(bare),
      ...encoded,
    ]),
  ];
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
