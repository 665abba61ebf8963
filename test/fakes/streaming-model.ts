import type { ServerResponse } from 'node:http';
import type { FakeMessage } from './fake-agent';
import { sendJson, startHttpStub, type HttpStub, type Step, type StubOptions } from './http-stub';

/** What the model does next: it says something, it calls a tool, or it stops in the middle of what it says and is silent from there on. */
export type ModelAnswer =
  | string
  | { readonly tool: string; readonly arguments: object; readonly say?: string }
  | { readonly stopsAfter: string };

export interface StreamingModelOptions extends StubOptions {
  readonly answer: (messages: readonly FakeMessage[]) => ModelAnswer;
  /** Time between two pieces of what it says. */
  readonly pauseMs?: number;
}

/**
 * An OpenAI-compatible model for agents made with frameworks, which want it to stream: `POST {baseUrl}/chat/completions`, one
 * word a piece.
 */
export async function startStreamingModel(options: StreamingModelOptions): Promise<HttpStub & { baseUrl: string }> {
  const { answer, pauseMs = 0 } = options;
  const step: Step = (response, { path, body }) => {
    if (!path.endsWith('/chat/completions') || !isChat(body)) {
      return sendJson(response, 404, { error: { message: `Unknown request: ${path}` } });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const answered = answer(body.messages);
    const isWhole = typeof answered === 'string' || 'tool' in answered;
    const deltas = deltasOf(answered);
    const next = (): void => {
      const delta = deltas.shift();
      if (delta === undefined || response.destroyed) return isWhole ? finish(response) : keepOpen(response);
      response.write(event(delta));
      if (pauseMs === 0) next();
      else setTimeout(next, pauseMs);
    };
    next();
  };
  const stub = await startHttpStub(step, options);
  return Object.assign(stub, { baseUrl: `${stub.origin}/v1` });
}

function deltasOf(answer: ModelAnswer): object[] {
  if (typeof answer === 'string') return wordsOf(answer);
  if ('stopsAfter' in answer) return wordsOf(answer.stopsAfter);
  const call = { name: answer.tool, arguments: JSON.stringify(answer.arguments) };
  return [
    ...wordsOf(answer.say ?? ''),
    { tool_calls: [{ index: 0, id: `call_${Date.now()}`, type: 'function', function: call }] },
  ];
}

function wordsOf(text: string): object[] {
  return (text.match(/\s*\S+\s*/g) ?? []).map((content) => ({ role: 'assistant', content }));
}

function event(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'stub', choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function finish(response: ServerResponse): void {
  response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
}

/** Comments of the protocol, which say nothing: clients that wait ten seconds for the next byte, as livekit-agents does, go on waiting. */
function keepOpen(response: ServerResponse): void {
  if (response.destroyed) return;
  const beating = setInterval(() => response.write(': still here\n\n'), 1_000);
  response.once('close', () => clearInterval(beating));
}

function isChat(body: unknown): body is { messages: readonly FakeMessage[] } {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages);
}
