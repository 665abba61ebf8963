import { delayed, lastMessage, type FakeAgent, type FakeAgentOptions, type FakeMessage } from './fake-agent';
import { sendJson, startHttpStub, type Step } from './http-stub';

export interface FakeVapiOptions extends FakeAgentOptions {
  /** Assistants that exist; by default every one does. */
  readonly assistantIds?: readonly string[];
}

/** Vapi's chat API: `POST {baseUrl}/chat`; keeps each conversation under the id of its newest chat. */
export async function startFakeVapi(options: FakeVapiOptions = {}): Promise<FakeAgent> {
  const { reply = lastMessage, delayMs = 0, apiKey, assistantIds } = options;
  const chats = new Map<string, readonly FakeMessage[]>();

  const answer: Step = (response, { path, headers, body }) => {
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      return sendJson(response, 401, refusal(401, 'Invalid Key.', 'Unauthorized'));
    }
    if (path !== '/chat') return sendJson(response, 404, refusal(404, `Cannot POST ${path}`, 'Not Found'));
    if (!isChatRequest(body)) return sendJson(response, 400, refusal(400, ['input must be a string'], 'Bad Request'));
    if (assistantIds !== undefined && !assistantIds.includes(body.assistantId)) {
      return sendJson(response, 400, refusal(400, `assistantId ${body.assistantId} does not exist.`, 'Bad Request'));
    }
    const before = body.previousChatId === undefined ? [] : chats.get(body.previousChatId);
    if (before === undefined) {
      return sendJson(response, 400, refusal(400, 'previousChatId names no chat.', 'Bad Request'));
    }
    const heard = [...before, { role: 'user', content: body.input }];
    const content = reply(heard);
    const id = `chat-${chats.size + 1}`;
    chats.set(id, [...heard, { role: 'assistant', content }]);
    sendJson(response, 201, chat([{ role: 'assistant', content }], id));
  };
  const stub = await startHttpStub(delayed(answer, delayMs), options);
  return Object.assign(stub, { baseUrl: stub.origin });
}

/** The body of a successful answer. */
export function chat(output: unknown, id: string | undefined = 'chat-1'): object {
  return { id, orgId: 'org-1', assistantId: 'assistant-1', createdAt: '2026-01-01T00:00:00.000Z', output };
}

export function refusal(statusCode: number, message: string | readonly string[], error: string): object {
  return { message, error, statusCode };
}

interface ChatRequest {
  readonly assistantId: string;
  readonly input: string;
  readonly previousChatId?: string;
}

function isChatRequest(body: unknown): body is ChatRequest {
  return (
    typeof body === 'object' &&
    body !== null &&
    'assistantId' in body &&
    typeof body.assistantId === 'string' &&
    'input' in body &&
    typeof body.input === 'string'
  );
}
