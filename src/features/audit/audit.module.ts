import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AuditController } from './audit.controller';
import { AuditInterceptor, RecordedRefusals } from './audit.interceptor';
import { AuditTrail, ForgottenRecords } from './audit-trail';

/** The audit trail: who changed what, and when. */
@Module({
  controllers: [AuditController],
  providers: [AuditTrail, RecordedRefusals, ForgottenRecords, { provide: APP_INTERCEPTOR, useClass: AuditInterceptor }],
})
export class AuditModule {}
