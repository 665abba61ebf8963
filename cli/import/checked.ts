import type { z } from 'zod';
import { findUnstorable, describeIssue, writePath } from '../../contract/request-checks';

const MAX_LISTED = 5;

/** A problem of a part of a value. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface Wrong {
  readonly wrong: string;
  readonly issues: readonly Issue[];
}

/** The service's own request checks, with its messages, made before anything is sent. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data: z.output<Schema> } | Wrong {
  const unstorable = findUnstorable(value);
  if (unstorable.length > 0) return wrong(unstorable);
  const parsed = schema.safeParse(value, { error: describeIssue });
  return parsed.success ? { data: parsed.data } : wrong(parsed.error.issues.flatMap(issuesOf));
}

export function isWrong(result: object): result is Wrong {
  return 'wrong' in result;
}

function wrong(issues: readonly Issue[]): Wrong {
  return { wrong: sentenceOf(issues), issues };
}

/** The problem of an unknown field names that field, not the object around it. */
function issuesOf(issue: z.core.$ZodIssue): readonly Issue[] {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ path, message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: 'no such field' }));
}

export function sentenceOf(issues: readonly Issue[]): string {
  const listed = issues.slice(0, MAX_LISTED).map(({ path, message }) => `${writePath(path)}: ${message}`);
  if (issues.length > MAX_LISTED) listed.push(`and ${issues.length - MAX_LISTED} more`);
  return listed.join('; ');
}
