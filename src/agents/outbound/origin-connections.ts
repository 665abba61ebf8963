import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { connectThrough } from '../../platform/egress';
import type { TargetGuard } from '../../platform/targets';

interface IdleClient {
  readonly client: Client;
  readonly since: number;
}

/**
 * The connections to one origin: one per concurrent call, since time spent queueing behind another call would count
 * against the agent. Each call has a client (one socket, kept alive) to itself, and a failed call takes its client
 * with it: undici's Pool opens a new connection for every request that is aborted.
 */
export class OriginConnections {
  /** Oldest first; the newest is used next, so that surplus ones age. */
  private readonly idle: IdleClient[] = [];
  private readonly busy = new Set<Client>();
  private readonly connect: Connect;
  /** Aborted with its client: a connection that is still being made through a proxy is given up. */
  private readonly endings = new WeakMap<Client, AbortController>();
  private lastUsed = performance.now();

  /** @param guard checks every address that is connected to */
  constructor(
    private readonly origin: string,
    guard: TargetGuard,
  ) {
    this.connect = guardedConnect(origin, guard);
  }

  get isIdle(): boolean {
    return this.busy.size === 0;
  }

  /** When a call last began or ended, in milliseconds of `performance.now()`. */
  get usedAt(): number {
    return this.lastUsed;
  }

  acquire(): Client {
    const client = this.idle.pop()?.client ?? this.make();
    this.busy.add(client);
    this.lastUsed = performance.now();
    return client;
  }

  /** @param isReusable false closes the socket at once */
  release(client: Client, isReusable: boolean): void {
    this.lastUsed = performance.now();
    if (this.busy.delete(client) && isReusable) this.idle.push({ client, since: this.lastUsed });
    else void this.end(client);
  }

  /** Drops the clients that have not been used since; the server usually closed their sockets long before. */
  dropIdle(before: number): void {
    const firstToKeep = this.idle.findIndex(({ since }) => since >= before);
    const old = this.idle.splice(0, firstToKeep === -1 ? this.idle.length : firstToKeep);
    for (const { client } of old) void this.end(client);
  }

  async destroy(): Promise<void> {
    const clients = [...this.busy, ...this.idle.map(({ client }) => client)];
    this.busy.clear();
    this.idle.length = 0;
    await Promise.all(clients.map((client) => this.end(client)));
  }

  private make(): Client {
    const ending = new AbortController();
    const connect: buildConnector.connector = (options, answer) => this.connect(options, answer, ending.signal);
    const client = new Client(this.origin, { connect, headersTimeout: 0, bodyTimeout: 0 });
    this.endings.set(client, ending);
    return client;
  }

  private end(client: Client): Promise<void> {
    this.endings.get(client)?.abort();
    return client.destroy();
  }
}

type Connect = (
  options: buildConnector.Options,
  answer: buildConnector.Callback,
  /** Aborted when nobody waits for the connection any more. */
  signal: AbortSignal,
) => void;

/** Shared by the connections to an origin, so that TLS sessions are resumed from one to the next. */
function guardedConnect(origin: string, guard: TargetGuard): Connect {
  const { protocol, port: given } = new URL(origin);
  const port = Number(given || (protocol === 'https:' ? 443 : 80));
  const connect = buildConnector({ lookup: guard.lookupFor(port) });
  return (options, answer, signal) => {
    const { hostname } = options;
    const refuse = (error: unknown): void => answer(error instanceof Error ? error : new Error(String(error)), null);
    const checked: buildConnector.Callback = (...outcome) => {
      const [error, socket] = outcome;
      if (error !== null) return answer(...outcome);
      try {
        guard.checkConnected(socket, port, hostname);
      } catch (refusal) {
        socket.destroy();
        return refuse(refusal);
      }
      readInPieces(socket);
      answer(null, socket);
    };
    // Addresses are never looked up, so the lookup hook does not see them.
    const way = guard.proxiedWay(protocol, hostname, port);
    way
      .then(async (through) => {
        if (through === null) return connect(options, checked);
        const socket = await connectThrough(through.proxy, through.end, options, connect, signal);
        readInPieces(socket);
        answer(null, socket);
      })
      .catch(refuse);
  };
}

/** A thousand headers of the shortest kind. */
const MOST_BYTES = 4_096;

/**
 * Passes on what arrives in small pieces, and nothing once the socket is destroyed. undici destroys the socket at the first
 * header beyond its limit, yet finishes the piece it is parsing, with an error and its stack for each header: a flood of
 * them in a piece of 64 KiB cost a tenth of a second.
 */
export function readInPieces(socket: Socket): void {
  const read: (size?: number) => unknown = socket.read.bind(socket);
  socket.read = (size = Math.min(socket.readableLength, MOST_BYTES)) => {
    if (socket.destroyed) return null;
    // An empty read asks the stream for more, and delivers its end.
    return size === 0 ? read() : read(size);
  };
}
