import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface StubRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON; the text when it is none. */
  readonly body: unknown;
}

/** Writes an answer, a whole one or something else that a server can do to its client. */
export type Step = (response: ServerResponse, request: StubRequest) => void;

export interface HttpStub {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Every request whose body arrived, oldest first. */
  readonly requests: readonly StubRequest[];
  /** Connections that are open now. */
  readonly openSockets: number;
  /** Connections accepted since the start. */
  readonly acceptedSockets: number;
  /** Requests without a whole answer on a connection that is still open. */
  readonly inFlight: number;
  /** What the next requests meet, one step each, before the usual answers go on. */
  next(...steps: readonly Step[]): void;
  /**
   * Resolves as soon as the condition holds; looked at whenever a request or connection comes or ends.
   * @throws Error when it does not hold within the time
   */
  until(condition: () => boolean, withinMs?: number): Promise<void>;
  /** Ends all connections. Idempotent. */
  close(): Promise<void>;
}

export interface StubOptions {
  readonly host?: string;
  readonly port?: number;
  /** False keeps no requests: for benches. Default true. */
  readonly record?: boolean;
}

const UNTIL_WITHIN_MS = 60_000;

/** A scriptable HTTP server on a port of its own; what it answers when no step is queued is up to `answer`. */
export async function startHttpStub(answer: Step, options: StubOptions = {}): Promise<HttpStub> {
  const { host = '127.0.0.1', port = 0, record = true } = options;
  const sockets = new Set<Socket>();
  const requests: StubRequest[] = [];
  const steps: Step[] = [];
  const waiting = new Set<() => void>();
  let inFlight = 0;
  let acceptedSockets = 0;
  const changed = (): void => waiting.forEach((look) => look());

  const server = createServer((incoming, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
      changed();
    });
    readBody(incoming, (text) => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, path: url, headers, body: jsonOrText(text) };
      if (record) requests.push(request);
      (steps.shift() ?? answer)(response, request);
      changed();
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    acceptedSockets += 1;
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      changed();
    });
    changed();
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stub has no port.');

  return {
    origin: `http://${host}:${address.port}`,
    requests,
    get openSockets() {
      return sockets.size;
    },
    get acceptedSockets() {
      return acceptedSockets;
    },
    get inFlight() {
      return inFlight;
    },
    next: (...more) => void steps.push(...more),
    until: (condition, withinMs = UNTIL_WITHIN_MS) =>
      new Promise((resolve, reject) => {
        const giveUp = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`Waited ${withinMs} ms for ${condition.toString()}; ${inFlight} requests are in flight.`));
        }, withinMs);
        const look = (): void => {
          if (!condition()) return;
          clearTimeout(giveUp);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: IncomingHttpHeaders = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

function readBody(incoming: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => done(Buffer.concat(chunks).toString()));
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
