/**
 * What a patient may do wrong.
 * - `invented`: told something that neither the role card nor the agent says
 * - `contradicted`: told the opposite of the role card
 * - `inconsistent`: told the opposite of what the patient had told before
 * - `volunteered`: told unasked what the script keeps until it is asked for
 * - `role_reversal`: spoke as the clinician, or as the machine that plays the patient
 * - `repeated`: said an earlier message again
 * - `rubric_spoken`: said a sentence of the rubric
 */
export const PATIENT_FAULT_KINDS = [
  'invented',
  'contradicted',
  'inconsistent',
  'volunteered',
  'role_reversal',
  'repeated',
  'rubric_spoken',
] as const;
export type PatientFaultKind = (typeof PATIENT_FAULT_KINDS)[number];

/** What a fault did to the agent: made its task easier, or harder; or neither. */
export const PATIENT_FAULT_SEVERITIES = ['helped', 'hindered', 'minor'] as const;
export type PatientFaultSeverity = (typeof PATIENT_FAULT_SEVERITIES)[number];

export interface PatientFault {
  readonly turn: number;
  readonly kind: PatientFaultKind;
  readonly severity: PatientFaultSeverity;
  /** The words of the patient. */
  readonly text: string;
}
