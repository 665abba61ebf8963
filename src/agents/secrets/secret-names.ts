/** Endings of names whose values are credentials, in snake_case; these only as a whole word: not `monkey`, not `compass`. */
const WORDS =
  /(^|_)(keys?|auth|pass|pwd|passphrase|passcode|jwt|otp|creds?|session|session_?id|sessid|sid|sig|headers|token_body|custom_parameters|storage_state)$/;

/** These also at the end of a longer word: `clientsecret`, `accesstoken`, `xapikey`. */
const ENDINGS =
  /(secrets?|tokens?|passwords?|passwd|credentials?|authorization|bearer|cookies?|signature|(api|access|secret|private|signing|shared|master|account|service|functions|subscription)keys?)$/;

/** Public keys, and token counts. */
const HARMLESS = /(^|_)(public_?keys?|(max|min|new|completion|prompt|input|output|total|reasoning|cached)_tokens)$/;

/** Endings of names that accompany credentials in headers and token requests: identity, language, expiry. */
const BESIDE =
  /(^|_)(accept(_[a-z]+)?|content_[a-z]+|user_agent|origin|referer|cache_control|pragma|[a-z]+_name|identity|version|language|locale|time_?zone|region|environment|model|type|scopes?|expires|expires_(at|in)|exp|iat|at)$/;
/** And in a login: where its cookies and entries belong. */
const BESIDE_COOKIES = /^(name|domain|path|same_site|expiration_date)$/;

/** Whether a field, header or parameter of this name holds a credential, in snake_case, camelCase or with hyphens. */
export function isSecretName(name: string): boolean {
  const snakeCase = inSnakeCase(name);
  return (WORDS.test(snakeCase) || ENDINGS.test(snakeCase)) && !HARMLESS.test(snakeCase);
}

/** Whether a value of this name in headers, token requests and logins is not a secret, though its neighbours may be. */
export function isBesideSecrets(name: string, isLogin: boolean): boolean {
  const snakeCase = inSnakeCase(name);
  return BESIDE.test(snakeCase) || (isLogin && BESIDE_COOKIES.test(snakeCase));
}

/** In a URL `code` is one, too: cloud functions take it as a key. Elsewhere it is the code of a language or a country. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || /^code$/i.test(name);
}

function inSnakeCase(name: string): string {
  return name
    .slice(-200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-. ]/g, '_')
    .toLowerCase();
}

/** Where in a text a value stands that is named as a secret. */
interface SecretPlace {
  readonly start: number;
  readonly end: number;
}

/** A name and what separates it from its value: `key=`, `"token": "`, `<ApiKey>`. */
const NAMED = /(?<![\w.-])([\w.-]{1,60})["']?\s{0,3}[=:>]\s{0,3}/g;
const VALUE = /^(?:["']\s{0,3})?(?:(?:Bearer|Basic)\s{1,3})?([^\s<>&;,"'(){}[\]]{1,4096})/i;
const LONGEST = 4_200;
const MOST_PLACES = 100;
/** Shorter ones are versions, languages, switches. */
const MIN_LENGTH = 8;
/** A word of a sentence, not a credential. */
const WORD = /^\p{Lu}?\p{Ll}+[.!?]?$/u;

/**
 * The values of a text or XML that stand beside the name of a credential, in the order of the text; at most a hundred. Time grows with the
 * length of the text.
 */
export function secretPlacesIn(text: string): readonly SecretPlace[] {
  const places: SecretPlace[] = [];
  for (const { 0: name, 1: word = '', index } of text.matchAll(NAMED)) {
    if (!isSecretName(word)) continue;
    const start = index + name.length;
    const found = VALUE.exec(text.slice(start, start + LONGEST));
    const value = found?.[1] ?? '';
    if (found === null || value.length < MIN_LENGTH || WORD.test(value)) continue;
    const end = start + found[0].length;
    places.push({ start: end - value.length, end });
    if (places.length === MOST_PLACES) break;
  }
  return places;
}
