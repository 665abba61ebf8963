import { once } from 'node:events';
import type { Server } from 'node:http';

/** More connections may come in one moment than the system's default keeps waiting. */
const BACKLOG = 4_096;

/** Listens on a free port; answers the address. Kept connections are never closed in the middle of a measurement. */
export async function listenOnLoopback(server: Server): Promise<string> {
  server.keepAliveTimeout = 600_000;
  server.requestTimeout = 0;
  server.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG });
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  return `http://127.0.0.1:${address.port}`;
}
