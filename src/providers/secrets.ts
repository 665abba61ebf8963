import type { Json } from './json';
import { Removal } from './removal';
import { formsOf } from './secret-forms';
import { isSecretName, isSecretParameter } from './secret-names';

/** Parts of a config whose every value may be a credential, whatever its name is. */
const SECRET_PART = /^(headers|token_?headers|token_?body|storage_?state|cookies)$/i;

/** Values that only stand beside credentials: what every client sends is none. */
const HARMLESS_VALUE = /^(application|text|image|multipart)\/|^(keep-alive|no-cache|gzip.*|identity|\*\/\*)$/i;

/** Of one config; more are a browser's cookies, of which the first are those of the login. */
const MAX_VALUES = 100;
const MAX_DEPTH = 8;
/** Shorter ones are masked with the rest of their config, but not looked for in addresses. */
const MIN_LENGTH_IN_URL = 4;

/**
 * The secret values of one agent's config, and the service's own; takes them, and what an echo makes of them, out of whatever
 * comes from an agent. Values of fewer than 8 characters stay, and so do plain words (see `formsOf`).
 */
export class Secrets {
  private readonly values: Set<string>;
  private removal: Removal | null = null;

  private constructor(values: ReadonlySet<string>) {
    this.values = new Set(values);
  }

  /** @param others secrets that do not stand in the config, such as a key from the environment */
  static of(config: Readonly<Record<string, unknown>>, others: readonly (string | undefined)[] = []): Secrets {
    const found = new Set(others.filter((other) => other !== undefined));
    collect(found, config, false, 0);
    return new Secrets(found);
  }

  /** One that came up later, such as a token made or received for one conversation. */
  learn(value: string): void {
    this.values.add(value);
    this.removal = null;
  }

  remove(text: string): string {
    this.removal ??= new Removal(new Set([...this.values].flatMap(formsOf)));
    return this.removal.from(text);
  }

  /** The same for every string of a JSON object, names of fields included, and for numbers that are a secret. */
  removeFromRecord(record: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
    return Object.fromEntries(Object.entries(record).map(([key, item]) => [this.remove(key), this.removeFrom(item)]));
  }

  /** The same for any JSON value. */
  removeFrom(value: Json): Json {
    if (typeof value === 'string') return this.remove(value);
    if (typeof value === 'number') {
      const written = String(value);
      const clean = this.remove(written);
      return clean === written ? value : clean;
    }
    if (value === null || typeof value !== 'object') return value;
    return isList(value) ? value.map((item) => this.removeFrom(item)) : this.removeFromRecord(value);
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function collect(found: Set<string>, value: unknown, isSecret: boolean, depth: number): void {
  if (depth > MAX_DEPTH || found.size >= MAX_VALUES) return;
  if (typeof value === 'string') {
    if (isSecret && !HARMLESS_VALUE.test(value)) found.add(value);
    if (URL.canParse(value)) for (const secret of secretsOfUrl(new URL(value))) found.add(secret);
  } else if (typeof value === 'number') {
    if (isSecret) found.add(String(value));
  } else if (Array.isArray(value)) {
    for (const item of value) collect(found, item, isSecret, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      collect(found, item, isSecret || isSecretName(name) || SECRET_PART.test(name), depth + 1);
    }
  }
}

/** What of an address is secret, as it is written and decoded: its user part, and what its query calls a key. */
export function secretsOfUrl(url: URL): readonly string[] {
  const named = [...url.searchParams].filter(([name]) => isSecretParameter(name)).map(([, value]) => value);
  const users = [url.username, url.password].flatMap((text) => [text, decoded(text)]);
  return [...new Set([...users, ...named])].filter((value) => value.length >= MIN_LENGTH_IN_URL);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
