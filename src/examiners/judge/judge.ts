import type { AdapterHealth } from '../model/language-model';
import { ExaminerPool } from '../model/examiner-pool';
import type { ModelErrorKind } from '../model/model-error';
import type { ExaminationRecord } from './examination-record';
import type { MarkingRequest, MarkingAnswer } from './marking-request';

/** Port: answers one marking request. Its answer is reviewed before any of it counts (`examine`). */
export abstract class Judge {
  /** `offline`, or the vendor whose API is used. */
  abstract readonly name: string;
  /** Model identifier as configured; null when no model is used. */
  abstract readonly model: string | null;
  /** A hash of the fixed texts of the prompts, or which rules mark where no model is used; null in what older versions kept of rules. */
  abstract readonly promptVersion: string | null;
  /**
   * The same words always get the same marks, whatever they say about marking. Control questions and votes would then tell nothing
   * new, and are left out.
   */
  abstract readonly isDeterministic: boolean;
  abstract readonly health: AdapterHealth;
  /** @throws JudgeError; when aborted, whatever error ended the call */
  abstract mark(request: MarkingRequest, signal: AbortSignal): Promise<MarkingAnswer>;
}

/**
 * Why grading could not be done: the model gave no answer (a refused key, a time limit, …), the texts could not be read, or the
 * model answered and its marks cannot be used (`marks_unusable`) or cannot be trusted (`controls_wrong`).
 */
export type JudgeErrorKind = Exclude<ModelErrorKind, 'canceled'> | 'texts_unread' | 'marks_unusable' | 'controls_wrong';

/** Grading could not be done: an error of the harness, never a failure of the agent. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError';
  /** What the examination had cost and found by then; null if it had not begun. */
  readonly record: ExaminationRecord | null;

  constructor(
    readonly kind: JudgeErrorKind,
    message: string,
    { record = null, ...options }: ErrorOptions & { record?: ExaminationRecord | null } = {},
  ) {
    super(message, options);
    this.record = record;
  }
}

/** The judges of this process; also the injection token. */
export class Judges extends ExaminerPool<Judge> {}
