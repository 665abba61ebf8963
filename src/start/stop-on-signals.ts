import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import type { Log } from '../platform/config/log';

/** Orchestrators wait 10 s before they kill: docker stop, and the shorter half of Kubernetes' default. */
const STOP_WITHIN_MS = 10_000;
/** Requests still open by then are cut off, so that the database has time to close. */
const CUT_OFF_AFTER_MS = 8_500;

const IDLE_LOOK_MS = 100;

/** SIGTERM and SIGINT end the service within 10 s: no new work, live work finished or released. Until that is done the service still
 * answers, and says at /health/ready that others should be asked. Again: at once. */
export function stopOnSignals(app: INestApplication<Server>, log: Log): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info('Stopping; a second signal stops at once', { signal });
    const server = app.getHttpServer();
    // A connection that is answered now would be kept for the client's next request.
    setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS).unref();
    setTimeout(() => server.closeAllConnections(), CUT_OFF_AFTER_MS).unref();
    setTimeout(() => {
      log.error('Stopping took too long and was cut short');
      process.exit(1);
    }, STOP_WITHIN_MS).unref();
    app.close().then(
      () => process.exit(),
      (error: unknown) => {
        log.error('Stopping failed', { error });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
