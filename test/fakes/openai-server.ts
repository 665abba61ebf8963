import { delayed, held, lastMessage, type FakeAgent, type FakeAgentOptions, type FakeMessage } from './fake-agent';
import { sendJson, startHttpStub, type Step } from './http-stub';

/** An OpenAI-compatible chat completions server: `POST {baseUrl}/chat/completions`. */
export async function startFakeOpenAi(options: FakeAgentOptions = {}): Promise<FakeAgent> {
  const { reply = lastMessage, delayMs = 0, apiKey, mayAnswer } = options;
  let answered = 0;

  const answer: Step = (response, { path, headers, body }) => {
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      return sendJson(response, 401, { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } });
    }
    if (!/\/chat\/completions(\?|$)/.test(path)) {
      return sendJson(response, 404, { error: { message: `Unknown request URL: ${path}` } });
    }
    if (!isChat(body)) {
      return sendJson(response, 400, {
        error: { message: 'Missing required parameter: messages.', param: 'messages' },
      });
    }
    answered += 1;
    sendJson(response, 200, completion(reply(body.messages), `chatcmpl-${answered}`));
  };
  const stub = await startHttpStub(held(delayed(answer, delayMs), mayAnswer), options);
  return Object.assign(stub, { baseUrl: `${stub.origin}/v1` });
}

/** The body of a successful answer; `message` adds to, or replaces, fields of the assistant's message. */
export function completion(content: unknown, id = 'chatcmpl-1', message: object = {}): object {
  return {
    id,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'fake-model',
    choices: [{ index: 0, message: { role: 'assistant', content, ...message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  };
}

function isChat(body: unknown): body is { messages: readonly FakeMessage[] } {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages);
}
