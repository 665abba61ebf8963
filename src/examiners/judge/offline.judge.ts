import type { AdapterHealth } from '../model/language-model';
import { TextJobFailed } from '../threads/text-thread';
import type { TextReader } from '../threads/text-threads';
import { Judge, JudgeError } from './judge';
import type { MarkingRequest, MarkingAnswer } from './marking-request';

/**
 * Which rules the offline judge marks by. Raised whenever a change of theirs may mark a conversation otherwise, so that history,
 * comparisons and calibrations tell marks of before from marks of after. 1 were those that matched words, kept as null; 2 read
 * clauses, questions and permissions; 3 and 4 read two negations as one permission.
 */
export const RULES_VERSION = 'rules-4';

const DEADLINE_MS = 60_000;

/** Marks without a model (see `markByWords`): for trying the harness. */
export class OfflineJudge extends Judge {
  readonly name = 'offline';
  readonly model = null;
  readonly promptVersion = RULES_VERSION;
  readonly isDeterministic = true;
  readonly health: AdapterHealth = {
    status: 'warning',
    detail:
      'Offline judge: criteria are matched by words. Good for trying the harness, not for clinical judgement. To use a language model, set ANTHROPIC_API_KEY, or name another model in JUDGE_MODEL.',
  };

  constructor(private readonly threads: TextReader) {
    super();
  }

  /** @throws JudgeError when the texts could not be read in time; TextJobFailed when aborted */
  async mark(request: MarkingRequest, signal: AbortSignal): Promise<MarkingAnswer> {
    try {
      return await this.threads.run('mark', request, DEADLINE_MS, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof TextJobFailed)) throw error;
      throw new JudgeError('texts_unread', error.message, { cause: error });
    }
  }
}
