import type { Caller } from '../../platform/access/caller';
import type { TextThreads } from '../threads/text-threads';
import { LineFull } from '../threads/thread-lines';
import { ScenarioGenerator, TesterError, type GeneratedScenario, type GenerationRequest } from './tester';

const DEADLINE_MS = 60_000;

/** Makes scenarios from a clinical text without a model (see `casesIn`). */
export class OfflineScenarioGenerator extends ScenarioGenerator {
  readonly name = 'offline';

  constructor(private readonly threads: TextThreads) {
    super();
  }

  /** @throws TesterError when the text could not be read in time, or the request was aborted; LineFull */
  generate(request: GenerationRequest, signal: AbortSignal, caller: Caller): Promise<readonly GeneratedScenario[]> {
    return this.threads.run('write', request, DEADLINE_MS, signal, caller).catch((error: unknown) => {
      if (error instanceof LineFull) throw error;
      throw new TesterError(error instanceof Error ? error.message : 'The generator failed.', { cause: error });
    });
  }
}
