import type { Exchange } from '../../../domain/conversation';
import type { RubricCriterion } from '../../../domain/rubric';
import type { PatientProfile } from '../../../domain/patient';
import type { RoleCard } from '../role-card';

/** A finished conversation, and everything its patient is checked against. */
export interface AuditRequest {
  readonly card: RoleCard;
  readonly patient: PatientProfile;
  readonly criteria: readonly RubricCriterion[];
  readonly transcript: readonly Exchange[];
}
