import { createHash } from 'node:crypto';
import { USUAL_PATIENT } from '../../domain';
import { type CallLimits, randomMarker, type LanguageModel, type AdapterHealth } from '../model/language-model';
import { usageBefore } from '../model/model-error';
import { NO_USAGE } from '../model/model-usage';
import { AUDIT_SYSTEM_PROMPT, type AuditRequest } from './audit/audit-prompt';
import { auditPatient, type PatientAudit } from './audit/patient-audit';
import { STYLE_TEMPLATES, patientMessages, patientSystemPrompt } from './prompts';
import { openingOf } from './role-card';
import { Tester, TesterError, type ComposedMessage, type PatientTurnRequest } from './tester';

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
const PATIENT_PROMPT_VERSION = createHash('sha256')
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

const LIMITS: CallLimits = { attemptMs: 30_000, overallMs: 60_000 };
/** A patient says little, but current models think first, and their thinking counts too. */
const MAX_TOKENS = 2_048;
const MAX_MESSAGE_CHARACTERS = 4_000;

/** Has a language model, of any vendor, play the patient. */
export class LanguageModelTester extends Tester {
  readonly name: string;
  readonly model: string;
  readonly promptVersion = PATIENT_PROMPT_VERSION;
  readonly health: AdapterHealth;
  /** One for all calls: agents never see the prompts, and random bytes are expensive. */
  private readonly marker = randomMarker();

  constructor(
    private readonly api: LanguageModel,
    private readonly limits: CallLimits = LIMITS,
  ) {
    super();
    this.name = api.vendor;
    this.model = api.name;
    this.health = { status: 'ok', detail: `Patients are played by ${api.name}.` };
  }

  async nextMessage(request: PatientTurnRequest, signal: AbortSignal): Promise<ComposedMessage> {
    const opening = request.history.length === 0 ? openingOf(request.card, request.patient) : null;
    if (opening !== null) return { content: opening, usage: NO_USAGE };
    const prompt = {
      system: patientSystemPrompt(request.card, request.patient, this.marker),
      messages: patientMessages(request),
      maxTokens: MAX_TOKENS,
      effort: 'low' as const,
    };
    const { text, usage } = await this.api.write(prompt, this.limits, signal).catch((error: unknown) => {
      throw failedBy(error, 'The tester failed.');
    });
    const content = text.replaceAll('\0', '').slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed().trim();
    if (content === '') throw new TesterError(`${this.model} wrote no message for the patient.`);
    return { content, usage };
  }

  async audit(request: AuditRequest, signal: AbortSignal): Promise<PatientAudit> {
    return auditPatient(this.api, request, signal).catch((error: unknown) => {
      throw failedBy(error, 'The audit failed.');
    });
  }

  /** Called by the application when it stops. */
  async onApplicationShutdown(): Promise<void> {
    await this.api.close();
  }
}

function failedBy(error: unknown, otherwise: string): TesterError {
  const message = error instanceof Error ? error.message : otherwise;
  return new TesterError(message, { cause: error, usage: usageBefore(error) });
}
