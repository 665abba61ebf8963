import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Endpoint } from '../../platform/http/endpoint';
import { filledText, queryNumber } from '../../platform/http/field';
import { pageFields } from '../../platform/http/page';
import { AuditStore } from './audit.store';
import { auditRecordView, auditRecordViewOf } from './audit.view';

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
