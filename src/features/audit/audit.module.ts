import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AuditController } from './audit.controller';
import { AuditInterceptor } from './audit.interceptor';
import { AuditTrail } from './audit-trail';
import { ForgottenRecords } from './forgotten-records';
import { RecordedRefusals } from './recorded-refusals';

/** Who changed what, and when. */
@Module({
  controllers: [AuditController],
  providers: [AuditTrail, RecordedRefusals, ForgottenRecords, { provide: APP_INTERCEPTOR, useClass: AuditInterceptor }],
})
export class AuditModule {}
