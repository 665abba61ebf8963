import type { Json } from '../json-value';
import { Removal, REMOVED } from '../removal';
import { formsInTurns, formsOf, shortFormOf } from './secret-forms';
import { secretValuesOf } from './secret-values';

/** Words, also joined by hyphens, apostrophes and the like: a sentence may hold any of them by chance. */
const WORDS = /^\p{L}+([-' ’.,]\p{L}*)*$/u;
/** Numbers, dates, times, measurements and amounts: `12345`, `1/2/24`, `10:30`, `120/80`, `37.5C`, `100mg`. */
const NUMBER = /^(?!.*\d{6})[\d.,:/%+ -]+[\p{L}°]{0,4}$/u;

/** Characters that may not be next to a value that stands alone. */
const OF_WORDS = '[\\p{L}\\p{N}_-]';

/**
 * Removes secrets of a few characters from texts, only where one stands alone: `"a1b2"`, `key=a1b2`, not `3fa1b27c`, which may be
 * an id, nor from part of a word. Words and numbers stay: a transcript that lost its words would no longer prove anything.
 */
class ShortSecrets {
  private readonly pattern: RegExp | null;

  /** @param values of four to seven characters */
  constructor(values: readonly string[]) {
    const secrets = values.filter((value) => !WORDS.test(value) && !NUMBER.test(value));
    const alternatives = secrets.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
    this.pattern = secrets.length === 0 ? null : new RegExp(`(?<!${OF_WORDS})(?:${alternatives})(?!${OF_WORDS})`, 'gu');
  }

  removeFrom(text: string): string {
    return this.pattern === null ? text : text.replaceAll(this.pattern, REMOVED);
  }
}

/**
 * The secret values of one agent's config, and the service's own; removes them, in every form that an echo may give them, from
 * everything that comes from an agent. Plain words stay (see `formsOf`), and so does anything with fewer than 4 characters;
 * anything with fewer than 8 is removed where it stands alone (see `ShortSecrets`).
 */
export class Secrets {
  private readonly values: Set<string>;
  /** Forms by value, once computed. */
  private readonly forms = new Map<string, readonly string[]>();
  private removal: Removal | null = null;
  private short: ShortSecrets | null = null;

  private constructor(values: ReadonlySet<string>) {
    this.values = new Set(values);
  }

  /** @param others secrets that are not in the config, such as a key from the environment */
  static of(config: Readonly<Record<string, unknown>>, others: readonly (string | undefined)[] = []): Secrets {
    return new Secrets(new Set([...others.filter((other) => other !== undefined), ...secretValuesOf(config)]));
  }

  /** Computes their forms ahead of the first removal: those of long values not all at once, as that would. */
  async prepare(): Promise<void> {
    const unknown = [...this.values].filter((value) => !this.forms.has(value));
    for (const [value, forms] of await formsInTurns(unknown)) this.forms.set(value, forms);
  }

  /** Adds a later one, such as a token made or received for one conversation. */
  async learn(value: string): Promise<void> {
    this.values.add(value);
    this.removal = null;
    this.short = null;
    await this.prepare();
  }

  remove(text: string): string {
    this.removal ??= new Removal(new Set([...this.values].flatMap((value) => this.forms.get(value) ?? formsOf(value))));
    this.short ??= new ShortSecrets([...this.values].map(shortFormOf).filter((form) => form !== null));
    return this.short.removeFrom(this.removal.from(text));
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
