import { createHash, randomUUID } from 'node:crypto';
import type { TargetGuard } from '../../platform/targets';
import { ProviderError } from '../errors';
import { connectionFailure } from '../outbound/connection-failure';
import { refusal } from '../outbound/http-refusal';
import type { Secrets } from '../secrets/secrets';
import { AgentCall, type CallMessage, type CallRoom } from '../voice/agent-call';
import type { HeardSound } from '../voice/call-floor';
import type { CallPlace } from '../voice/patient-call';
import type { SpokenAccount } from '../voice/spoken-account';
import { Waiting } from '../voice/waiting';
import { lineLost, neverHeard, slowToConnect, StreamClosed, threadEnded, unusable } from './line-failure';
import type { LineListener, LineThread } from './line-thread';
import { AGENT, type IgnoredCounts, type LinePlan } from './line-wire';
import type { StreamIds } from './stream-messages';

const CONNECT_WITHIN_MS = 20_000;
const CARRIED_OUT_WITHIN_MS = 10_000;
const LEAVE_WITHIN_MS = 2_000;

export interface LineAddress {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly customParameters: Readonly<Record<string, string>>;
  readonly ids: StreamIds;
}

/** Ids as Twilio's look, the same for an attempt whenever it is asked. */
export function idsOf(scenarioRunId: string, attempt: number): StreamIds {
  const id = (prefix: string): string =>
    prefix + createHash('sha256').update(`${prefix} ${scenarioRunId} ${attempt}`).digest('hex').slice(0, 32);
  return { streamSid: id('MZ'), callSid: id('CA'), accountSid: `AC${'0'.repeat(32)}` };
}

/** A line to an agent: what the thread that carries it reports, and what it is asked for. After a failure every call rejects with it. */
export class AgentLine implements CallPlace, SpokenAccount {
  private readonly line = randomUUID();
  private readonly waiting = new Waiting();
  private readonly answered = new Set<number>();
  private calls = 0;
  private isConnected = false;
  private hasLeft = false;
  private failed: ProviderError | null = null;
  private spoken: AgentCall | null = null;
  private ignored: IgnoredCounts = {};
  private leaving: Promise<void> | null = null;

  private constructor(
    private readonly thread: LineThread,
    private readonly secrets: Secrets,
  ) {}

  /** @throws ProviderError `config_invalid` (TARGETS), `auth_failed`, `not_found`, `connect_failed`, `provider_error`, canceled */
  static async ring(
    thread: LineThread,
    guard: TargetGuard,
    address: LineAddress,
    secrets: Secrets,
    signal: AbortSignal,
  ): Promise<AgentLine> {
    const plan = await planOf(guard, address);
    if (signal.aborted) throw ProviderError.canceled();
    const line = new AgentLine(thread, secrets);
    await line.connect(plan, signal);
    return line;
  }

  get failure(): ProviderError | null {
    return this.failed;
  }

  get facts(): { readonly ignored_messages?: Record<string, number> } {
    return Object.keys(this.ignored).length === 0 ? {} : { ignored_messages: { ...this.ignored } };
  }

  /** Of an agent of which no sound came. */
  neverHeard(): ProviderError {
    return neverHeard(this.ignored);
  }

  call(onSound: (sound: HeardSound) => void, _signal: AbortSignal): Promise<AgentCall> {
    const room: CallRoom = {
      presence: { agent: this, isListening: true, isAgent: (identity) => identity === AGENT, agentIdentities: [AGENT] },
      end: { throwIfFailed: () => this.throwIfFailed() },
      waiting: this.waiting,
      post: (message, signal) => this.post(message, signal),
      hush: () => this.thread.send({ type: 'hush', line: this.line }),
      lost: lineLost,
    };
    this.spoken = new AgentCall(room, onSound);
    return Promise.resolve(this.spoken);
  }

