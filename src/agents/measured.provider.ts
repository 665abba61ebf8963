import type { ProviderKind, ErrorCode } from '../domain';
import type { CallOutcome, Metrics } from '../platform/telemetry';
import { AgentHungUp, ProviderError } from './errors';
import {
  Provider,
  type AgentConfig,
  type Availability,
  type Branching,
  type ConnectRequest,
  type Json,
  type Reply,
  type Session,
} from './provider';

const OUTCOMES: Readonly<Record<ErrorCode, CallOutcome>> = {
  auth_failed: 'key_refused',
  not_found: 'misconfigured',
  rate_limited: 'rate_limited',
  provider_error: 'failed',
  provider_timeout: 'timed_out',
  empty_reply: 'unusable',
  transport_unsupported: 'misconfigured',
  connect_failed: 'unreachable',
  agent_not_joined: 'unreachable',
  config_invalid: 'misconfigured',
  no_rubric: 'failed',
  grading_failed: 'failed',
  tester_failed: 'failed',
  speech_failed: 'failed',
  internal: 'failed',
};

/** Any provider, its calls counted and timed. It wraps every one of them, so that none can forget. */
export class MeasuredProvider extends Provider {
  override readonly kind: ProviderKind;
  override readonly resumable: boolean;
  override readonly speaks: boolean;
  override readonly isVoiceOnly: boolean;

  constructor(
    private readonly inner: Provider,
    private readonly metrics: Metrics,
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
    const { kind, metrics } = this;
    const ended = metrics.callBegan({ to: 'agent', kind, call: 'connect' });
    const session = await measured(() => this.inner.connect(request, signal), ended, signal);
    return new MeasuredSession(session, kind, metrics);
  }
}

class MeasuredSession implements Session {
  constructor(
    private readonly inner: Session,
    private readonly kind: ProviderKind,
    private readonly metrics: Metrics,
  ) {}

  get greeting(): string | null {
    return this.inner.greeting;
  }

  send(message: string, signal: AbortSignal): Promise<Reply> {
    const ended = this.metrics.callBegan({ to: 'agent', kind: this.kind, call: 'reply' });
    return measured(() => this.inner.send(message, signal), ended, signal);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  metadata(): Readonly<Record<string, Json>> {
    return this.inner.metadata();
  }
}

async function measured<Result>(
  call: () => Promise<Result>,
  ended: (outcome: CallOutcome) => void,
  signal: AbortSignal,
): Promise<Result> {
  try {
    const result = await call();
    ended('ok');
    return result;
  } catch (error) {
    ended(signal.aborted ? 'canceled' : outcomeOf(error));
    throw error;
  }
}

function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof AgentHungUp) return 'hung_up';
  if (!(error instanceof ProviderError)) return 'failed';
  return error.disposition.kind === 'canceled' ? 'canceled' : OUTCOMES[error.code];
}
