/**
 * Who changed what, recorded before the change is made: `/api/v1/audit`. The recorder stands before every endpoint that changes
 * something.
 */

export { AuditModule } from './audit.module';
export { RecordedRefusals } from './audit.interceptor';
export { AuditStore } from './audit.store';
