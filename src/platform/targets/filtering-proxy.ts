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
import { openTunnel } from '../egress/tunnel';
import type { TargetGuard } from './target-guard';

/** The longest wait for a connection; once established, it may be quiet for any length of time. */
const CONNECT_WITHIN_MS = 10_000;
/** A browser opens up to 32 connections to a proxy per context; beyond this many, new ones are closed at once. */
const MAX_CONNECTIONS = 2_000;
/** No browser sends or accepts longer headers. */
const MAX_HEADER_BYTES = 256 * 1_024;
/** Longer than a browser keeps an idle connection, so that the browser closes it first. */
const KEEP_IDLE_MS = 400_000;

/** Hop-by-hop headers, not forwarded. */
const BETWEEN_TWO = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'upgrade']);

export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

/** A client that may use the proxy. */
export interface ProxyGuest {
  /** Called for a connection that was refused (TargetRefusal), could not be made or broke before it was answered. */
  failed(target: ProxyTarget, error: unknown): void;
}

/** The guest that the credentials of a request (`user:password`) belong to; null asks for others. */
export type Admission = (credentials: string) => ProxyGuest | null;

const ANYBODY: ProxyGuest = { failed: () => undefined };

/**
 * An HTTP proxy on loopback for programs that open their own connections, such as a browser or a native library: it tunnels (CONNECT) and
 * forwards plain HTTP, to where agents may live and nowhere else. It resolves names itself, so what it checked is what it connects to; TLS
 * passes through end to end, so certificates are checked against the name that the program asked for. A request for a target that is refused
 * or unreachable is answered by closing the connection: an answer of ours could be taken for one of the server's.
 */
export class FilteringProxy {
  private readonly sockets = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    private readonly guard: TargetGuard,
    private readonly admit: Admission,
  ) {
    server.on('connection', (socket) => this.keep(socket));
    server.on('connect', (asked, socket, head) => void this.tunnel(asked, socket, head));
    server.on('request', (asked, answer) => void this.passOn(asked, answer));
    server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** @param admit without it every program of this machine may use the proxy */
  static async start(guard: TargetGuard, admit: Admission = () => ANYBODY): Promise<FilteringProxy> {
    const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_IDLE_MS });
    server.maxConnections = MAX_CONNECTIONS;
    // An upload may take long; its sender decides how long.
    server.requestTimeout = 0;
    const proxy = new FilteringProxy(server, guard, admit);
    // Of this process alone: worker processes share the ports of their servers otherwise.
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    // Its clients have timers of their own.
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

  private async tunnel({ url, headers }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const guest = this.guestOf(headers);
    if (guest === null) return void client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${CHALLENGE}\r\n\r\n`);
    const target = authority(url ?? '');
    if (target === null) return void client.destroy();
    try {
      // What is inside a tunnel is not known: encrypted, nearly always.
      const server = await this.dial(target, 'https:');
      if (client.destroyed) return void server.destroy();
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
      pipeline(client, server, client, () => undefined);
    } catch (error) {
      guest.failed(target, error);
      client.destroy();
    }
  }

  private async passOn(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const guest = this.guestOf(asked.headers);
    if (guest === null) return void answer.writeHead(407, { 'proxy-authenticate': BASIC }).end();
    const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : null;
    if (url?.protocol !== 'http:') return void answer.destroy();
    const target = { host: url.hostname, port: Number(url.port || 80) };
    const giveUp = (error: unknown): void => {
      if (!answer.destroyed) guest.failed(target, error);
      answer.destroy();
    };
    try {
      const socket = await this.dial(target, 'http:');
      if (answer.destroyed) return void socket.destroy();
      const passed = request({
        createConnection: () => socket,
        method: asked.method ?? 'GET',
        path: url.pathname + url.search,
        headers: { ...endToEnd(asked.headers), host: url.host },
        maxHeaderSize: MAX_HEADER_BYTES,
        // A browser is no stricter.
        insecureHTTPParser: true,
      });
      answer.once('close', () => socket.destroy());
      passed.on('error', giveUp);
      passed.once('response', (response) => {
        try {
          answer.sendDate = false;
          answer.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.headers));
          // An event stream may open long before its first event.
          answer.flushHeaders();
          pipeline(response, answer, () => undefined);
        } catch (error) {
          // It holds characters that no header may.
          giveUp(error);
        }
      });
      pipeline(asked, passed, () => undefined);
    } catch (error) {
      giveUp(error);
    }
  }

  private guestOf({ 'proxy-authorization': given = '' }: IncomingHttpHeaders): ProxyGuest | null {
    return this.admit(Buffer.from(given.replace(/^Basic /i, ''), 'base64').toString());
  }

  /**
   * A connection that was checked before and after it was made, or one through a forward proxy to an address that was checked before.
   * @throws TargetRefusal, ProxyFailure, or why it could not be made
   */
  private async dial({ host, port }: ProxyTarget, protocol: 'https:' | 'http:'): Promise<Socket> {
    const way = await this.guard.proxiedWay(protocol, host, port);
    if (way !== null) {
      const tunnel = await openTunnel(way.proxy, way.end);
      this.keep(tunnel);
      return tunnel.setNoDelay();
    }
    const socket = connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port, lookup: this.guard.lookupFor(port) });
    this.keep(socket);
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) });
      this.guard.checkConnected(socket, port, host);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return socket.setNoDelay();
  }

  private keep(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }
}

const BASIC = 'Basic realm="agents"';
const CHALLENGE = `Proxy-Authenticate: ${BASIC}\r\nContent-Length: 0\r\nConnection: close`;

/** The target of a CONNECT: a host and a port, which is never left out. */
function authority(text: string): ProxyTarget | null {
  const [, host, port] = /^(\[[\da-f:.]+\]|[^:[\]]{1,260}):(\d{1,5})$/i.exec(text) ?? [];
  return host === undefined || Number(port) > 65_535 ? null : { host, port: Number(port) };
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !BETWEEN_TWO.has(name)));
}
