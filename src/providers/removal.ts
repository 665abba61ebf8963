import { MIN_LENGTH } from './secret-forms';

/** What stands in the place of a secret. */
export const REMOVED = '[removed]';
/**
 * Comparisons that find nothing. A text that needs more was made to come close to secrets: from there on what begins like one
 * goes without a look, in the length of the longest that begins so.
 */
const MAX_NEAR_MISSES = 20_000;

/**
 * Takes given texts out of others, in one pass and in time that grows with the text alone: a regular expression of
 * literals finds the first characters of any of them, and only there is compared.
 */
export class Removal {
  private readonly pattern: RegExp | null;
  /** By their first characters, the longest first, so that what contains another one goes as a whole. */
  private readonly byBeginning = new Map<string, string[]>();

  /** @param texts of MIN_LENGTH or more characters */
  constructor(texts: Iterable<string>) {
    for (const text of [...texts].sort((a, b) => b.length - a.length)) {
      const beginning = text.slice(0, MIN_LENGTH);
      const known = this.byBeginning.get(beginning);
      if (known === undefined) this.byBeginning.set(beginning, [text]);
      else known.push(text);
    }
    const beginnings = [...this.byBeginning.keys()].map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    this.pattern = beginnings.length === 0 ? null : new RegExp(beginnings.join('|'), 'g');
  }

  /** The text with a mark in the place of each; also of one that the text's end cuts off. */
  from(text: string): string {
    if (this.pattern === null || text.length < MIN_LENGTH) return text;
    const kept: string[] = [];
    let keptUntil = 0;
    const look = { nearMisses: 0 };
    this.pattern.lastIndex = 0;
    for (let found = this.pattern.exec(text); found !== null; found = this.pattern.exec(text)) {
      const { index } = found;
      const length = this.lengthAt(text, index, found[0], look);
      if (length === null) {
        this.pattern.lastIndex = index + 1;
        continue;
      }
      // Neighbours are one mark, so that a flood of them does not grow.
      if (index > keptUntil || kept.length === 0) kept.push(text.slice(keptUntil, index), REMOVED);
      keptUntil = index + length;
      this.pattern.lastIndex = keptUntil;
    }
    return kept.length === 0 ? text : kept.join('') + text.slice(keptUntil);
  }

  /** How much of the text, from `index` on, is one of them; null when none is there. */
  private lengthAt(text: string, index: number, beginning: string, look: { nearMisses: number }): number | null {
    const rest = text.length - index;
    const secrets = this.byBeginning.get(beginning) ?? [];
    for (const secret of secrets) {
      if (look.nearMisses >= MAX_NEAR_MISSES) return Math.min(secrets[0]?.length ?? rest, rest);
      const isThere = secret.length <= rest ? text.startsWith(secret, index) : secret.startsWith(text.slice(index));
      if (isThere) return Math.min(secret.length, rest);
      look.nearMisses += 1;
    }
    return null;
  }
}
