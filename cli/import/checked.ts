import type { z } from 'zod';
import { findUnstorable } from '../../src/http/unstorable';
import { describeIssue, writePath } from '../../src/http/validation-message';

const MAX_LISTED = 5;

export interface Wrong {
  readonly wrong: string;
}

/** The service's own request checks, in its words, made before anything is sent. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data: z.output<Schema> } | Wrong {
  const unstorable = findUnstorable(value);
  if (unstorable.length > 0) return { wrong: sentence(unstorable) };
  const parsed = schema.safeParse(value, { error: describeIssue });
  return parsed.success ? { data: parsed.data } : { wrong: sentence(parsed.error.issues) };
}

export function isWrong(result: object): result is Wrong {
  return 'wrong' in result;
}

function sentence(problems: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const listed = problems.slice(0, MAX_LISTED).map(({ path, message }) => `${writePath(path)}: ${message}`);
  if (problems.length > MAX_LISTED) listed.push(`and ${problems.length - MAX_LISTED} more`);
  return listed.join('; ');
}
