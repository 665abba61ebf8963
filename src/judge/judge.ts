import type { AdapterHealth } from '../model/adapter-health';
import type { ModelErrorKind } from '../model/model-error';
import type { ExaminationRecord } from './examination-record';
import type { Sheet, SheetAnswer } from './sheet';

/** Port: marks one sheet. What it answers is reviewed before anything of it counts (`examine`). */
export abstract class Judge {
  /** `offline`, or the vendor whose API is spoken. */
  abstract readonly name: string;
  /** Model identifier as configured; null when no model is used. */
  abstract readonly model: string | null;
  /** A hash of the texts that a model is asked with; null when no model is used. */
  abstract readonly promptVersion: string | null;
  /**
   * The same words get the same marks, whatever they say about marking. Then control questions and votes tell nothing new, and
   * are left out.
   */
  abstract readonly isDeterministic: boolean;
  abstract readonly health: AdapterHealth;
  /** @throws JudgeError; when aborted, whatever ended the call */
  abstract mark(sheet: Sheet, signal: AbortSignal): Promise<SheetAnswer>;
}

/**
 * Why grading could not be done: the model did not answer (a refused key, a time limit, …), the texts could not be read, or it
 * answered and its marks cannot be used (`marks_unusable`) or not be trusted (`controls_wrong`).
 */
export type JudgeErrorKind = Exclude<ModelErrorKind, 'canceled'> | 'texts_unread' | 'marks_unusable' | 'controls_wrong';

/** Grading could not be done: an error of the harness, never a failure of the agent. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError';
  /** What the examination had cost and found until then; null where it had not begun. */
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
