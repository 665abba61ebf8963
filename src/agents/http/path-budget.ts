import {
  registerFunction,
  TYPE_ANY,
  TYPE_ARRAY,
  TYPE_ARRAY_STRING,
  TYPE_OBJECT,
  TYPE_STRING,
} from '@jmespath-community/jmespath';
import { holdsText } from '../../domain';

/**
 * Eight times the longest answer: three paths that write the whole of it as a text and look into that, and as much again. Of a megabyte each
 * costs some milliseconds.
 */
export const MOST_PATH_CHARACTERS = 8 * 1024 * 1024;

/** Paths that read or make more of one answer than MOST_PATH_CHARACTERS. */
export class PathOverrun extends Error {
  override readonly name = 'PathOverrun';
}

/**
 * How many characters the functions of paths may still read and make of one answer. They are counted before they are made: an answer of
 * half a megabyte could have a single `join` make 500 MB.
 */
export class PathBudget {
  /** The library's functions are told nothing but their arguments; an evaluation is one piece, in which no other begins. */
  private static current: PathBudget | null = null;

  private left = MOST_PATH_CHARACTERS;

  /** @throws PathOverrun */
  static spend(characters: number): void {
    PathBudget.current?.spend(characters);
  }

  /**
   * The result of an evaluation; undefined where a function met a value of another type than it takes.
   * @throws PathOverrun
   */
  during<Result>(evaluate: () => Result): Result | undefined {
    PathBudget.current = this;
    try {
      return evaluate();
    } catch (error) {
      if (error instanceof PathOverrun) throw error;
      return undefined;
    } finally {
      PathBudget.current = null;
    }
  }

  /** @throws PathOverrun */
  spend(characters: number): void {
    this.left -= characters;
    if (this.left < 0) throw new PathOverrun();
  }
}

registerFunction(
  'contains',
  ([subject, wanted]) => {
    // As in the library: lists hold what is the same value, not what looks like it.
    if (Array.isArray(subject)) return subject.some((item) => item === wanted);
    if (typeof subject !== 'string' || typeof wanted !== 'string') return null;
    PathBudget.spend(subject.length + wanted.length);
    return holdsText(subject, wanted);
  },
  [{ types: [TYPE_STRING, TYPE_ARRAY] }, { types: [TYPE_ANY] }],
  { override: true },
);

registerFunction(
  'join',
  ([glue, list]) => {
    if (typeof glue !== 'string' || !Array.isArray(list)) return null;
    const texts = list.filter((item) => typeof item === 'string');
    PathBudget.spend(texts.reduce((sum, { length }) => sum + length + glue.length, 0));
    return texts.join(glue);
  },
  [{ types: [TYPE_STRING] }, { types: [TYPE_ARRAY_STRING] }],
  { override: true },
);

registerFunction(
  'to_string',
  ([value]) => {
    if (typeof value === 'string') return value;
    countWritten(value);
    return JSON.stringify(value);
  },
  [{ types: [TYPE_ANY] }],
  { override: true },
);

// The library takes a text apart into a list of its characters.
registerFunction(
  'length',
  ([value]) => {
    if (Array.isArray(value)) return value.length;
    if (typeof value === 'object' && value !== null) return Object.keys(value).length;
    const text = String(value);
    PathBudget.spend(text.length);
    let count = text.length;
    for (let at = 0; at < text.length; at += 1) {
      if ((text.codePointAt(at) ?? 0) <= LAST_UNIT) continue;
      at += 1;
      count -= 1;
    }
    return count;
  },
  [{ types: [TYPE_STRING, TYPE_ARRAY, TYPE_OBJECT] }],
  { override: true },
);

const LAST_UNIT = 0xffff;
/** `\u0001` */
const LONGEST_ESCAPE = 6;
/** -1.7976931348623157e+308 */
const LONGEST_NUMBER = 24;
/** `[],`: a list, also an empty one. */
const AROUND_ITEMS = 3;

/** Spends at least as many characters as JSON writes a value with. */
function countWritten(value: unknown): void {
  if (typeof value === 'string') return PathBudget.spend(writtenLength(value));
  if (typeof value !== 'object' || value === null) return PathBudget.spend(LONGEST_NUMBER);
  PathBudget.spend(AROUND_ITEMS);
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) PathBudget.spend(writtenLength(key));
    countWritten(item);
  }
}

function writtenLength(text: string): number {
  if (!text.isWellFormed()) return text.length * LONGEST_ESCAPE;
  let length = text.length + 4;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20) length += LONGEST_ESCAPE - 1;
    else if (unit === 0x22 || unit === 0x5c) length += 1;
  }
  return length;
}
