import { z } from 'zod';
import { id, timestamp } from './field';
import { operation, ROLES } from './operation';

/** As in the settings of keys: what a name may hold is short, and readable in a log. */
const keyName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, '1 to 64 letters, digits, dots, underscores and hyphens')
  .describe('Whose key it is: it stands in the audit trail, in reviews and in refusals.');

/** Ten years. */
export const MOST_KEY_DAYS = 3_650;

/** Strict: a misspelt time would make a key that never expires. */
const createKeyRequest = z
  .strictObject({
    name: keyName,
    role: z.enum(ROLES).describe('What it may do: docs/roles.md.'),
    expires_in_days: z
      .int()
      .min(1)
      .max(MOST_KEY_DAYS)
      .nullish()
      .describe('Days until it opens nothing any more; never by default.'),
  })
  .meta({ id: 'CreateKey', examples: [{ name: 'ci', role: 'runner', expires_in_days: 90 }] });

export type CreateKeyRequest = z.output<typeof createKeyRequest>;

const keyView = z
  .object({
    id,
    name: z.string(),
    role: z.string(),
    hint: z.string().describe('How the key begins: enough to find it where it is kept, too little to use it.'),
    state: z.string().describe('`live`, `expired` or `revoked`.'),
    created_at: timestamp,
    created_by: z.string().describe('The name of the caller that made it.'),
    expires_at: timestamp.nullable().describe('Null: it does not expire.'),
    last_used_at: timestamp.nullable().describe('To the minute; null while it was not used.'),
    revoked_at: timestamp.nullable(),
    revoked_by: z.string().nullable(),
  })
  .meta({ id: 'Key' });

export type KeyView = z.output<typeof keyView>;

const newKeyView = keyView
  .extend({
    key: z.string().describe('The secret, `osce_…`: this answer alone shows it, and the service keeps its hash.'),
  })
  .meta({ id: 'NewKey' });

export type NewKeyView = z.output<typeof newKeyView>;

const keyList = z.object({ keys: z.array(keyView), total: z.int().min(0) });

export type KeyList = z.output<typeof keyList>;

export const listKeys = operation({
  id: 'listKeys',
  method: 'GET',
  path: '/api/v1/keys',
  tag: 'Access',
  role: 'admin',
  summary: 'List the named keys, by name',
  description:
    'The keys that were made here, those that were revoked in the last 90 days too. Keys of the settings (SERVICE_API_KEY and others) are not among them.',
  answers: { 200: { description: 'The keys, without their secrets.', schema: keyList } },
});

export const createKey = operation({
  id: 'createKey',
  method: 'POST',
  path: '/api/v1/keys',
  tag: 'Access',
  role: 'admin',
  summary: 'Create a named key',
  description:
    'Only the hash of the secret is kept, so a repeated request cannot be answered with it again: the name is taken then, and the key that ' +
    'was made is revoked and made anew.',
  body: createKeyRequest,
  answers: {
    201: { description: 'The key, with its secret.', schema: newKeyView },
    400: 'A field is missing or wrong.',
    409: 'The name is taken, there are as many keys as there may be, or the service asks nobody for a key.',
  },
});

export const revokeKey = operation({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/api/v1/keys/{id}',
  tag: 'Access',
  role: 'admin',
  summary: 'Revoke a named key',
  description: 'It opens nothing from then on: at once on the process that answers, within two seconds on every other.',
  answers: { 204: { description: 'Revoked, now or before.' }, 404: 'Key not found' },
});
