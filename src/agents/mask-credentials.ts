type Config = Readonly<Record<string, unknown>>;

/**
 * Keys whose values are secrets, in snake_case and camelCase, wherever they stand in a config: api_key, transport_api_secret,
 * token, password, Authorization … and everything inside headers, token requests and a browser's stored cookies.
 */
const SECRET_KEY =
  /(^|_)(api_?keys?|secrets?|tokens?|passwords?|passphrase|credentials?|authorization|cookies?|headers|private_?key|token_body|storage_state)$/;

/** What follows `token_` names no secret: where to get one and which field of the answer holds it. */
const HARMLESS_KEY = /(^|_)(max|completion|prompt)_tokens$/;

const SHOWN_CHARACTERS = 4;
/** Shorter secrets are not shown at all: their first characters would give most of them away. */
const SHORTEST_SHOWN = 12;
const BULLETS = '••••••••';

/** A copy that shows each secret as its first four characters and bullets. */
export function maskCredentials(config: Config): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, maskField(key, value)]));
}

/**
 * The changes without those that only send back a mask: a client that reads an agent, edits one field and sends the
 * whole config must not overwrite secrets it has never seen.
 */
export function dropSentBackMasks(changes: Config, stored: Config): Record<string, unknown> {
  const masked = maskCredentials(stored);
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([key, value]) => !(Object.hasOwn(masked, key) && hasMask(value) && isSame(value, masked[key])),
    ),
  );
}

function maskField(key: string, value: unknown): unknown {
  return isSecret(key) ? maskAll(value) : maskInside(value);
}

function isSecret(key: string): boolean {
  const snakeCase = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-. ]/g, '_')
    .toLowerCase();
  return SECRET_KEY.test(snakeCase) && !HARMLESS_KEY.test(snakeCase);
}

function maskInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskInside);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskField(key, part)]));
}

function maskAll(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'number') return BULLETS;
  if (Array.isArray(value)) return value.map(maskAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskAll(part)]));
}

function maskText(secret: string): string {
  if (secret === '') return '';
  return secret.length < SHORTEST_SHOWN ? BULLETS : secret.slice(0, SHOWN_CHARACTERS) + BULLETS;
}

function hasMask(value: unknown): boolean {
  return JSON.stringify(value)?.includes(BULLETS) ?? false;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
