import { z } from 'zod';
import { MUST_PASS_TAG, type RubricCriterion } from '../../../domain';
import { type CallLimits, AnswerFormat, type LanguageModel } from '../../model/language-model';
import type { ModelUsage } from '../../model/model-usage';
import { PATIENT_FAULT_SEVERITIES, type PatientFault } from '../patient-fault';
import { openingOf } from '../role-card';
import {
  AUDIT_SYSTEM_PROMPT,
  auditMessage,
  type AuditRequest,
  auditedSentences,
  type AuditedSentence,
} from './audit-prompt';

/** A fault, and whether it bears on something that decides the station. */
export interface AuditedFault extends PatientFault {
  readonly isDecisive: boolean;
}

export interface PatientAudit {
  readonly faults: readonly AuditedFault[];
  readonly usage: ModelUsage;
}

const LIMITS: CallLimits = { attemptMs: 60_000, overallMs: 120_000 };
const MAX_TOKENS = 6_000;

const AUDITED_KINDS = ['invented', 'contradicted', 'inconsistent', 'volunteered', 'role_reversal'] as const;

/** Models write the properties in this order: first the evidence, then what it means, then what follows. */
const answer = new AnswerFormat(
  z.object({
    faults: z.array(
      z.object({
        sentence: z.string(),
        reason: z.string(),
        kind: z.enum(AUDITED_KINDS),
        severity: z.enum(PATIENT_FAULT_SEVERITIES),
        criterion: z.number(),
      }),
    ),
  }),
);

type NamedFault = z.output<typeof answer.schema>['faults'][number];

/**
 * Has a model check what a patient said, once the conversation is over. One call; only sentences that the patient really said count,
 * each once, and not the opening words that the scenario itself gives.
 * @throws ModelError
 */
export async function auditPatient(
  model: LanguageModel,
  request: AuditRequest,
  signal: AbortSignal,
): Promise<PatientAudit> {
  const sentences = auditedSentences(request.transcript);
  const prompt = {
    system: AUDIT_SYSTEM_PROMPT,
    messages: [auditMessage(request, sentences)],
    maxTokens: MAX_TOKENS,
    effort: 'low' as const,
  };
  const { value, usage } = await model.answer(prompt, answer, LIMITS, signal);
  return { faults: faultsIn(value.faults, request, sentences), usage };
}

function faultsIn(
  named: readonly NamedFault[],
  { card, patient, criteria, transcript }: AuditRequest,
  sentences: readonly AuditedSentence[],
): AuditedFault[] {
  const own = new Map(sentences.filter(({ id }) => id.startsWith('p')).map((sentence) => [sentence.id, sentence]));
  const isGiven = transcript[0]?.patientMessage === openingOf(card, patient);
  return named.flatMap(({ sentence: id, kind, severity, criterion }): AuditedFault[] => {
    const sentence = own.get(id.trim());
    if (sentence === undefined || (isGiven && sentence.turn === 1)) return [];
    own.delete(sentence.id);
    const { turn, text } = sentence;
    return [{ turn, kind, severity, text, isDecisive: severity !== 'minor' && decides(criteria[criterion - 1]) }];
  });
}

/** Whether a criterion decides the station: it must be passed, or is something that must not be done. */
function decides(criterion: RubricCriterion | undefined): boolean {
  return criterion !== undefined && (criterion.points < 0 || criterion.tags.includes(MUST_PASS_TAG));
}
