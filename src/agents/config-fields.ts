import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

/** Longer than any conversation waits for one reply; a timer can run for at most 24 days. */
const MAX_TURN_TIMEOUT_MS = 3_600_000;

/** Headers that belong to the connection or to the body that is really sent. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
]);

export const problem = (missing: string, wrong: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? missing : wrong),
});

/** Required text; `whatItIs` says what to put in. */
export const requiredText = (whatItIs: string) =>
  z
    .string(problem(`is missing: set it to ${whatItIs}`, `must be text: ${whatItIs}`))
    .trim()
    .min(1, `is empty: set it to ${whatItIs}`);

export const optionalText = z
  .string('must be text')
  .transform((text) => (text.trim() === '' ? undefined : text))
  .optional();

export const NOT_FOR_HEADERS = 'holds characters that an HTTP header cannot carry';

/** A key pasted with a line break around it is still that key. */
export const optionalCredential = z
  .string('must be text')
  .trim()
  .refine(isHeaderValue, NOT_FOR_HEADERS)
  .transform((text) => (text === '' ? undefined : text))
  .optional();

export const httpUrl = z
  .string('must be text: an http or https address')
  .trim()
  .refine(isHttpUrl, 'must be a complete http or https address, without user and password')
  .transform((text) => new URL(text));

export const headers = z
  .record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean()], 'must be text'),
    'must be an object with text values',
  )
  .transform((record, context) => {
    const valid: Record<string, string> = {};
    for (const [name, value] of Object.entries(record)) {
      const text = String(value).trim();
      const wrong = headerProblem(name, text);
      if (wrong !== null) context.issues.push({ code: 'custom', message: wrong, path: [name], input: undefined });
      else valid[name.toLowerCase()] = text;
    }
    return valid;
  });

export const wholeNumber = (from: number, to: number, unit: string) => {
  const range = `must be a whole number${unit} from ${from} to ${to}`;
  return z.int(range).min(from, range).max(to, range);
};

/** Fields that all kinds share (docs/providers.md). */
export const pace = {
  turn_timeout_ms: wholeNumber(1, MAX_TURN_TIMEOUT_MS, ' of milliseconds').default(30_000),
  max_retries: wholeNumber(0, 100, '').default(4),
  /** null: no limit. */
  requests_per_minute: z
    .number('must be a number from 0.1, which is one request in ten minutes')
    .min(0.1, 'must be at least 0.1, which is one request in ten minutes')
    .max(60_000, 'must be at most 60000; leave it out for no limit')
    .nullable()
    .default(null),
};

/** Whether replies are HTML (docs/providers.md): without it, a web page is taken for what stands before the agent. */
export const replyFormat = z.enum(['text', 'html'], 'must be text or html').default('text');

/** Names of the agent's tools: a call of one of them ends the conversation (docs/providers.md). */
export const endTools = (vendors: readonly string[]) =>
  z
    .array(z.string().trim().min(1, 'holds an empty name'), 'must be a list of names of tools')
    .max(50, 'must name at most 50 tools')
    .default([...vendors]);

/** Whether an agent that leaves the room by itself has ended the conversation. */
export const leavingEnds = z.boolean('must be true or false').default(false);

export interface Pace {
  readonly turn_timeout_ms: number;
  readonly max_retries: number;
  readonly requests_per_minute: number | null;
}

export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

function headerProblem(name: string, value: string): string | null {
  if (RESERVED_HEADERS.has(name.toLowerCase())) return 'is set by the harness itself: remove it';
  return isHeaderName(name) && isHeaderValue(value) ? null : NOT_FOR_HEADERS;
}

function isHeaderName(name: string): boolean {
  try {
    validateHeaderName(name);
    return true;
  } catch {
    return false;
  }
}

export function isHeaderValue(value: string): boolean {
  try {
    validateHeaderValue('x', value);
    return true;
  } catch {
    return false;
  }
}
