import { REMOVED } from './removal';

/** Words, also joined by hyphens, apostrophes and the like: a sentence may hold each of them by chance. */
const WORDS = /^\p{L}+([-' ’.,]\p{L}*)*$/u;
/** Numbers, dates, times, values that are measured, and amounts: `12345`, `1/2/24`, `10:30`, `120/80`, `37.5C`, `100mg`. */
const NUMBER = /^(?!.*\d{6})[\d.,:/%+ -]+[\p{L}°]{0,4}$/u;

/** What a value that stands alone has no neighbours of. */
const OF_WORDS = '[\\p{L}\\p{N}_-]';

/**
 * Takes secrets of a few characters out of texts, only where one stands alone: `"a1b2"`, `key=a1b2`, not `3fa1b27c`, which may be
 * an id, nor a part of a word. Words and numbers stay: a transcript that lost its words would prove nothing any more.
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
