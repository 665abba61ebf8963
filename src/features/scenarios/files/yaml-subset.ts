import type { CST } from 'yaml';

/** As deep as the service takes a request. */
const MOST_LEVELS = 64;

export interface Refusal {
  readonly offset: number;
  readonly message: string;
}

const REFUSED: Readonly<Record<string, string>> = {
  directive: 'directives (%) are not read',
  tag: 'tags (!) are not read: leave it out, and put a text that looks like a number in quotes',
  anchor: 'anchors (&) are not read: write out what stands there',
  alias: 'aliases (*) are not read: write out what they stand for',
};

interface Visit {
  readonly token: CST.Token;
  readonly level: number;
}

/**
 * What of YAML a scenario's file may not hold: whatever makes a text mean more than what stands there. Found in the tokens, with a
 * stack of its own, before anything is made of them: what makes values recurses, and dies of deep nesting.
 */
export function refusalOf(tokens: readonly CST.Token[]): Refusal | null {
  const second = tokens.filter(({ type }) => type === 'document')[1];
  if (second !== undefined) {
    return { offset: second.offset, message: 'holds several documents (---): write a list, or a file for each' };
  }
  const stack: Visit[] = tokens.map((token) => ({ token, level: 0 })).reverse();
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { token, level } = visit;
    const message = level > MOST_LEVELS ? `is nested deeper than ${MOST_LEVELS} levels` : REFUSED[token.type];
    if (message !== undefined) return { offset: 'offset' in token ? token.offset : 0, message };
    const parts = partsOf(token);
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at];
      if (part !== undefined) stack.push({ token: part, level: level + (isCollection(token) ? 1 : 0) });
    }
  }
  return null;
}

function isCollection({ type }: CST.Token): boolean {
  return type === 'block-map' || type === 'block-seq' || type === 'flow-collection';
}

function partsOf(token: CST.Token): readonly CST.Token[] {
  switch (token.type) {
    case 'document':
      return [...token.start, ...(token.value === undefined ? [] : [token.value])];
    case 'block-scalar':
      return token.props;
    case 'block-map':
    case 'block-seq':
    case 'flow-collection':
      return token.items.flatMap(({ start, key, sep, value }) => [
        ...start,
        ...(key === undefined || key === null ? [] : [key]),
        ...(sep ?? []),
        ...(value === undefined ? [] : [value]),
      ]);
    default:
      return [];
  }
}

const JSON_SCALAR = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
const NOT_JSON = new Set(['block-map', 'block-seq', 'block-scalar', 'single-quoted-scalar', 'comment']);

/** Where a text that is YAML stops being JSON; null when that cannot be said. */
export function firstOtherThanJson(tokens: readonly CST.Token[]): number | null {
  const stack = [...tokens].reverse();
  for (let token = stack.pop(); token !== undefined; token = stack.pop()) {
    const isPlain = token.type === 'scalar' && !JSON_SCALAR.test(token.source);
    if (isPlain || NOT_JSON.has(token.type)) return 'offset' in token ? token.offset : null;
    for (const part of [...partsOf(token)].reverse()) stack.push(part);
  }
  return null;
}
