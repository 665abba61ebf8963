import { z } from 'zod';
import { filledText, queryNumber, timestamp } from './field';
import { pageFields } from './page';
import { operation } from './operation';

/** How a change ended. */
const OUTCOMES = ['done', 'refused', 'failed', 'under_way', 'unknown'] as const;

export type AuditOutcome = (typeof OUTCOMES)[number];

const auditRecordView = z
  .object({
    number: z.int().min(1).meta({ description: 'In the order of recording.' }),
    at: timestamp.describe('When it was asked for, by the clock of PostgreSQL.'),
    who: z.string().meta({
      description:
        'The name of the service key; `anyone` on a service without keys; for `osce backup` and `osce restore`, the user of the machine on which they ran; `the service`, as no key can be called, for what it does by itself.',
    }),
    role: z.string().meta({
      description:
        'Of the key; `database` for commands that need none, because they work on the database itself; `retention` for runs that RETENTION_DAYS has deleted.',
    }),
    address: z.string().nullable().meta({ description: 'Where the connection came from: behind a proxy, the proxy.' }),
    method: z.string().meta({
      description:
        'Of the request, or of the one that would have done the same; `COMMAND` for `osce backup` and `osce restore`.',
    }),
    route: z.string().meta({
      description:
        'The path as this description has it, parameters in braces; or the command; or the setting, as `RETENTION_DAYS=365`.',
    }),
    resource: z.string().meta({
      description: 'The first part of the path below /api/v1; `tests` for start-run and cancel-run; `backups`.',
    }),
    resource_ids: z.array(z.string()).meta({
      description:
        'What the path names, the run that the body names, and what the answer says was made: UUIDs and labels of runs.',
    }),
    fields: z.array(z.string()).meta({
      description:
        'What the request named, by name alone: fields, keys of an agent’s config as `config.api_key`, in snake_case however they were sent ' +
        '(`config.*` for keys that no provider reads), parameters as `?name`.',
    }),
    request_id: z.string().nullable(),
    outcome: z.enum(OUTCOMES).meta({
      description:
        'done (2xx); refused (4xx): nothing was changed; failed (5xx): it may have been changed in part or in whole; under_way; unknown: the ' +
        'process stopped, or lost the database, before it could say.',
    }),
    status: z.int().nullable().meta({ description: 'The HTTP status of the answer, or what it would have been.' }),
    replayed: z.boolean().meta({
      description:
        'The answer repeats that to an earlier request with the same Idempotency-Key: nothing was changed again.',
    }),
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'AuditRecord' });

export type AuditRecordView = z.infer<typeof auditRecordView>;

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

const time = z.iso
  .datetime({ offset: true, error: 'expected a time such as 2026-03-14T09:26:53Z' })
  .meta({ examples: ['2026-03-14T09:26:53Z'] })
  // PostgreSQL reads fewer years and zones than this format writes; a date is written for it.
  .transform((text) => new Date(text));

const listQuery = z.object({
  ...pageFields,
  since: time.optional().describe('Only what was asked for then or later.'),
  until: time.optional().describe('Only what was asked for before that.'),
  who: filledText(200).optional().describe('Only changes with the service key of this name.'),
  method: z.enum(METHODS).optional(),
  resource: filledText(200).optional().describe('Only changes of resources of this type, such as `agents`.'),
  resource_id: filledText(200)
    .optional()
    .describe('Only changes of this resource: its UUID, also when it is deleted, or the label of a run.'),
  before: queryNumber(z.int().min(1))
    .optional()
    .describe('Only records with a smaller number: pages that follow each other by it miss and repeat nothing.'),
});

export const auditList = z.object({
  records: z.array(auditRecordView),
  total: z.int().min(0).nullable().meta({ description: 'How many match altogether; null with `before`.' }),
});

export const listAuditRecords = operation({
  id: 'listAuditRecords',
  method: 'GET',
  path: '/api/v1/audit',
  tag: 'Audit',
  role: 'admin',
  summary: 'List who changed what, newest first',
  description:
    'Every request that may change or start something, recorded before anything was done for it, by names and ids: no value that was sent is in it. ' +
    'Kept for AUDIT_DAYS. Nothing changes or deletes a record over the API.',
  query: listQuery,
  answers: { 200: { description: 'A page of the trail.', schema: auditList }, 400: 'A parameter is wrong.' },
});
