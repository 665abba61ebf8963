import type { TextThreads } from '../threads/text-threads';
import { ScenarioGenerator, TesterError, type GeneratedScenario, type GenerationRequest } from './tester';

const DEADLINE_MS = 60_000;

/** Makes scenarios from a clinical text without a model (see `casesIn`). */
export class OfflineScenarioGenerator extends ScenarioGenerator {
  readonly name = 'offline';

  constructor(private readonly threads: TextThreads) {
    super();
  }

  /** @throws TesterError when the text could not be read in time, or the request was aborted */
  generate(request: GenerationRequest, signal: AbortSignal): Promise<readonly GeneratedScenario[]> {
    return this.threads.run('write', request, DEADLINE_MS, signal).catch((error: unknown) => {
      throw new TesterError(error instanceof Error ? error.message : 'The generator failed.', { cause: error });
    });
  }
}
