import { z } from 'zod';

const SAME_SITE: Readonly<Record<string, 'Strict' | 'Lax' | 'None'>> = {
  strict: 'Strict',
  lax: 'Lax',
  none: 'None',
  no_restriction: 'None',
};

/** Exports of browsers and their extensions differ in details; what is left out takes the browser's default. */
const cookie = z
  .object({
    name: z.string('must be text').min(1, 'is empty'),
    value: z.string('must be text'),
    domain: z.string('must be text').min(1, 'is empty'),
    path: z.string('must be text').default('/'),
    /** Seconds since 1970; -1: until the browser closes. */
    expires: z.number('must be a number of seconds').optional(),
    expirationDate: z.number('must be a number of seconds').optional(),
    httpOnly: z.boolean('must be true or false').default(false),
    secure: z.boolean('must be true or false').default(false),
    sameSite: z.string('must be text').nullish(),
  })
  .transform(({ expires, expirationDate, sameSite, ...rest }) => ({
    ...rest,
    expires: expires ?? expirationDate ?? -1,
    sameSite: SAME_SITE[sameSite?.toLowerCase() ?? ''] ?? ('Lax' as const),
  }));

const origin = z.object({
  origin: z.string('must be text'),
  localStorage: z
    .array(z.object({ name: z.string('must be text'), value: z.string('must be text') }), 'must be a list')
    .default([]),
});

/**
 * What a login left in a browser: cookies and local storage, in Playwright's storageState format, as an object
 * or as the text of that file. Never the name of a file.
 */
export const storageState = z.preprocess(
  parsed,
  z
    .object(
      {
        cookies: z.array(cookie, 'must be a list').default([]),
        origins: z.array(origin, 'must be a list').default([]),
      },
      'must be an object with cookies and origins',
    )
    .optional(),
);

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // Left as text, which the schema refuses.
    return value;
  }
}
