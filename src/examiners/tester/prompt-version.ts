import { createHash } from 'node:crypto';
import { USUAL_PATIENT } from '../../domain/patient';
import { AUDIT_SYSTEM_PROMPT } from './audit/audit-prompt';
import { STYLE_TEMPLATES } from './patient-styles';
import { patientMessages, patientSystemPrompt } from './prompts';
import type { PatientTurnRequest } from './tester';

const NO_CARD = { script: '', demographics: {}, chief_complaint: '', initial_message: '', country: '' };
const BEGINNING: PatientTurnRequest = {
  card: NO_CARD,
  patient: USUAL_PATIENT,
  history: [],
  turn: 1,
  maxTurns: 5,
  greeting: null,
  refused: null,
};

/** A hash of all fixed text in the prompts of a patient's model, including the audit's. */
export const PATIENT_PROMPT_VERSION = createHash('sha256')
  .update(
    JSON.stringify([
      patientSystemPrompt(NO_CARD, USUAL_PATIENT, ''),
      STYLE_TEMPLATES,
      patientMessages(BEGINNING),
      patientMessages({ ...BEGINNING, greeting: '', refused: { content: '', objection: '' } }),
      AUDIT_SYSTEM_PROMPT,
    ]),
  )
  .digest('hex')
  .slice(0, 12);
