/** What no request may carry anywhere in its body or query: text that PostgreSQL cannot hold, and shapes made to hurt. */

const MAX_DEPTH = 64;
const MAX_LIST_LENGTH = 10_000;
/** The most problems listed; a request with more of them is wrong enough. */
const MAX_PROBLEMS = 100;

export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Visit {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/**
 * Looks through a parsed request with a stack of its own, so that nesting cannot overflow ours.
 * JSON writes 1e999 as a number, which JavaScript reads as Infinity: it could not be returned as it was sent.
 */
export function findUnstorable(request: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  const stack: Visit[] = [{ value: request, path: [] }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    if (problems.length >= MAX_PROBLEMS) break;
    const { value, path } = visit;
    const message = problemOf(value, path.length);
    if (message !== null) problems.push({ path, message });
    else if (typeof value === 'object' && value !== null) pushParts(stack, value, path);
  }
  return problems;
}

function pushParts(stack: Visit[], value: object, path: readonly PropertyKey[]): void {
  const parts: Visit[] = Array.isArray(value)
    ? value.map((item: unknown, index) => ({ value: item, path: [...path, index] }))
    : Object.entries(value).map(([key, part]: [string, unknown]) => ({ value: part, path: [...path, key] }));
  // The last one pushed is visited first: reversed, so that problems are listed in the order of the request.
  for (const part of parts.reverse()) stack.push(part);
}

function problemOf(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return problemOfText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must be a finite number';
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
  if (Array.isArray(value)) {
    return value.length > MAX_LIST_LENGTH ? `must have at most ${MAX_LIST_LENGTH} items` : null;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'must not have a field named __proto__';
    if (problemOfText(key) !== null) return 'has a field whose name holds NUL or broken Unicode';
  }
  return null;
}

function problemOfText(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain NUL characters';
  if (!text.isWellFormed()) return 'must be well-formed Unicode (it holds a lone surrogate)';
  return null;
}
