/** What the patient plays and the judge reads the conversation against. */
export interface PatientScenario {
  readonly name: string;
  readonly content: ScenarioContent;
}

/** The three fields of the specification; other keys are kept and may be used (`initial_message`, `clinical_facts`). */
export interface ScenarioContent {
  readonly script: string;
  readonly demographics: { readonly age?: number; readonly gender?: string; readonly [key: string]: unknown };
  readonly chief_complaint: string;
  readonly [key: string]: unknown;
}

/** Stands for the approver's role in scenarios that come with the service: no clinician approved them, and no file says so. */
export const STARTER_LIBRARY = 'starter library';

/** What is known of the approval of a scenario, in the API's names. */
export interface Approval {
  readonly approved: boolean;
  readonly approved_by?: string | null | undefined;
  readonly approved_role?: string | null | undefined;
}

/**
 * draft: it has no approval, and runs include it only when it is chosen by name. starter: it comes with the service, approved so
 * that it can be run, and no clinician has signed it. unsigned: approved, without a name. signed: a named person answers for it.
 */
export type ApprovalState = 'draft' | 'starter' | 'unsigned' | 'signed';

export function approvalState({ approved, approved_by, approved_role }: Approval): ApprovalState {
  if (!approved) return 'draft';
  if (typeof approved_by === 'string') return 'signed';
  return approved_role === STARTER_LIBRARY ? 'starter' : 'unsigned';
}

const WORDS = {
  draft: 'draft',
  starter: 'starter, not signed',
  unsigned: 'approved, not signed',
  signed: 'approved by',
} as const satisfies Record<ApprovalState, string>;

/** The state in words: `approved by Dr A. Ward (emergency physician)`. Names are as they were given. */
export function approvalWords(approval: Approval): string {
  const { approved_by: by, approved_role: role } = approval;
  const words = WORDS[approvalState(approval)];
  if (words !== WORDS.signed) return words;
  return `${words} ${by ?? ''}${typeof role === 'string' ? ` (${role})` : ''}`;
}
