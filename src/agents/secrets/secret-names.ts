/** Endings of names whose values are credentials, in snake_case; these only as a whole word: not `monkey`, not `compass`. */
const WORDS =
  /(^|_)(keys?|auth|pass|pwd|passphrase|passcode|jwt|otp|creds?|session|session_?id|sessid|sid|sig|headers|token_body|storage_state)$/;

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
