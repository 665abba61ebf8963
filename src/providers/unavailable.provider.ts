import { ProviderError } from './errors';
import { Provider, type Availability, type ProviderKind, type Session } from './provider';

/** A kind that agents may have and that this deployment cannot run: start-run refuses it with the reason. */
export class UnavailableProvider extends Provider {
  override readonly resumable = false;

  constructor(
    override readonly kind: ProviderKind,
    private readonly reason: string,
  ) {
    super();
  }

  override availability(): Availability {
    return { available: false, reason: this.reason };
  }

  override async connect(): Promise<Session> {
    throw new ProviderError('transport_unsupported', this.reason);
  }
}
