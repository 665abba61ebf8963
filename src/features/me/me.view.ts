import { z } from 'zod';
import { maySeeSecrets, type Caller } from '../../platform/access/caller';
import { suffices } from '../../platform/access/role';

export const meView = z
  .object({
    name: z.string().describe('The name of the service key; `anyone` on a service without keys.'),
    role: z.string().describe('`viewer`, `runner` or `admin`; docs/roles.md says who may what.'),
    may: z.object({
      run: z.boolean().describe('Start, cancel, try, grade and review.'),
      change: z.boolean().describe('Create, change and delete.'),
      see_secrets: z
        .boolean()
        .describe('Agents’ credentials are answered as they are stored, unless MASK_CREDENTIALS masks them.'),
    }),
  })
  .meta({ id: 'Me' });
export type MeView = z.output<typeof meView>;

export function viewOfCaller(caller: Caller): MeView {
  const { name, role } = caller;
  const may = { run: suffices(role, 'runner'), change: suffices(role, 'admin'), see_secrets: maySeeSecrets(caller) };
  return { name, role, may };
}
