import { z } from 'zod';
import { operation } from './operation';

const signInView = z
  .object({
    sign_in: z
      .string()
      .nullable()
      .describe('Where a browser goes to sign in, `?return_to=/a/path` behind it; null where people do not sign in.'),
  })
  .meta({ id: 'SignIn' });

export type SignInView = z.output<typeof signInView>;

export const getSignIn = operation({
  id: 'getSignIn',
  method: 'GET',
  path: '/api/v1/sign-in',
  tag: 'Access',
  role: 'anyone',
  summary: 'Whether, and where, people sign in',
  answers: {
    200: { description: 'Where to sign in.', schema: signInView },
    429: 'Too many requests; Retry-After says when to try again.',
  },
});

const signedOutView = z
  .object({
    next: z.string().describe('Where the browser goes next: the provider, to end its session too, or the page.'),
  })
  .meta({ id: 'SignedOut' });

export type SignedOutView = z.output<typeof signedOutView>;

export const signOut = operation({
  id: 'signOut',
  method: 'POST',
  path: '/api/v1/sign-out',
  tag: 'Access',
  role: 'anyone',
  recorded: 'never',
  summary: 'End the session of this browser',
  description:
    'At once on the process that answers, within two seconds on every other. Without a session nothing happens.',
  answers: {
    200: { description: 'Signed out, now or before.', schema: signedOutView },
    403: 'The session is shown without a sign that this service’s page sends it.',
    429: 'Too many requests; Retry-After says when to try again.',
    503: 'The database is out of reach.',
  },
});
