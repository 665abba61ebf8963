import { Needle } from '../../domain';
import { isPlaceholder, placeholdersIn } from '../placeholders';
import { secretPartsOf, secretsOfAddress } from './secret-address';
import { isSecretName, secretPlacesIn } from './secret-names';
import { BULLETS } from '../../../contract/field';

type Config = Readonly<Record<string, unknown>>;

const SHOWN_CHARACTERS = 4;
/** Shorter secrets are not shown at all: their first characters would reveal most of them. */
const SHORTEST_SHOWN = 12;
/** No address of an agent has more secrets. */
const MOST_REPEATED = 100;
/** Nor is one longer: servers take 8,000 characters. A longer one that holds secrets is not shown at all. */
const LONGEST_ADDRESS = 16_384;

/**
 * A copy that shows each secret as its first four characters, bullets and the placeholders in it: values named as secrets, everything
 * inside headers, token requests and a browser's stored cookies, and a key in an address.
 */
export function maskCredentials(config: Config): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, maskField(key, value)]));
}

function maskField(key: string, value: unknown): unknown {
  if (isSecretName(key)) return maskAll(value);
  return isTextBody(key, value) ? maskNamed(value) : maskInside(value);
}

/** A body of an HTTP agent that is not JSON: its fields have their names within the text. */
function isTextBody(key: string, value: unknown): value is string {
  return key === 'body' && typeof value === 'string';
}

function maskNamed(text: string, mask = maskText): string {
  const masked: string[] = [];
  let at = 0;
  for (const { start, end } of secretPlacesIn(text)) {
    masked.push(text.slice(at, start), mask(text.slice(start, end)));
    at = end;
  }
  return masked.join('') + text.slice(at);
}

function maskInside(value: unknown): unknown {
  if (typeof value === 'string') return maskAddress(value);
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

function maskAddress(text: string, mask = maskText): string {
  if (!URL.canParse(text)) return text;
  const parts = secretPartsOf(text);
  if (parts.length > 0 && text.length > LONGEST_ADDRESS) return mask(text);
  // Where the address repeats one elsewhere: looked for as long as that is not dear.
  const secrets = parts.length > MOST_REPEATED ? [] : secretsOfAddress(text);
  const needles = secrets.flatMap((secret) =>
    [secret, encodeURIComponent(secret.toWellFormed())].map((written) => [new Needle(written), mask(secret)] as const),
  );
  const withoutRepeats = (piece: string): string =>
    needles.reduce((masked, [needle, by]) => needle.replaceIn(masked, by), piece);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, value } of parts) {
    // As it is written, but a short one is not shown because it is written at length.
    pieces.push(
      withoutRepeats(text.slice(at, start)),
      mask(value.length < SHORTEST_SHOWN ? value : text.slice(start, end)),
    );
    at = end;
  }
  return pieces.join('') + withoutRepeats(text.slice(at));
}

/**
 * A copy in which nothing depends on a secret: whatever `maskCredentials` masks is the same few bullets here, whole headers and
 * logins too, however many values they hold.
 */
export function leaveOutCredentials(config: Config): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, leaveOutField(key, value)]));
}

function leaveOutField(key: string, value: unknown): unknown {
  if (isSecretName(key)) return BULLETS;
  return isTextBody(key, value) ? maskNamed(value, () => BULLETS) : leaveOutInside(value);
}

function leaveOutInside(value: unknown): unknown {
  if (typeof value === 'string') return maskAddress(value, () => BULLETS);
  if (Array.isArray(value)) return value.map(leaveOutInside);
  return isDocument(value) ? leaveOutCredentials(value) : value;
}

/** The fields of a config with bullets where the stored one has something else: what they stand for is not known. */
export function fieldsWithMask(config: Config, stored: Config): readonly string[] {
  return Object.keys(config).filter((key) => hasMask(config[key]) && !isSame(config[key], stored[key]));
}

/** Placeholders are no part of a secret, and tell what carries the conversation. */
function maskText(secret: string): string {
  if (secret === '' || isPlaceholder(secret)) return secret;
  const shown = secret.length < SHORTEST_SHOWN ? '' : secret.slice(0, SHOWN_CHARACTERS);
  return [shown, BULLETS, ...placeholdersIn(secret)].join('');
}

/** Whether the value of a config's field is a secret, or holds one. */
export function holdsSecret(key: string, value: unknown): boolean {
  return !isSame(maskField(key, value), value);
}

/** Whether something in it is a mask that a client sends back. */
export function hasMask(value: unknown): boolean {
  return JSON.stringify(value)?.includes(BULLETS) ?? false;
}

function isDocument(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * The changes with the stored value wherever only what was shown of it is sent back, at any depth: a client that reads an agent,
 * edits one field and sends the whole config must not overwrite secrets it has never seen.
 * @param shown the stored config in every way in which it is shown without its secrets
 */
export function restoreMasked(changes: Config, stored: Config, shown: readonly Config[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([key, part]) => {
      if (!Object.hasOwn(stored, key)) return [key, part];
      const parts = partsOf(shown, key);
      // As a whole first: names of fields may have been shown otherwise too.
      const isShown = parts.some((one) => JSON.stringify(one) === JSON.stringify(part));
      return [key, isShown ? stored[key] : restored(part, stored[key], parts)];
    }),
  );
}

function restored(value: unknown, stored: unknown, shown: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return shown.includes(value) ? stored : value;
  if (Array.isArray(value)) {
    if (!Array.isArray(stored)) return value;
    const lists = shown.filter((one) => Array.isArray(one));
    return value.map((item, place) => {
      const parts = lists.filter(({ length }) => place < length).map((list): unknown => list[place]);
      return restored(item, stored[place], parts);
    });
  }
  if (!isDocument(value) || !isDocument(stored)) return value;
  const documents = shown.filter(isDocument);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      Object.hasOwn(stored, key) ? restored(part, stored[key], partsOf(documents, key)) : part,
    ]),
  );
}

function partsOf(documents: readonly Config[], key: string): readonly unknown[] {
  return documents.filter((document) => Object.hasOwn(document, key)).map((document) => document[key]);
}
