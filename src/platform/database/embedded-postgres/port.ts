import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ranges from which systems take the local ports of outgoing connections, so that no such connection (not even
 * one to this very port while the server restarts) takes it.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 20;

/** A loopback port that was free just now; another program may still be faster. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = await listenOnce(randomInt(LOWEST, HIGHEST));
    if (port !== null) return port;
  }
  const port = await listenOnce(0);
  if (port === null) throw new Error('No loopback port is free.');
  return port;
}

function listenOnce(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
