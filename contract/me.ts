import { z } from 'zod';
import { operation } from './operation';

const meView = z
  .object({
    name: z
      .string()
      .describe('Of the service key, or of the person who has signed in; `anyone` on a service without keys.'),
    signed_in: z.boolean().describe('A person: what they approve and review stands under this name.'),
    role: z.string().describe('`viewer`, `reviewer`, `runner` or `admin`; docs/roles.md says who may what.'),
    may: z.object({
      review: z.boolean().describe('Review conversations.'),
      run: z.boolean().describe('Start, cancel, try and grade.'),
      change: z.boolean().describe('Create, change and delete.'),
      see_secrets: z
        .boolean()
        .describe('Agents’ credentials are answered as they are stored, unless MASK_CREDENTIALS masks them.'),
    }),
  })
  .meta({ id: 'Me' });

export type MeView = z.output<typeof meView>;

export const getMe = operation({
  id: 'getMe',
  method: 'GET',
  path: '/api/v1/me',
  tag: 'Access',
  role: 'viewer',
  summary: 'Who the caller is, and what they may do',
  answers: { 200: { description: 'The name and role of the caller of this request.', schema: meView } },
});
