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
      return `must ${demandOf(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must ${demandOf(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin)}`;
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

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}
