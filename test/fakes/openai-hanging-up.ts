import { GOOD_REPLY } from '../setup/examination';
import type { FakeAgent, FakeMessage } from './fake-agent';
import { sendJson, startHttpStub } from './http-stub';
import { completion } from './openai-server';

/** The tool by which it ends conversations, for `end_tools`. */
export const END_TOOL = 'hang_up';

/** An OpenAI-compatible agent that replies, and hangs up at the message of this turn: with these words, or without any. */
export async function startHangingUpOpenAi(turn: number, words: string | null): Promise<FakeAgent> {
  const stub = await startHttpStub((response, { body }) => {
    const isLast = messagesIn(body).filter(({ role }) => role === 'user').length === turn;
    const tool_calls = [{ id: 'call-1', type: 'function', function: { name: END_TOOL, arguments: '{}' } }];
    sendJson(response, 200, isLast ? completion(words, 'last', { tool_calls }) : completion(GOOD_REPLY));
  });
  return Object.assign(stub, { baseUrl: `${stub.origin}/v1` });
}

function messagesIn(body: unknown): readonly FakeMessage[] {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) return [];
  return body.messages;
}
