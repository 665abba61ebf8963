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
export interface SessionAnswer {
  readonly requestId: string;
  /** The framework's own words when the request failed. */
  readonly error: string | null;
  /** What was said and done: for one input after `run_input`, since the start after `get_chat_history`; null after others. */
  readonly run: RunResult | null;
}

/** What the agent tells of its tools while it answers. */
export interface ToolNews {
  readonly called: readonly string[];
  /** Of those that were called before. */
  readonly failed: readonly string[];
}

/** The protobuf messages of `livekit.agent.AgentSessionMessage`; their package is loaded when a room is first used. */
async function messages() {
  return (await import('@livekit/protocol')).AgentSession;
}

type SessionResponse = InstanceType<Awaited<ReturnType<typeof messages>>['SessionResponse']>;

export async function pingRequest(requestId: string): Promise<Uint8Array> {
  const { AgentSessionMessage, SessionRequest, SessionRequest_Ping } = await messages();
  const request = new SessionRequest({ requestId, request: { case: 'ping', value: new SessionRequest_Ping() } });
  return new AgentSessionMessage({ message: { case: 'request', value: request } }).toBinary();
}

export async function historyRequest(requestId: string): Promise<Uint8Array> {
  const { AgentSessionMessage, SessionRequest, SessionRequest_GetChatHistory } = await messages();
  const value = new SessionRequest_GetChatHistory();
  const request = new SessionRequest({ requestId, request: { case: 'getChatHistory', value } });
  return new AgentSessionMessage({ message: { case: 'request', value: request } }).toBinary();
}

export async function runInputRequest(requestId: string, text: string): Promise<Uint8Array> {
  const { AgentSessionMessage, SessionRequest, SessionRequest_RunInput } = await messages();
  const value = new SessionRequest_RunInput({ text });
  const request = new SessionRequest({ requestId, request: { case: 'runInput', value } });
  return new AgentSessionMessage({ message: { case: 'request', value: request } }).toBinary();
}

/** null for what is neither, including malformed bytes: everyone in a room can send to it. */
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
