import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a client asked a proxy for. */
export interface AskedOfProxy {
  /** `CONNECT`, or the method of a request with an absolute URI. */
  readonly method: string;
  /** `host:port`, or the absolute URI. */
  readonly target: string;
  /** Of `Proxy-Authorization`: `user:password`; null when the header was not sent. */
  readonly credentials: string | null;
}

/**
 * What the proxy does with what it is asked for: forward it, refuse it with a status, accept it and never answer, write these bytes in place of
 * an answer, or say that it has connected and write these bytes in the place of the target.
 */
export type ProxyConduct =
  'forward' | 'hang' | { readonly status: number } | { readonly write: string } | { readonly pretend: string };

export interface FakeForwardProxy {
  /** `http://127.0.0.1:PORT`, with credentials if it asks for them. */
  readonly url: string;
  readonly port: number;
  /** In the order of arrival. */
  readonly asked: readonly AskedOfProxy[];
  /** Connections that are open now, on both sides. */
  readonly openSockets: number;
  behave(conduct: ProxyConduct): void;
  /** Cuts all connections. Idempotent. */
  close(): Promise<void>;
}

export interface FakeForwardProxyOptions {
  /** `user:password` that it insists on. */
  readonly credentials?: string;
  /** The origin on loopback that stands for every host: nothing leaves this machine. */
  readonly leadsTo: string;
}

/** A forward proxy on loopback: CONNECT, and requests with absolute URIs. */
export async function startForwardProxy({ credentials, leadsTo }: FakeForwardProxyOptions): Promise<FakeForwardProxy> {
  const { hostname, port: targetPort } = new URL(leadsTo);
  const asked: AskedOfProxy[] = [];
  const sockets = new Set<Duplex>();
  let conduct: ProxyConduct = 'forward';
  const keep = <Kept extends Duplex>(socket: Kept): Kept => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    return socket;
  };
  /** The status that refuses; null when it is let through. */
  const refusal = (incoming: IncomingMessage): number | null => {
    const given = credentialsOf(incoming);
    asked.push({ method: incoming.method ?? '', target: incoming.url ?? '', credentials: given });
    if (credentials !== undefined && given !== credentials) return 407;
    return typeof conduct === 'object' && 'status' in conduct ? conduct.status : null;
  };

  const server = createServer();
  server.on('connection', (socket: Socket) => keep(socket));
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const status = refusal(incoming);
    if (status !== null) {
      return void client.end(`HTTP/1.1 ${status} No\r\nX-Said: ${credentialsOf(incoming) ?? ''}\r\n\r\nNo.`);
    }
    if (conduct === 'hang') {
      // Whoever reads nothing does not notice that the client is gone.
      client.resume().once('end', () => client.destroy());
      return;
    }
    if (typeof conduct === 'object' && 'write' in conduct) return void client.end(conduct.write);
    if (typeof conduct === 'object' && 'pretend' in conduct) {
      const answer = conduct.pretend;
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      return void client.once('data', () => client.end(answer));
    }
    const target = keep(connect(Number(targetPort), hostname));
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    target.once('close', () => client.destroy());
    client.once('close', () => target.destroy());
  });
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    const status = refusal(incoming);
    if (status !== null) return void response.writeHead(status).end();
    const { pathname, search, host } = new URL(incoming.url ?? '');
    const headers = { ...incoming.headers, host };
    const { method } = incoming;
    const passed = request({ host: hostname, port: targetPort, path: pathname + search, method, headers });
    passed.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${credentials === undefined ? '' : `${encoded(credentials)}@`}127.0.0.1:${port}`,
    port,
    asked,
    get openSockets() {
      return sockets.size;
    },
    behave: (next) => {
      conduct = next;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function credentialsOf({ headers }: IncomingMessage): string | null {
  const [, basic] = /^Basic (.+)$/.exec(headers['proxy-authorization'] ?? '') ?? [];
  return basic === undefined ? null : Buffer.from(basic, 'base64').toString();
}

function encoded(credentials: string): string {
  return credentials.split(':').map(encodeURIComponent).join(':');
}
