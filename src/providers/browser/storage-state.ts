import { z } from 'zod';

const SAME_SITE: Readonly<Record<string, 'Strict' | 'Lax' | 'None'>> = {
  strict: 'Strict',
  lax: 'Lax',
  none: 'None',
  no_restriction: 'None',
};

/** What browsers and their extensions export differs in little things; what is left out takes the value browsers give it. */
const cookie = z
  .object({
    name: z.string('must be a text').min(1, 'is empty'),
    value: z.string('must be a text'),
    domain: z.string('must be a text').min(1, 'is empty'),
    path: z.string('must be a text').default('/'),
    /** Seconds since 1970; -1: until the browser closes. */
    expires: z.number('must be a number of seconds').optional(),
    expirationDate: z.number('must be a number of seconds').optional(),
    httpOnly: z.boolean('must be true or false').default(false),
    secure: z.boolean('must be true or false').default(false),
    sameSite: z.string('must be a text').nullish(),
  })
  .transform(({ expires, expirationDate, sameSite, ...rest }) => ({
    ...rest,
    expires: expires ?? expirationDate ?? -1,
    sameSite: SAME_SITE[sameSite?.toLowerCase() ?? ''] ?? ('Lax' as const),
  }));

const origin = z.object({
  origin: z.string('must be a text'),
  localStorage: z
    .array(z.object({ name: z.string('must be a text'), value: z.string('must be a text') }), 'must be a list')
    .default([]),
});

/**
 * What a login left in a browser: cookies and local storage, in the format that Playwright saves as storageState, as an object
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
    // Refused as the text it is.
    return value;
  }
}
