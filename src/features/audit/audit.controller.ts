import { Controller, Header, Query } from '@nestjs/common';
import { z } from 'zod';
import { AuditStore, type AuditRecord } from './audit.store';
import { auditList, type AuditOutcome, type AuditRecordView, listAuditRecords } from '../../../contract/audit';
import { Serves } from '../../platform/http';
import type { QueryOf } from '../../../contract/operation';

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

@Controller()
export class AuditController {
  constructor(private readonly store: AuditStore) {}

  @Header('Cache-Control', 'no-store')
  @Serves(listAuditRecords)
  async list(
    @Query({ schema: listAuditRecords.query }) query: QueryOf<typeof listAuditRecords>,
  ): Promise<z.infer<typeof auditList>> {
    const { resource_id: resourceId, ...filter } = query;
    const { records, total } = await this.store.list({ ...filter, resourceId: resourceId?.toLowerCase() });
    return { records: records.map(auditRecordViewOf), total };
  }
}
