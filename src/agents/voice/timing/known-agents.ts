import { fork, type ChildProcess } from 'node:child_process';
import { childEnvironment } from '../../../platform/config';
import { ProviderError } from '../../errors';
import { Waiting } from '../waiting';
import { AgentReport, type KnownAgentEvent, type ToAgents } from './known-agent-wire';

const READY_MS = 30_000;

type Answered = Extract<KnownAgentEvent, { readonly type: 'answered' }>;
type Ready = Extract<KnownAgentEvent, { readonly type: 'ready' }>;

/**
 * Starts agents whose delays are known. All of them share a process, as the rooms that they are called in do: ten processes would take half
 * of the machine that is to be measured. It begins with the first agent and ends with the last.
 */
export class KnownAgents {
  private process: AgentsProcess | null = null;

  /** @param program the file of the agents */
  constructor(private readonly program: string) {}

  /**
   * @param command what the program takes for one agent
   * @throws ProviderError `connect_failed` when it does not get ready
   */
  async begin(command: object, signal: AbortSignal): Promise<StartedAgent> {
    if (this.process === null || !this.process.isAlive) this.process = new AgentsProcess(this.program);
    const agent = this.process.begin(command);
    try {
      await agent.untilReady(signal);
    } catch (error) {
      agent.end();
      throw error;
    }
    return agent;
  }
}

/** The process of the agents; what one of them reports is handed to its examiner. */
class AgentsProcess {
  private readonly child: ChildProcess;
  private readonly agents = new Map<string, StartedAgent>();
  private begun = 0;
  isAlive = true;

  constructor(program: string) {
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
    this.child = fork(program, { env: childEnvironment(), execArgv: [], stdio: [...stdio] });
    this.child.on('message', (message) => {
      const report = AgentReport.safeParse(message);
      if (report.success) this.agents.get(report.data.agent)?.hear(report.data.event);
    });
    this.child.once('error', () => this.over('it could not be started'));
    this.child.once('exit', (code, signal) => this.over(signal ?? `exit code ${code}`));
  }

  begin(command: object): StartedAgent {
    this.begun += 1;
    const id = String(this.begun);
    const agent = new StartedAgent(() => this.end(id));
    this.agents.set(id, agent);
    this.send({ type: 'begin', agent: id, command });
    return agent;
  }

  private end(id: string): void {
    if (!this.agents.delete(id)) return;
    if (this.agents.size > 0) return this.send({ type: 'end', agent: id });
    this.isAlive = false;
    this.child.kill('SIGKILL');
  }

  private over(how: string): void {
    this.isAlive = false;
    for (const agent of this.agents.values()) agent.hear({ type: 'failed', reason: how });
  }

  private send(message: ToAgents): void {
    // One whose process has ended gets nothing: that is told by its exit.
    this.child.send(message, () => undefined);
  }
}

/** An agent whose delays are known, as its examiner has it. */
export class StartedAgent {
  private readonly waiting = new Waiting();
  private readonly answered = new Map<number, Answered>();
  private ready: Ready | null = null;
  private failure: string | null = null;

  /** @param end ends the agent; idempotent */
  constructor(readonly end: () => void) {}

  /** @throws ProviderError */
  async untilReady(signal: AbortSignal): Promise<void> {
    await this.waiting.for({
      look: () => this.throwIfFailed() ?? this.ready,
      deadline: performance.now() + READY_MS,
      late: () => failed(`it was not ready after ${READY_MS / 1_000} s`),
      signal,
    });
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

  hear(event: KnownAgentEvent): void {
    if (event.type === 'ready') this.ready = event;
    else if (event.type === 'failed') this.failure ??= event.reason;
    else this.answered.set(event.turn, event);
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
