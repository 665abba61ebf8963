import type { AdapterHealth } from '../model/adapter-health';
import type { TextThreads } from '../threads/text-threads';
import { Judge, JudgeError, type JudgeAnswer, type JudgeRequest } from './judge';

const DEADLINE_MS = 60_000;

/** Marks without a model (see `mark`): for trying the harness. */
export class OfflineJudge extends Judge {
  readonly name = 'offline';
  readonly model = null;
  readonly health: AdapterHealth = {
    status: 'warning',
    detail:
      'Offline judge: criteria are matched by words. Good for trying the harness, not for clinical judgement; set ANTHROPIC_API_KEY for a language model.',
  };

  constructor(private readonly threads: TextThreads) {
    super();
  }

  /** @throws JudgeError when aborted, or when the texts could not be read in time */
  async grade(request: JudgeRequest, signal: AbortSignal): Promise<JudgeAnswer> {
    try {
      return await this.threads.run('mark', request, DEADLINE_MS, signal);
    } catch (error) {
      throw new JudgeError(error instanceof Error ? error.message : 'The judge failed.', { cause: error });
    }
  }
}
