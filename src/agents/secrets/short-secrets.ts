import { REMOVED } from '../removal';

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
export class ShortSecrets {
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
