import type { ProviderKind } from '../../domain';
import { ownTurn } from '../../platform/concurrency';
import { charactersOf, keptActs } from '../kept-acts';
import { AgentHungUp, ProviderError } from '../errors';
import {
  Provider,
  type AgentConfig,
  type Availability,
  type Branching,
  type ConnectRequest,
  type Json,
  type Reply,
  type Session,
  type SpokenTurn,
} from '../provider';
import { MAX_REPLY_BYTES, replyTooLong } from '../reply-text';
import { Secrets } from './secrets';

/**
 * Any provider, with the agent's secrets and the service's own removed from everything that comes from the agent: greeting,
 * replies, continuation, metadata, acts and errors. It wraps every one of them, so that none can forget.
 */
export class RedactingProvider extends Provider {
  override readonly kind: ProviderKind;
  override readonly resumable: boolean;
  override readonly speaks: boolean;
  override readonly isVoiceOnly: boolean;

  /** @param serviceSecrets keys and passwords of the deployment */
  constructor(
    private readonly inner: Provider,
    private readonly serviceSecrets: readonly string[],
  ) {
    super();
    this.kind = inner.kind;
    this.resumable = inner.resumable;
    this.speaks = inner.speaks;
    this.isVoiceOnly = inner.isVoiceOnly;
  }

  override availability(): Availability {
    return this.inner.availability();
  }

  override branching(config: AgentConfig): Branching {
    return this.inner.branching(config);
  }

  override async connect(request: ConnectRequest, signal: AbortSignal): Promise<Session> {
    const secrets = Secrets.of(request.config, [...this.serviceSecrets, ...(request.otherSecrets ?? [])]);
    await secrets.prepare();
    try {
      return new RedactingSession(await this.inner.connect({ ...request, secrets }, signal), secrets);
    } catch (error) {
      throw withoutSecrets(error, secrets);
    }
  }
}

class RedactingSession implements Session {
  constructor(
    private readonly inner: Session,
    private readonly secrets: Secrets,
  ) {}

  get greeting(): string | null {
    const { greeting } = this.inner;
    return greeting === null ? null : this.secrets.remove(greeting);
  }

  async send(message: string, signal: AbortSignal): Promise<Reply> {
    const { secrets } = this;
    try {
      const { content, latencyMs, continuation, metadata, acts, spoken, ...end } = await this.inner.send(
        message,
        signal,
      );
      await ownTurn(content.length + (acts === undefined ? 0 : charactersOf(acts)));
      return {
        content: withinLimit(secrets.remove(content)),
        latencyMs,
        continuation: secrets.removeFrom(continuation),
        metadata: {
          ...secrets.removeFromRecord(metadata),
          ...(acts === undefined ? {} : keptActs(acts, secrets)),
        },
        ...(spoken === undefined ? {} : { spoken: withoutSecretsIn(spoken, secrets) }),
        ...end,
      };
    } catch (error) {
      throw withoutSecrets(error, secrets);
    }
  }

  cleared(text: string): string {
    return withinLimit(this.secrets.remove(text));
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  metadata(): Readonly<Record<string, Json>> {
    return this.secrets.removeFromRecord(this.inner.metadata());
  }
}

function withoutSecretsIn(spoken: SpokenTurn, secrets: Secrets): SpokenTurn {
  const { own, understood } = spoken;
  return {
    ...spoken,
    own: own === null ? null : withinLimit(secrets.remove(own)),
    understood: understood === null ? null : secrets.remove(understood),
  };
}

/** The placeholder may be longer than what it replaces. */
function withinLimit(content: string): string {
  if (content.length * 3 <= MAX_REPLY_BYTES || Buffer.byteLength(content) <= MAX_REPLY_BYTES) return content;
  throw replyTooLong();
}

/** The cause is dropped when something had to be removed: it may hold the same text. */
function withoutSecrets(error: unknown, secrets: Secrets): unknown {
  // How a conversation ended is said in our own words; what the agent did in doing so is not.
  if (error instanceof AgentHungUp) {
    return error.acts === null ? error : new AgentHungUp(error.isUnanswered, null, keptActs(error.acts, secrets));
  }
  if (!(error instanceof ProviderError)) return error;
  const message = secrets.remove(error.message);
  if (message === error.message) return error;
  return new ProviderError(error.code, message, error.disposition, undefined, error.screenshot);
}
