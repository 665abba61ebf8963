import { fork, type ChildProcess } from 'node:child_process';
import { childEnvironment } from '../../../platform/config';
import { ProviderError } from '../../errors';
import { Waiting } from '../waiting';
import { KnownAgentEvent } from './known-agent-wire';

const READY_MS = 30_000;

type Answered = Extract<KnownAgentEvent, { readonly type: 'answered' }>;
type Ready = Extract<KnownAgentEvent, { readonly type: 'ready' }>;

/** The process of an agent whose delays are known. */
export class KnownAgentProcess {
  private readonly waiting = new Waiting();
  private readonly answered = new Map<number, Answered>();
  private ready: Ready | null = null;
  private failure: string | null = null;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (message) => {
      const event = KnownAgentEvent.safeParse(message);
      if (event.success) this.hear(event.data);
    });
    child.once('error', () => this.fail('it could not be started'));
    child.once('exit', (code, signal) => this.fail(signal ?? `exit code ${code}`));
  }

  /**
   * @param program the file of the agent @param command what the program takes
   * @throws ProviderError `connect_failed` when it does not get ready
   */
  static async start(program: string, command: object, signal: AbortSignal): Promise<KnownAgentProcess> {
    const child = fork(program, {
      env: childEnvironment(),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const agent = new KnownAgentProcess(child);
    child.send(command, () => undefined);
    try {
      await agent.waiting.for({
        look: () => agent.throwIfFailed() ?? agent.ready,
        deadline: performance.now() + READY_MS,
        late: () => failed(`it was not ready after ${READY_MS / 1_000} s`),
        signal,
      });
    } catch (error) {
      agent.end();
      throw error;
    }
    return agent;
  }

  /** Where it is called. @throws ProviderError of one that is not called, but in a room */
  get url(): string {
    if (this.ready?.url === undefined) throw failed('it told no address');
    return this.ready.url;
  }

  /** What it did in a turn. @throws ProviderError when it did not within the time */
  answer(turn: number, withinMs: number, signal: AbortSignal): Promise<Answered> {
    return this.waiting.for({
      look: () => this.throwIfFailed() ?? this.answered.get(turn) ?? null,
      deadline: performance.now() + withinMs,
      late: () => failed('it did not answer'),
      signal,
    });
  }

  /** Idempotent. */
  end(): void {
    this.child.kill('SIGKILL');
  }

  private hear(event: KnownAgentEvent): void {
    if (event.type === 'ready') this.ready = event;
    else if (event.type === 'failed') return this.fail(event.reason);
    else this.answered.set(event.turn, event);
    this.waiting.changed();
  }

  private fail(reason: string): void {
    this.failure ??= reason;
    this.waiting.changed();
  }

  private throwIfFailed(): null {
    if (this.failure !== null) throw failed(this.failure);
    return null;
  }
}

function failed(reason: string): ProviderError {
  return new ProviderError('connect_failed', `The agent with known delays cannot be used: ${reason}.`);
}
