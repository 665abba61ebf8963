import type { ServerResponse } from 'node:http';
import { delayed, lastMessage, type FakeAgent, type FakeAgentOptions, type FakeMessage } from './fake-agent';
import { sendJson, startHttpStub, type Step, type StubRequest } from './http-stub';

/** What a request says, wherever it says it. */
interface Said {
  readonly say: string | null;
  readonly session: string | null;
  readonly conversation: readonly FakeMessage[] | null;
}

/**
 * An agent with an API of its own. `/talk` takes JSON or a form, `/ask` a query, `/stream` answers in events, `/plain` in words. It keeps a
 * conversation under the session it is told, or under one that it names itself; `conversation` takes the place of both.
 */
export async function startFakeHttpAgent(options: FakeAgentOptions = {}): Promise<FakeAgent> {
  const { reply = lastMessage, delayMs = 0, apiKey } = options;
  const sessions = new Map<string, readonly FakeMessage[]>();

  const answer: Step = (response, request) => {
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return sendJson(response, 401, { error: 'who are you?' });
    }
    const path = new URL(request.path, 'http://agent').pathname;
    if (!['/talk', '/ask', '/stream', '/plain'].includes(path)) return sendJson(response, 404, { error: 'not here' });
    const { say, session, conversation } = saidIn(request);
    if (say === null && conversation === null) return sendJson(response, 400, { error: 'nothing was said' });
    const id = session ?? `session-${sessions.size + 1}`;
    const heard = conversation ?? [...(sessions.get(id) ?? []), { role: 'user', content: say ?? '' }];
    const content = reply(heard);
    sessions.set(id, [...heard, { role: 'assistant', content }]);
    if (path === '/stream') return sendEvents(response, id, content);
    if (path === '/plain') return void response.writeHead(200, { 'content-type': 'text/plain' }).end(content);
    sendJson(response, 200, talk(content, id));
  };
  const stub = await startHttpStub(delayed(answer, delayMs), options);
  return Object.assign(stub, { baseUrl: stub.origin });
}

/** The body of a successful answer. */
export function talk(reply: unknown, id: string | undefined = 'session-1'): object {
  return { id, data: { reply } };
}

function sendEvents(response: ServerResponse, id: string, content: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(`: hello\n\nevent: begin\ndata: ${JSON.stringify({ id })}\n\n`);
  for (const word of content.match(/\s*\S+/g) ?? []) response.write(`data: ${JSON.stringify({ delta: word })}\n\n`);
  response.end('data: [DONE]\n\n');
}

function saidIn({ path, headers, body }: StubRequest): Said {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const fields = isForm ? new URLSearchParams(String(body)) : new URL(path, 'http://agent').searchParams;
  if (!isForm && typeof body === 'object' && body !== null) {
    const { say = null, session = null, conversation = null } = body as Partial<Said>;
    return { say, session, conversation };
  }
  return { say: fields.get('say'), session: fields.get('session'), conversation: null };
}
