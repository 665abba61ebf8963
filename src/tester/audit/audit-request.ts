import type { Exchange } from '../../../machines/conversation';
import type { RubricCriterion } from '../../../machines/rubric';
import type { PatientProfile } from '../../../machines/patient';
import type { RoleCard } from '../role-card';

/** A finished conversation, and everything its patient is checked against. */
export interface AuditRequest {
  readonly card: RoleCard;
  readonly patient: PatientProfile;
  readonly criteria: readonly RubricCriterion[];
  readonly transcript: readonly Exchange[];
}
