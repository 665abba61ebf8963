import { isPlaceholder } from '../placeholders';
import { isSecretParameter } from './secret-names';

/** Shorter ones are masked with the rest of their config, but not searched for in addresses. */
const MIN_LENGTH_IN_URL = 4;
const BEFORE_USER = /^[\0- ]*[a-z][a-z\d+.\t\n\r-]*:[\\/\t\n\r]*/i;

/** A secret part of an address that can be parsed: where it is written, and what it says. */
export interface SecretPart {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/**
 * The secret parts of an address that can be parsed, in the order in which they are written: its user info, and parameters named as secrets. Found by
 * their places: a parser writes an address anew, and a value in it can be written in as many ways as it has characters.
 */
export function secretPartsOf(address: string): readonly SecretPart[] {
  const { username, password } = new URL(address);
  const users = username === '' && password === '' ? [] : usersOf(address);
  return [...users, ...parametersOf(address)].filter(
    ({ start, end, value }) => Math.max(end - start, value.length) >= MIN_LENGTH_IN_URL,
  );
}

/** What they are, as written and decoded, by us and by the parser. */
export function secretsOfAddress(address: string): readonly string[] {
  const written = secretPartsOf(address).flatMap(({ start, end, value }) => {
    const raw = address.slice(start, end);
    return [raw, decoded(raw), value];
  });
  return [...new Set([...written, ...secretsOfUrl(new URL(address))])].filter(isSecret);
}

/** The secret parts of an address that is parsed already. */
export function secretsOfUrl(url: URL): readonly string[] {
  const named = [...url.searchParams].filter(([name]) => isSecretParameter(name)).map(([, value]) => value);
  const users = [url.username, url.password].flatMap((text) => [text, decoded(text)]);
  return [...new Set([...users, ...named])].filter(isSecret);
}

function isSecret(value: string): boolean {
  return value.length >= MIN_LENGTH_IN_URL && !isPlaceholder(value);
}

function usersOf(address: string): readonly SecretPart[] {
  const from = BEFORE_USER.exec(address)?.[0].length ?? 0;
  const length = address.slice(from).search(/[/\\?#]/);
  const until = length < 0 ? address.length : from + length;
  const at = address.lastIndexOf('@', until - 1);
  if (from === 0 || at < from) return [];
  const colon = address.slice(from, at).indexOf(':');
  const ends = colon < 0 ? [at] : [from + colon, at];
  return ends.map((end, place) => {
    const start = place === 0 ? from : (ends[0] ?? from) + 1;
    return { start, end, value: decoded(address.slice(start, end)) };
  });
}

/**
 * The parameters of the query, and of the fragment, which scripts of pages read in the same way: `#token=…`, or behind a path of
 * its own, `#/chat?token=…`.
 */
function parametersOf(address: string): readonly SecretPart[] {
  const hash = address.indexOf('#');
  const until = hash < 0 ? address.length : hash;
  const query = address.indexOf('?');
  const found = query < 0 ? [] : parametersBetween(address, query + 1, until);
  if (hash < 0) return found;
  const ownQuery = address.indexOf('?', hash);
  const isBehindPath = ownQuery >= 0 && ownQuery < address.indexOf('=', hash);
  return [...found, ...parametersBetween(address, (isBehindPath ? ownQuery : hash) + 1, address.length)];
}

function parametersBetween(address: string, start: number, until: number): SecretPart[] {
  const found: SecretPart[] = [];
  for (let from = start; from <= until;) {
    const ampersand = address.indexOf('&', from);
    const end = ampersand < 0 || ampersand > until ? until : ampersand;
    const pair = address.slice(from, end);
    const equals = pair.indexOf('=');
    if (equals >= 0 && isSecretParameter(decodedParameter(pair.slice(0, equals)))) {
      found.push({ start: from + equals + 1, end, value: decodedParameter(pair.slice(equals + 1)) });
    }
    from = end + 1;
  }
  return found;
}

/** A parser passes over line breaks. */
function decodedParameter(text: string): string {
  return decoded(text.replaceAll(/[\t\n\r]/g, '').replaceAll('+', ' '));
}

/** Percent signs resolved; as it is written where they mean nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Random ids and tokens in their usual spellings, not words, numbers, dates or versions. The pieces of a UUID are shorter. */
const LONG_PIECE = /[A-Za-z0-9]{16,}/g;

/**
 * Whether a step of an address's path looks like a token: 16 or more letters and digits without anything between them, some of both.
 * That is a guess, and good for a warning at most: an id may look like that too, and a token like a word or a UUID.
 */
export function seemsToHoldSecret(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const pieces = decoded(new URL(address).pathname).match(LONG_PIECE) ?? [];
  return pieces.some((piece) => /[A-Za-z]/.test(piece) && /\d/.test(piece));
}
