import type { HttpStub, Step, StubOptions } from './http-stub';

export interface FakeMessage {
  readonly role: string;
  readonly content: string;
}

export interface FakeAgentOptions extends StubOptions {
  /** What the agent says to the conversation so far; by default it repeats the last message. */
  readonly reply?: (messages: readonly FakeMessage[]) => string;
  /** Time from the request to its answer. */
  readonly delayMs?: number;
  /** Asked at each request: the answer waits for it, however slow the machine is. */
  readonly mayAnswer?: () => Promise<void>;
  /** Credential to insist on; by default any, or none, will do. */
  readonly apiKey?: string;
}

export interface FakeAgent extends HttpStub {
  /** For an agent's config: `base_url` or `api_base`. */
  readonly baseUrl: string;
}

export function delayed(answer: Step, delayMs: number): Step {
  if (delayMs === 0) return answer;
  return (response, request) => {
    const timer = setTimeout(() => answer(response, request), delayMs);
    // A client that leaves gets no answer, and a long delay keeps no process alive after its server was closed.
    response.once('close', () => clearTimeout(timer));
  };
}

/** An answer that waits until it may be given; a client that has left gets none. */
export function held(answer: Step, mayAnswer: (() => Promise<void>) | undefined): Step {
  if (mayAnswer === undefined) return answer;
  return (response, request) => {
    void mayAnswer().then(() => {
      if (!response.destroyed) answer(response, request);
    });
  };
}

export function lastMessage(messages: readonly FakeMessage[]): string {
  return `You said: ${messages.at(-1)?.content ?? 'nothing'}`;
}
