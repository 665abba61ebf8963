import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  /** The target's address with the proxy's host and port in it. */
  readonly url: string;
  /** Breaks every connection and refuses new ones, as when the server or the network is gone. */
  cut(): void;
  /** Lets connections through again, on the same port. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a service and a server that it must be able to lose. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const open = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    return socket;
  };
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = track(connect(Number(target.port), target.hostname));
      track(client).pipe(upstream).pipe(client);
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
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
  const cut = (): void => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.toString(),
    cut,
    restore: async () => {
      server = await listen(port);
    },
    close: async () => {
      const closed = server.listening ? once(server, 'close') : undefined;
      cut();
      await closed;
    },
  };
}
