import type { Caller } from '../../platform/access';
import type { AdapterHealth } from '../model/language-model';
import { NO_USAGE } from '../model/model-usage';
import type { TextReader, TextThreads } from '../threads/text-threads';
import { LineFull } from '../threads/thread-lines';
import { heardOf } from './script-reply';
import {
  Tester,
  TesterError,
  type ComposedMessage,
  type PatientTurnRequest,
  ScenarioGenerator,
  type GeneratedScenario,
  type GenerationRequest,
} from './tester';

const DEADLINE_MS = 30_000;

/** Plays a script without a model (see `nextSpeech`): for trying the harness. */
export class OfflineTester extends Tester {
  readonly name = 'offline';
  readonly model = null;
  readonly promptVersion = null;
  readonly health: AdapterHealth = {
    status: 'warning',
    detail:
      'Offline tester: patients recite their script by word overlap. Good for trying the harness, not for judging clinical conversations. To use a language model, set ANTHROPIC_API_KEY, or name another model in TESTER_MODEL.',
  };

  constructor(private readonly threads: TextReader) {
    super();
  }

  /** @throws TesterError when aborted, or when the texts could not be read in time */
  async nextMessage(request: PatientTurnRequest, signal: AbortSignal): Promise<ComposedMessage> {
    try {
      return { content: await this.threads.run('play', heardOf(request), DEADLINE_MS, signal), usage: NO_USAGE };
    } catch (error) {
      throw new TesterError(error instanceof Error ? error.message : 'The tester failed.', { cause: error });
    }
  }

  audit(): Promise<null> {
    return Promise.resolve(null);
  }
}

const WRITING_DEADLINE_MS = 60_000;

/** Makes scenarios from a clinical text without a model (see `casesIn`). */
export class OfflineScenarioGenerator extends ScenarioGenerator {
  readonly name = 'offline';

  constructor(private readonly threads: TextThreads) {
    super();
  }

  /** @throws TesterError when the text could not be read in time, or the request was aborted; LineFull */
  generate(request: GenerationRequest, signal: AbortSignal, caller: Caller): Promise<readonly GeneratedScenario[]> {
    return this.threads.run('write', request, WRITING_DEADLINE_MS, signal, caller).catch((error: unknown) => {
      if (error instanceof LineFull) throw error;
      throw new TesterError(error instanceof Error ? error.message : 'The generator failed.', { cause: error });
    });
  }
}
