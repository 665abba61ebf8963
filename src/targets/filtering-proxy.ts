import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import type { TargetGuard } from './target-guard';

/** Nobody who asks waits longer for a connection; what has come about may then be quiet as long as it likes. */
const CONNECT_WITHIN_MS = 10_000;

/** Headers between us and one side, not for the other. */
const BETWEEN_TWO = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'upgrade']);

interface Target {
  readonly host: string;
  readonly port: number;
}

/**
 * An HTTP proxy on loopback for programs that connect by themselves, such as a native library: it tunnels (CONNECT) and passes on plain
 * HTTP, to where agents may live and nowhere else. It looks names up itself, so what it checked is what it connects to; TLS goes through it
 * from end to end, so certificates are checked against the name that the program asked for. Who may not be reached, or cannot, is answered
 * with the end of the connection: an answer of ours could be taken for one of the server's.
 */
export class FilteringProxy {
  private readonly sockets = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    private readonly guard: TargetGuard,
  ) {
    server.on('connection', (socket) => this.keep(socket));
    server.on('connect', (asked, socket, head) => void this.tunnel(asked, socket, head));
    server.on('request', (asked, answer) => void this.passOn(asked, answer));
    server.on('clientError', (_error, socket) => socket.destroy());
  }

  static async start(guard: TargetGuard): Promise<FilteringProxy> {
    const server = createServer();
    const proxy = new FilteringProxy(server, guard);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A room in use has timers of its own.
    server.unref();
    return proxy;
  }

  /** What a program takes as its proxy. */
  get url(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** Cuts every connection. Idempotent. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async tunnel({ url }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    try {
      const server = await this.dial(authority(url ?? ''));
      if (client.destroyed) return void server.destroy();
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
      pipeline(client, server, client, () => undefined);
    } catch {
      client.destroy();
    }
  }

  private async passOn(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      const { protocol, hostname, port, pathname, search, host } = new URL(asked.url ?? '');
      if (protocol !== 'http:') return void answer.destroy();
      const socket = await this.dial({ host: hostname, port: Number(port || 80) });
      const { method = 'GET' } = asked;
      const headers = { ...endToEnd(asked.headers), host };
      const passed = request({ createConnection: () => socket, method, path: pathname + search, headers });
      answer.once('close', () => socket.destroy());
      passed.on('error', () => answer.destroy());
      passed.once('response', (response) => {
        answer.writeHead(response.statusCode ?? 502, endToEnd(response.headers));
        pipeline(response, answer, () => undefined);
      });
      pipeline(asked, passed, () => undefined);
    } catch {
      answer.destroy();
    }
  }

  /** A connection that was checked before and after it came about. @throws TargetRefusal, or why there is none */
  private async dial({ host, port }: Target): Promise<Socket> {
    await this.guard.checkHost(host, port);
    const socket = connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port, lookup: this.guard.lookupFor(port) });
    this.keep(socket);
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) });
      this.guard.checkConnected(socket, port, host);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return socket;
  }

  private keep(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }
}

/** Of a CONNECT: a host and a port, which is never left out. @throws Error when it is none */
function authority(text: string): Target {
  const [, host, port] = /^(\[[\da-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) throw new Error('This is no host and port.');
  return { host, port: Number(port) };
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !BETWEEN_TWO.has(name)));
}
