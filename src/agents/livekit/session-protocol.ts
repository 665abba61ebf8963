import { randomUUID } from 'node:crypto';
import { ProviderError } from '../errors';
import type { AgentRoom } from './agent-room';
import type { Mail } from './room-mail';
import { SESSION_TOPIC } from './room-wire';
import {
  historyRequest,
  pingRequest,
  readMessage,
  runInputRequest,
  type RunResult,
  type SessionAnswer,
  type ToolNews,
} from './session-messages';
import { Waiting } from './waiting';

/** A ping that no one hears yet is sent again. */
const PROBES = 3;
const HISTORY_TIMEOUT_MS = 2_000;

/**
 * The session protocol of livekit-agents (since 1.5) in a room: requests and answers as protobuf in byte streams. Its
 * `run_input` answers when the agent has done all it does for one input, with everything it said and every tool it called,
 * so that nothing has to be inferred from silence.
 */
export class SessionProtocol {
  private readonly answers = new Map<string, SessionAnswer>();
  private readonly asked = new Set<string>();
  private readonly called = new Set<string>();
  private readonly waiting = new Waiting();
  private readonly stop: readonly (() => void)[];

  private constructor(
    private readonly room: AgentRoom,
    private readonly agent: string,
    private readonly watchedTools: readonly string[],
  ) {
    this.stop = [room.onBytes((message) => void this.hear(message)), room.onFailure(() => this.waiting.changed())];
  }

  /**
   * Asks the agent whether it speaks the protocol; null when it does not answer.
   * @param agent its identity
   * @param timeoutMs for the answer to one ping
   * @param watchedTools the names of tools whose calls are told as soon as they are made
   * @throws ProviderError why the room ended; canceled
   */
  static async probe(
    room: AgentRoom,
    agent: string,
    timeoutMs: number,
    signal: AbortSignal,
    watchedTools: readonly string[] = [],
  ): Promise<SessionProtocol | null> {
    const protocol = new SessionProtocol(room, agent, watchedTools);
    try {
      for (let probe = 1; probe <= PROBES; probe += 1) {
        if (await protocol.answersPing(timeoutMs, signal)) return protocol;
      }
    } catch (error) {
      protocol.close();
      throw error;
    }
    protocol.close();
    return null;
  }

  /** The watched tools that the agent has called since the last input, and that did not fail. */
  get calledTools(): readonly string[] {
    return [...this.called];
  }

  /**
   * Sends the patient's message to the agent and waits for everything it does to answer.
   * @param quote prepares the framework's own words for a message: without secrets, short
   * @throws ProviderError what `late` says at the deadline; `provider_error` when the agent failed or left
   */
  async runInput(
    text: string,
    deadline: number,
    late: () => ProviderError,
    quote: (words: string) => string,
    signal: AbortSignal,
  ): Promise<RunResult> {
    this.called.clear();
    const { error, run } = await this.ask((id) => runInputRequest(id, text), deadline, late, signal);
    if (error !== null) {
      throw new ProviderError(
        'provider_error',
        `The agent failed to answer; see its own log. Its framework said: ${quote(error)}`,
      );
    }
    if (run === null)
      throw new ProviderError('provider_error', 'The agent answered a different request than the one it was sent.');
    return run;
  }

  /**
   * What the agent has said so far, by its own account; empty when it reports nothing. A greeting's text stream is lost when
   * the agent speaks before its connection is up.
   * @throws ProviderError why the room ended; canceled
   */
  async saidSoFar(signal: AbortSignal): Promise<string> {
    const late = new ProviderError('provider_timeout', 'The agent returned no history.');
    try {
      const { run } = await this.ask(historyRequest, performance.now() + HISTORY_TIMEOUT_MS, () => late, signal);
      return run === null ? '' : run.messages.join('\n');
    } catch (error) {
      if (error === late) return '';
      throw error;
    }
  }

  close(): void {
    for (const end of this.stop) end();
  }

  private async answersPing(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const late = new ProviderError('provider_timeout', 'The agent answered no ping.');
    try {
      await this.ask(pingRequest, performance.now() + timeoutMs, () => late, signal);
      return true;
    } catch (error) {
      if (error === late) return false;
      throw error;
    }
  }

  private async ask(
    request: (id: string) => Promise<Uint8Array>,
    deadline: number,
    late: () => ProviderError,
    signal: AbortSignal,
  ): Promise<SessionAnswer> {
    const id = randomUUID();
    const payload = await request(id);
    this.asked.add(id);
    try {
      await this.room.sendBytes(SESSION_TOPIC, payload, this.agent, signal);
      return await this.waiting.for({
        look: () => {
          // An answer that came before the room ended still counts.
          const answer = this.answers.get(id) ?? null;
          if (answer === null && this.room.failure !== null) throw this.room.failure;
          return answer;
        },
        deadline,
        late,
        signal,
      });
    } finally {
      this.asked.delete(id);
      this.answers.delete(id);
    }
  }

  private async hear({ payload, sender, topic }: Mail): Promise<void> {
    if (sender !== this.agent || topic !== SESSION_TOPIC || this.asked.size === 0) return;
    const message = await readMessage(payload);
    if (message === null) return;
    if ('tools' in message) return this.noteTools(message.tools);
    const { answer } = message;
    if (!this.asked.has(answer.requestId)) return;
    this.answers.set(answer.requestId, answer);
    this.waiting.changed();
  }

  private noteTools({ called, failed }: ToolNews): void {
    for (const name of called) if (this.watchedTools.includes(name)) this.called.add(name);
    for (const name of failed) this.called.delete(name);
  }
}
