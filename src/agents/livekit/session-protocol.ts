import { randomUUID } from 'node:crypto';
import { ProviderError } from '../errors';
import type { AgentRoom } from './agent-room';
import { type Mail, Waiting } from '../voice/waiting';
import { SESSION_TOPIC } from './room-wire';

/** A ping that the agent does not hear yet is sent again. */
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

/** What an agent did to answer one input, in its own order. */
export interface RunResult {
  /** The text of each message it said. */
  readonly messages: readonly string[];
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolCall {
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
  /** null when no result is reported. */
  readonly output: string | null;
  readonly isError: boolean;
}

/** An answer to a request; anything else on the topic is an unsolicited event. */
interface SessionAnswer {
  readonly requestId: string;
  /** The framework's own words when the request failed. */
  readonly error: string | null;
  /** What was said and done: for one input after `run_input`, since the start after `get_chat_history`; null after others. */
  readonly run: RunResult | null;
}

/** What the agent tells of its tools while it answers. */
interface ToolNews {
  readonly called: readonly string[];
  /** Calls reported before that have failed. */
  readonly failed: readonly string[];
}

/** The protobuf messages of `livekit.agent.AgentSessionMessage`; their package is loaded when a room is first used. */
async function messages() {
  return (await import('@livekit/protocol')).AgentSession;
}

type SessionResponse = InstanceType<Awaited<ReturnType<typeof messages>>['SessionResponse']>;

async function pingRequest(requestId: string): Promise<Uint8Array> {
  const { AgentSessionMessage, SessionRequest, SessionRequest_Ping } = await messages();
  const request = new SessionRequest({ requestId, request: { case: 'ping', value: new SessionRequest_Ping() } });
  return new AgentSessionMessage({ message: { case: 'request', value: request } }).toBinary();
}

async function historyRequest(requestId: string): Promise<Uint8Array> {
  const { AgentSessionMessage, SessionRequest, SessionRequest_GetChatHistory } = await messages();
  const value = new SessionRequest_GetChatHistory();
  const request = new SessionRequest({ requestId, request: { case: 'getChatHistory', value } });
  return new AgentSessionMessage({ message: { case: 'request', value: request } }).toBinary();
}

async function runInputRequest(requestId: string, text: string): Promise<Uint8Array> {
  const { AgentSessionMessage, SessionRequest, SessionRequest_RunInput } = await messages();
  const value = new SessionRequest_RunInput({ text });
  const request = new SessionRequest({ requestId, request: { case: 'runInput', value } });
  return new AgentSessionMessage({ message: { case: 'request', value: request } }).toBinary();
}

/** null for what is neither, including malformed bytes: every participant of a room can send to it. */
export async function readMessage(
  payload: Uint8Array,
): Promise<{ readonly answer: SessionAnswer } | { readonly tools: ToolNews } | null> {
  const { AgentSessionMessage } = await messages();
  let message;
  try {
    message = AgentSessionMessage.fromBinary(payload).message;
  } catch {
    return null;
  }
  if (message.case === 'response') return { answer: await answerOf(message.value) };
  if (message.case !== 'event') return null;
  const { event } = message.value;
  if (event.case === 'toolExecutionUpdated' && event.value.update.case === 'started') {
    const { functionCall: call } = event.value.update.value;
    return { tools: { called: call === undefined ? [] : [call.name], failed: [] } };
  }
  if (event.case !== 'functionToolsExecuted') return null;
  const { functionCalls, functionCallOutputs } = event.value;
  return {
    tools: {
      called: functionCalls.map(({ name }) => name),
      failed: functionCallOutputs.filter(({ isError }) => isError).map(({ name }) => name),
    },
  };
}

async function answerOf({ requestId, error, response }: SessionResponse): Promise<SessionAnswer> {
  const { ChatRole } = await messages();
  const failure = error === undefined || error === '' ? null : error;
  if (response.case !== 'runInput' && response.case !== 'getChatHistory')
    return { requestId, error: failure, run: null };
  const said: string[] = [];
  const calls = new Map<string, ToolCall>();
  for (const { item } of response.value.items) {
    if (item.case === 'message' && item.value.role === ChatRole.ASSISTANT) {
      said.push(item.value.content.map(({ payload: part }) => (part.case === 'text' ? part.value : '')).join(''));
    } else if (item.case === 'functionCall') {
      const { callId, name, arguments: given } = item.value;
      calls.set(callId, { name, arguments: given, output: null, isError: false });
    } else if (item.case === 'functionCallOutput') {
      const { callId, name, output, isError } = item.value;
      calls.set(callId, { name, arguments: '', ...calls.get(callId), output, isError });
    }
  }
  return { requestId, error: failure, run: { messages: said, toolCalls: [...calls.values()] } };
}
