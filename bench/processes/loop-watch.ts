import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Where the watch answers: a port of 127.0.0.1. */
export const LOOP_WATCH_PORT = 'LOOP_WATCH_PORT';

const RESOLUTION_MS = 1;

/**
 * Loaded into a service (`node --require`) it tells how long the service's event loop stood still: each GET answers the longest
 * pause since the one before, in milliseconds.
 */
function watch(port: number): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  createServer((_request, response) => {
    response.end(String(Math.max(0, delays.max / 1e6 - RESOLUTION_MS)));
    delays.reset();
  })
    .listen(port, '127.0.0.1')
    .unref();
}

const port = Number(process.env[LOOP_WATCH_PORT] ?? 0);
// Threads load it too, and have a loop of their own.
if (port > 0 && process.env['PORT'] !== undefined) watch(port);
