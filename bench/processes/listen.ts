import { once } from 'node:events';
import type { Server } from 'node:http';

/** The backlog: more connections may arrive at once than the system's default queue holds. */
const BACKLOG = 4_096;

/** Listens on a free port; returns the address. Keep-alive connections are never closed during a measurement. */
export async function listenOnLoopback(server: Server): Promise<string> {
  server.keepAliveTimeout = 600_000;
  server.requestTimeout = 0;
  server.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG });
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  return `http://127.0.0.1:${address.port}`;
}
