import 'reflect-metadata';
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import type { INestApplication } from '@nestjs/common';
import { seedDemoService } from './demo/seed-demo';
import { misspeltSettings, createLog, type Log, readSettings, type Settings } from './platform/config';
import { createApp } from './start/create-app';
import { addressSentences, announce } from './start/describe-service';
import { outliveSubscribers } from './start/outlive-subscribers';
import { startFailureSentence } from './start/start-failure';
import { answerToArguments } from './start/usage';
import { superviseWorkers } from './start/workers';

/**
 * Old objects are collected once the heap has doubled; V8 lets it grow up to fourfold. What a conversation made before it waited for its
 * agent is old by the answer, and garbage soon after: of 2,000 at once it was two thirds of the memory.
 */
const MEMORY_FLAG = '--heap-growing-percent=100';

/** Starts the service. It says where it listens, or in one sentence why it cannot and what to do about it. */
async function main(): Promise<void> {
  const answer = answerToArguments(process.argv.slice(2));
  if (answer !== null) return void process.stdout.write(`${answer}\n`);
  setFlagsFromString(MEMORY_FLAG);
  const settings = readSettings();
  const log = logOf(settings);
  if (cluster.isPrimary)
    for (const slip of misspeltSettings()) log.warn('A variable looks like a setting and is none', { ...slip });
  logStrayErrors(log);
  if (cluster.isPrimary && settings.workers > 1) return superviseWorkers(settings, log);
  outliveSubscribers(log);
  const app = await createApp(settings, log);
  stopOnSignals(app, log);
  try {
    await seedDemoService(app);
    await app.listen(settings.port, settings.host);
  } catch (error) {
    // An embedded database must not outlive us.
    await app.close();
    throw error;
  }
  // Of workers, their primary says it: once.
  if (cluster.isPrimary) announce(addressSentences(settings, portOf(app.getHttpServer())));
}

function logOf({ logLevel }: Settings): Log {
  const log = createLog(logLevel);
  return cluster.worker === undefined ? log : log.child({ worker: cluster.worker.id });
}

function portOf(server: Server): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

/** Every promise and actor handles its own failures: what arrives here is a mistake of ours, worth a line in the log. */
function logStrayErrors(log: Log): void {
  process.on('unhandledRejection', (error) => log.error('Unhandled promise rejection', { error }));
  process.on('uncaughtException', (error) => {
    log.error('Uncaught exception', { error });
    // What it left half done is unknown. Runs resume from their rows after the restart.
    process.kill(process.pid, 'SIGTERM');
    process.exitCode = 1;
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${startFailureSentence(error)}\n`);
  process.exit(1);
});

/** Orchestrators wait 10 s before they kill: docker stop, and the shorter half of Kubernetes' default. */
const STOP_WITHIN_MS = 10_000;
/** Requests still open by then are cut off, so that the database has time to close. */
const CUT_OFF_AFTER_MS = 8_500;

const IDLE_LOOK_MS = 100;

/** SIGTERM and SIGINT end the service within 10 s: no new work, live work finished or released. Until that is done the service still
 * answers, and says at /health/ready that others should be asked. Again: at once. */
function stopOnSignals(app: INestApplication<Server>, log: Log): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info('Stopping; a second signal stops at once', { signal });
    const server = app.getHttpServer();
    // A client sends its next request elsewhere, and none on a connection that is being closed.
    server.prependListener('request', (_, response) => (response.shouldKeepAlive = false));
    setInterval(() => {
      if (!server.listening) server.closeIdleConnections();
    }, IDLE_LOOK_MS).unref();
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
  // A terminal tells every process of the service; its workers are stopped by their primary.
  process.on('SIGINT', cluster.isWorker ? () => undefined : stop);
}
