import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Endpoint } from '../../platform/http/endpoint';
import { filledText, queryNumber, timestamp } from '../../platform/http/field';
import { pageFields } from '../../platform/http/page';
import { AuditStore, type AuditRecord } from './audit.store';

/** How a change ended. */
const OUTCOMES = ['done', 'refused', 'failed', 'under_way', 'unknown'] as const;
type AuditOutcome = (typeof OUTCOMES)[number];

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
type AuditRecordView = z.infer<typeof auditRecordView>;

function auditRecordViewOf({ alive, ...record }: AuditRecord): AuditRecordView {
  return {
    ...record,
    number: Number(record.number),
    at: record.at.toISOString(),
    completed_at: record.completed_at?.toISOString() ?? null,
    resource_ids: [...record.resource_ids],
    fields: [...record.fields],
    outcome: outcomeOf(record.status, alive),
  };
}

function outcomeOf(status: number | null, alive: boolean): AuditOutcome {
  if (status === null) return alive ? 'under_way' : 'unknown';
  return status < 400 ? 'done' : status < 500 ? 'refused' : 'failed';
}

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
const auditList = z.object({
  records: z.array(auditRecordView),
  total: z.int().min(0).nullable().meta({ description: 'How many match altogether; null with `before`.' }),
});

@ApiTags('Audit')
@Controller('api/v1/audit')
export class AuditController {
  constructor(private readonly store: AuditStore) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    id: 'listAuditRecords',
    role: 'admin',
    summary: 'List who changed what, newest first',
    description:
      'Every request that may change or start something, recorded before anything was done for it, by names and ids: no value that was sent is in it. ' +
      'Kept for AUDIT_DAYS. Nothing changes or deletes a record over the API.',
    answers: { 200: { description: 'A page of the trail.', schema: auditList }, 400: 'A parameter is wrong.' },
  })
  async list(@Query({ schema: listQuery }) query: z.output<typeof listQuery>): Promise<z.infer<typeof auditList>> {
    const { resource_id: resourceId, ...filter } = query;
    const { records, total } = await this.store.list({ ...filter, resourceId: resourceId?.toLowerCase() });
    return { records: records.map(auditRecordViewOf), total };
  }
}
