import { MIN_LENGTH } from './secrets/secret-forms';

/** What replaces a secret. */
export const REMOVED = '[removed]';
/** What a comparison that finds nothing costs, in characters, besides those that were the same. */
const NEAR_MISS = 50;
/**
 * How many characters may be compared in vain. A text that needs more was crafted to resemble secrets: from there on, whatever begins like
 * one is removed unseen, in the length of the longest one with that beginning.
 */
const MOST_IN_VAIN = { ofAnyText: 20_000, ofACharacter: 8 };

/**
 * Removes given texts from others, in one pass and in time that grows only with the text: a regular expression of
 * literals finds the first characters of any of them, and only there are they compared.
 */
export class Removal {
  private readonly pattern: RegExp | null;
  /** By their first characters, the longest first, so that one that contains another is removed whole. */
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

  /** The text with a placeholder for each, including one that the end of the text cuts off. */
  from(text: string): string {
    if (this.pattern === null || text.length < MIN_LENGTH) return text;
    const kept: string[] = [];
    let keptUntil = 0;
    const look = { left: MOST_IN_VAIN.ofAnyText + MOST_IN_VAIN.ofACharacter * text.length };
    this.pattern.lastIndex = 0;
    for (let found = this.pattern.exec(text); found !== null; found = this.pattern.exec(text)) {
      const { index } = found;
      const length = this.lengthAt(text, index, found[0], look);
      if (length === null) {
        this.pattern.lastIndex = index + 1;
        continue;
      }
      // Adjacent ones get one placeholder, so that a flood of them does not grow.
      if (index > keptUntil || kept.length === 0) kept.push(text.slice(keptUntil, index), REMOVED);
      keptUntil = index + length;
      this.pattern.lastIndex = keptUntil;
    }
    return kept.join('') + text.slice(keptUntil);
  }

  /** How much of the text, from `index` on, is one of them; null when none is there. */
  private lengthAt(text: string, index: number, beginning: string, look: { left: number }): number | null {
    const rest = text.length - index;
    const secrets = this.byBeginning.get(beginning) ?? [];
    for (const secret of secrets) {
      if (look.left <= 0) return Math.min(secrets[0]?.length ?? rest, rest);
      const length = Math.min(secret.length, rest);
      const same = sameCharacters(text, index, secret, beginning.length, length);
      if (same === length) return length;
      look.left -= NEAR_MISS + same - beginning.length;
    }
    return null;
  }
}

/** How far a text and a secret are the same, of which `known` characters are known to be. */
function sameCharacters(text: string, index: number, secret: string, known: number, length: number): number {
  let same = known;
  while (same < length && text.charCodeAt(index + same) === secret.charCodeAt(same)) same += 1;
  return same;
}
