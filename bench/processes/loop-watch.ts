import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The port of 127.0.0.1 on which the watch answers. */
export const LOOP_WATCH_PORT = 'LOOP_WATCH_PORT';

const RESOLUTION_MS = 1;

/**
 * Loaded into a service (`node --require`), it measures how long the service's event loop stood still: each GET answers the longest
 * pause since the previous one, in milliseconds.
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
// Worker threads load it too, and have event loops of their own.
if (port > 0 && process.env['PORT'] !== undefined) watch(port);
