import type { z } from 'zod';

/** Characters of a path or value quoted in a message. */
const MAX_QUOTED = 100;

/** JSON's words for types that zod names differently. */
const WORDS: Readonly<Record<string, string>> = { record: 'object', array: 'a list', int: 'a whole number' };

/** `rubric_criteria[2].points`; `request` for the whole of it. */
export function writePath(path: readonly PropertyKey[]): string {
  let written = '';
  for (const step of path) {
    if (typeof step === 'number') written += `[${step}]`;
    else written += written === '' ? String(step) : `.${String(step)}`;
    if (written.length > MAX_QUOTED) return `${written.slice(0, MAX_QUOTED)}…`;
  }
  return written === '' ? 'request' : written;
}

/** What is wrong with a field, in words that say what to send instead. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `expected ${WORDS[issue.expected] ?? issue.expected}, got ${kindOf(issue.input)}`;
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `expected one of ${issue.values.map(String).join(', ')}, got ${quote(issue.input)}`;
    case 'too_small':
      return `must ${demandOf(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${demandOf(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case 'invalid_format':
      return `expected a valid ${issue.format}, got ${quote(issue.input)}`;
    default:
      // Zod's own sentence, or the one the schema gives.
      return undefined;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction';
  return typeof value;
}

function quote(value: unknown): string {
  if (typeof value !== 'string') return kindOf(value);
  return JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value);
}

const demandOf = (origin: string) => (origin === 'string' || origin === 'array' ? 'have' : 'be');

function unitOf(origin: string, count: number | bigint): string {
  const plural = Number(count) === 1 ? '' : 's';
  if (origin === 'string') return ` character${plural}`;
  return origin === 'array' ? ` item${plural}` : '';
}

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
