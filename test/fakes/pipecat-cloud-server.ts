import { delayed } from './fake-agent';
import { sendJson, startHttpStub, type HttpStub, type Step, type StubOptions } from './http-stub';

/** What a start puts to the bot: the `body` of the request. */
export type BotBody = Readonly<Record<string, unknown>>;

export interface StartedBot {
  /** The rest of the answer to the start, beside `sessionId`. */
  readonly answer: object;
  /** Ends the bot; called when its session is ended from outside, and when the server closes. */
  stop(): Promise<void>;
}

export interface FakePipecatCloudOptions extends StubOptions {
  /** Starts what a session is made of; by default a session without a bot, whose answer names no transport. */
  readonly startBot?: (body: BotBody, sessionId: string) => Promise<StartedBot>;
  /** Agents that exist; by default every one does. */
  readonly agentNames?: readonly string[];
  /** The public key that starts sessions; by default any will do. */
  readonly apiKey?: string;
  /** Whether that key may also end sessions, as a private one may. Default true. */
  readonly mayEndSessions?: boolean;
  /** Time from the request to its answer. */
  readonly delayMs?: number;
}

export interface FakePipecatCloud extends HttpStub {
  /** For an agent's config: `base_url`. */
  readonly baseUrl: string;
  /** Sessions that were started and not ended. */
  readonly liveSessions: readonly string[];
  /** Sessions started so far. */
  readonly sessionCount: number;
}

const START = /^\/v1\/public\/([^/]+)\/start$/;
const SESSION = /^\/v1\/agents\/([^/]+)\/sessions\/([^/]+)$/;

/** Pipecat Cloud as far as the harness meets it: sessions are started with a public key and ended with a private one. */
export async function startFakePipecatCloud(options: FakePipecatCloudOptions = {}): Promise<FakePipecatCloud> {
  const { agentNames, apiKey, mayEndSessions = true, delayMs = 0 } = options;
  const startBot = options.startBot ?? (async () => ({ answer: {}, stop: async () => undefined }));
  const sessions = new Map<string, StartedBot>();
  let sessionCount = 0;

  const answer: Step = (response, { method, path, headers, body }) => {
    const isKnownKey = apiKey === undefined || headers.authorization === `Bearer ${apiKey}`;
    if (!isKnownKey) return sendJson(response, 401, { error: 'Invalid API key', code: 'PCC-1002' });
    const started = START.exec(path)?.[1];
    if (method === 'POST' && started !== undefined) {
      if (agentNames !== undefined && !agentNames.includes(decodeURIComponent(started))) {
        return sendJson(response, 404, { error: `Agent ${started} was not found`, code: '404' });
      }
      sessionCount += 1;
      const sessionId = `session-${sessionCount}`;
      return void startBot(botBody(body), sessionId).then(
        (bot) => {
          sessions.set(sessionId, bot);
          sendJson(response, 200, { sessionId, ...bot.answer });
        },
        (error: unknown) => sendJson(response, 500, { error: String(error), code: '500' }),
      );
    }
    const ended = SESSION.exec(path)?.[2];
    if (method === 'DELETE' && ended !== undefined) {
      if (!mayEndSessions) return sendJson(response, 401, { error: 'A private key is needed', code: '401' });
      const bot = sessions.get(ended);
      if (bot === undefined) return sendJson(response, 404, { error: 'There is no such session', code: '404' });
      sessions.delete(ended);
      return void bot.stop().then(() => sendJson(response, 200, { status: 'stopped' }));
    }
    sendJson(response, 404, { error: `Nothing is at ${method} ${path}`, code: '404' });
  };
  const stub = await startHttpStub(delayed(answer, delayMs), options);
  const close = stub.close.bind(stub);
  return Object.defineProperties(
    Object.assign(stub, {
      baseUrl: stub.origin,
      close: async () => {
        await close();
        await Promise.all([...sessions.values()].map((bot) => bot.stop()));
        sessions.clear();
      },
      liveSessions: [] as readonly string[],
      sessionCount: 0,
    }),
    { liveSessions: { get: () => [...sessions.keys()] }, sessionCount: { get: () => sessionCount } },
  );
}

function botBody(request: unknown): BotBody {
  if (typeof request !== 'object' || request === null || !('body' in request)) return {};
  const { body } = request;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
