import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  /** The target's address with the proxy's host and port in it. */
  readonly url: string;
  /** Breaks every connection and refuses new ones, as when the server or the network is gone. */
  cut(): void;
  /** Swallows everything in both directions and breaks nothing, as a firewall that drops packets does. */
  drop(): void;
  /** Brings every chunk late, in both directions. */
  delay(ms: number): void;
  /** Lets connections through again, on the same port; those that lost something meanwhile are broken. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a service and a server that it must be able to lose. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const open = new Set<Socket>();
  let dropping = false;
  let delayMs = 0;
  const track = (socket: Socket): Socket => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    return socket;
  };
  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      if (dropping) return;
      if (delayMs === 0) to.write(chunk);
      else setTimeout(() => to.write(chunk), delayMs);
    });
    from.on('end', () => setTimeout(() => to.end(), delayMs));
    from.on('close', () => to.destroy());
  };
  const listen = async (port: number): Promise<Server> => {
    // Small messages pass at once: what the network costs is for delay() to say, not for Nagle's algorithm.
    const server = createServer({ noDelay: true }, (client) => {
      const upstream = track(connect({ port: Number(target.port), host: target.hostname, noDelay: true }));
      forward(track(client), upstream);
      forward(upstream, client);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  const cut = (): void => {
    server.close();
    breakAll();
  };
  return {
    url: url.toString(),
    cut,
    drop: () => {
      dropping = true;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    restore: async () => {
      if (dropping) breakAll();
      dropping = false;
      delayMs = 0;
      if (!server.listening) server = await listen(port);
    },
    close: async () => {
      const closed = server.listening ? once(server, 'close') : undefined;
      cut();
      await closed;
    },
  };
}