  // Nothing is told in text on such a line.
  readonly textSoFar = '';
  readonly understoodSoFar = null;
  readonly calledTools: readonly string[] = [];

  /** Whether it threw away words of this turn before they were heard. */
  hadMoreToSay = false;

  beginTurn(): void {
    this.hadMoreToSay = false;
  }

  wholeText(): Promise<string> {
    return Promise.resolve('');
  }

  /** Hangs up. Idempotent, bounded in time, never throws. */
  leave(): Promise<void> {
    return (this.leaving ??= this.hangUp());
  }

  private async connect(plan: LinePlan, signal: AbortSignal): Promise<void> {
    this.thread.listen(this.line, (event) => this.hear(event));
    this.thread.send({ type: 'ring', line: this.line, plan });
    try {
      await this.waiting.for({
        look: () => this.throwIfFailed() ?? (this.isConnected ? true : null),
        deadline: performance.now() + CONNECT_WITHIN_MS,
        late: () => slowToConnect(CONNECT_WITHIN_MS / 1_000),
        signal,
      });
    } catch (error) {
      void this.leave();
      throw error;
    }
  }

  private async hangUp(): Promise<void> {
    this.because(ProviderError.canceled());
    this.thread.send({ type: 'hangUp', line: this.line });
    await this.waiting
      .for({
        look: () => (this.hasLeft ? true : null),
        deadline: performance.now() + LEAVE_WITHIN_MS,
        late: lineLost,
        signal: new AbortController().signal,
      })
      .catch(() => undefined);
    this.thread.forget(this.line);
  }

  private async post(message: CallMessage, signal: AbortSignal): Promise<void> {
    this.throwIfFailed();
    this.calls += 1;
    const { calls: call, line } = this;
    this.thread.send({ ...message, line, call });
    await this.waiting.for({
      look: () => this.throwIfFailed() ?? (this.answered.delete(call) ? true : null),
      deadline: performance.now() + CARRIED_OUT_WITHIN_MS,
      late: threadEnded,
      signal,
    });
  }

  private hear(event: Parameters<LineListener>[0]): void {
    switch (event.type) {
      case 'connected':
        this.isConnected = true;
        break;
      case 'refused':
        this.because(refusal(event, null, this.secrets, Date.now()));
        break;
      case 'unreachable': {
        const { code, message, isPassing } = event;
        this.because(isPassing ? ProviderError.retryable(code, message) : new ProviderError(code, message));
        break;
      }
      case 'closed':
        this.because(new StreamClosed(event.code));
        break;
      case 'lost':
        this.because(lineLost());
        break;
      case 'unusable':
        this.because(unusable(event.what));
        break;
      case 'crashed':
        this.hasLeft = true;
        this.because(threadEnded());
        break;
      case 'ignored':
        this.ignored = event.counts;
        break;
      case 'wordsCleared':
        this.hadMoreToSay = true;
        break;
      case 'called':
        this.answered.add(event.call);
        break;
      case 'left':
        this.hasLeft = true;
        break;
      default:
        this.spoken?.hear(event);
    }
    this.waiting.changed();
  }

  private throwIfFailed(): null {
    if (this.failed !== null) throw this.failed;
    return null;
  }

  private because(error: ProviderError): void {
    this.failed ??= error;
    this.waiting.changed();
  }
}

/** The address is checked here, where the rules are; the thread connects to what was checked and to nothing else. */
async function planOf(guard: TargetGuard, { url, headers, customParameters, ids }: LineAddress): Promise<LinePlan> {
  const protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  const port = Number(url.port || (protocol === 'https:' ? 443 : 80));
  try {
    const through = await guard.proxiedWay(protocol, url.hostname, port);
    const addresses = through === null ? await guard.addressesOf(url.hostname, port) : [];
    const path = url.pathname + url.search;
    return { origin: `${protocol}//${url.host}`, path, headers, addresses, through, ids, customParameters };
  } catch (error) {
    throw connectionFailure(error, false);
  }
}
