import type { ProviderKind } from '../../src/domain/provider-kinds';
import { ProviderError } from '../../src/agents/errors';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { Provider, type Availability, type Session } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';

/** Its agent is silent until its call is aborted or hung up, or fails at once. */
export class SilentProvider extends Provider {
  readonly kind: ProviderKind = 'openai';
  readonly resumable = true;
  readonly calls: string[] = [];
  fails = false;
  /** What the end of a session waits for. */
  closing: Promise<void> = Promise.resolve();
  /** Ends the call under way: the agent is out of reach. */
  breakOff: () => void = () => undefined;

  availability(): Availability {
    return { available: true };
  }

  async connect(): Promise<Session> {
    this.calls.push('connect');
    if (this.fails) throw new ProviderError('connect_failed', 'Nobody is there.');
    return {
      greeting: null,
      send: (_message, signal) => {
        this.calls.push('send');
        return new Promise((_resolve, reject) => {
          this.breakOff = () => reject(new ProviderError('provider_error', 'The line is dead.'));
          signal.addEventListener('abort', () => reject(ProviderError.canceled()), { once: true });
        });
      },
      close: async () => {
        this.calls.push('close');
        await this.closing;
      },
      metadata: () => ({}),
    };
  }
}

/** Has one provider, for agents of every kind. */
export class OneProvider extends ProviderRegistry {
  constructor(private readonly only: Provider) {
    super({ budget: new InProcessRequestBudget() });
  }

  override find(): Provider {
    return this.only;
  }
}
