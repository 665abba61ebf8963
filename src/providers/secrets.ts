import type { AgentConfig, Json } from './provider';
import { isSecretName, isSecretParameter } from './secret-names';

/** Parts of a config whose every value may be a credential, whatever its name is. */
const SECRET_PART = /^(headers|token_?headers|token_?body|storage_?state)$/i;

/** Below this a value is part of too many words: removing it would spoil the text and hide nothing. */
const MIN_LENGTH = 4;
/** Values that only stand beside credentials (`application/json` in headers) have to look like one. */
const MIN_LENGTH_UNNAMED = 8;

const REMOVED = '[removed]';

/** The secret values of one agent's config; takes them out of whatever leaves: error messages and metadata. */
export class Secrets {
  private constructor(private values: readonly string[]) {}

  /** @param others secrets that do not stand in the config, such as a key from the environment */
  static of(config: AgentConfig, others: readonly (string | undefined)[] = []): Secrets {
    const found = new Set<string>();
    for (const other of others) if (other !== undefined) addForms(found, other, MIN_LENGTH);
    collect(found, config, false, false, 0);
    return new Secrets(longestFirst(found));
  }

  /** One that came up later, such as a token made or received for one conversation. */
  learn(value: string): void {
    const found = new Set(this.values);
    addForms(found, value, MIN_LENGTH);
    this.values = longestFirst(found);
  }

  remove(text: string): string {
    let clean = text;
    for (const value of this.values) if (clean.includes(value)) clean = clean.replaceAll(value, REMOVED);
    return clean;
  }

  /** The same for every string of a JSON object, names of fields included. */
  removeFromRecord(record: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
    return Object.fromEntries(Object.entries(record).map(([key, item]) => [this.remove(key), this.removeFrom(item)]));
  }

  private removeFrom(value: Json): Json {
    if (typeof value === 'string') return this.remove(value);
    if (value === null || typeof value !== 'object') return value;
    return isList(value) ? value.map((item) => this.removeFrom(item)) : this.removeFromRecord(value);
  }
}

/** So that a secret that contains another one goes as a whole. */
function longestFirst(found: ReadonlySet<string>): readonly string[] {
  return [...found].sort((a, b) => b.length - a.length);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function collect(found: Set<string>, value: unknown, named: boolean, inPart: boolean, depth: number): void {
  if (depth > 8) return;
  if (typeof value === 'string') {
    if (named || inPart) addForms(found, value, named ? MIN_LENGTH : MIN_LENGTH_UNNAMED);
    if (URL.canParse(value)) for (const secret of secretsOfUrl(new URL(value))) addForms(found, secret, MIN_LENGTH);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(found, item, named, inPart, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      collect(found, item, isSecretName(name), inPart || SECRET_PART.test(name), depth + 1);
    }
  }
}

/** What of an address is secret: its user part, and what its query calls a key, decoded. */
export function secretsOfUrl(url: URL): readonly string[] {
  const named = [...url.searchParams].filter(([name]) => isSecretParameter(name)).map(([, value]) => value);
  return [url.username, url.password, ...named].filter((value) => value.length >= MIN_LENGTH);
}

/** The value as it is, without its scheme (`Bearer …`), and as JSON and addresses write it. */
function addForms(found: Set<string>, value: string, minLength: number): void {
  const trimmed = value.trim();
  for (const form of [trimmed, trimmed.replace(/^(Bearer|Basic|Token|ApiKey)\s+/i, '')]) {
    if (form.length < minLength) continue;
    for (const written of [form, JSON.stringify(form).slice(1, -1), encodeURIComponent(form.toWellFormed())]) {
      found.add(written);
    }
  }
}
