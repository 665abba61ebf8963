import cluster, { type Worker } from 'node:cluster';
import { z } from 'zod';
import { InProcessBus, linkOver, serveWorker, subjects } from '../engine/bus';
import type { Log, Settings } from '../platform/config';
import { startEmbeddedServer } from '../platform/database';
import { puttingTogether } from '../platform/telemetry';
import { addressSentences, announce } from './describe-service';

/** A worker takes 10 s at most to stop. */
const STOP_WITHIN_MS = 11_000;
const SOONEST_RESTART_MS = 1_000;
const LATEST_RESTART_MS = 30_000;
/** A worker that lived this long was sound: the next one is started soon again. */
const SOUND_AFTER_MS = 60_000;
const METRICS_WITHIN_MS = 5_000;

const readings = z.array(z.looseObject({}));

/**
 * Runs as many equal processes of the service as WORKERS says, on one port. This one, their primary, holds what they share: the embedded
 * PostgreSQL and the bus. A worker that ends is started again; its scenario runs go on in another as soon as their leases have run out. If the
 * primary ends, so do they.
 * @throws DatabaseStartError
 */
export async function superviseWorkers(settings: Settings, log: Log): Promise<void> {
  const server = settings.databaseUrl === null ? await startEmbeddedServer(settings, log, settings.workers) : null;
  const address = server === null ? {} : { DATABASE_URL: server.url };
  // The system gives connections to the workers. One that the primary gives to a worker as it is killed would stay open, and nothing would answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const workers = new Workers({ ...process.env, ...address }, log);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return workers.signal('SIGTERM');
    isStopping = true;
    log.info('Stopping; a second signal stops at once');
    void workers.stop().then(async (ended) => {
      await server?.stop();
      if (ended === 'cut short') process.exitCode = 1;
      process.exit();
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    const port = await workers.start(settings.workers);
    const sentences = addressSentences(settings, port);
    if (!isStopping) announce([...sentences, `${settings.workers} worker processes share the port and the work.`]);
  } catch {
    // The worker has said why.
    if (isStopping) return;
    await workers.stop();
    await server?.stop();
    process.exit(1);
  }
}

interface Forked {
  readonly worker: Worker;
  /** Its port, when it listens. Rejects when it ends before. */
  readonly listening: Promise<number>;
}

class Workers {
  private readonly bus: InProcessBus;
  private readonly running = new Set<Worker>();
  private isStopping = false;
  private waitMs = SOONEST_RESTART_MS;

  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly log: Log,
  ) {
    this.bus = new InProcessBus({
      onHandlerError: (error, subject) => log.error('A bus handler failed', { subject, error }),
    });
    this.bus.respond(subjects.machineMetrics, () => this.metrics());
  }

  /** Resolves with the port when all of them listen. @throws Error when one ends before */
  async start(count: number): Promise<number> {
    // The first prepares the database, for which the others would only wait.
    const first = this.fork();
    const port = await first.listening;
    const others = Array.from({ length: count - 1 }, () => this.fork());
    await Promise.all(others.map(({ listening }) => listening));
    for (const { worker } of [first, ...others]) this.replaceOnceEnded(worker);
    return port;
  }

  signal(signal: NodeJS.Signals): void {
    for (const worker of this.running) worker.process.kill(signal);
  }

  /** Resolves when none is left. */
  async stop(): Promise<'in order' | 'cut short'> {
    this.isStopping = true;
    const codes = [...this.running].map((worker) => endOf(worker));
    this.signal('SIGTERM');
    const late = setTimeout(() => this.signal('SIGKILL'), STOP_WITHIN_MS);
    const ended = await Promise.all(codes);
    clearTimeout(late);
    await this.bus.close();
    return ended.every((code) => code === 0) ? 'in order' : 'cut short';
  }

  private fork(): Forked {
    const worker = cluster.fork(this.environment);
    this.running.add(worker);
    serveWorker(this.bus, linkOver(worker));
    const listening = new Promise<number>((resolvePort, reject) => {
      worker.once('listening', ({ port }) => resolvePort(port));
      worker.once('exit', () => {
        this.running.delete(worker);
        reject(new Error('A worker ended before it listened.'));
      });
    });
    return { worker, listening };
  }

  private replaceOnceEnded(worker: Worker): void {
    const began = performance.now();
    const replace = (code: number | null, signal: string | null): void => {
      if (this.isStopping) return;
      if (performance.now() - began > SOUND_AFTER_MS) this.waitMs = SOONEST_RESTART_MS;
      this.log.error('A worker ended and is started again', { worker: worker.id, code, signal, waitMs: this.waitMs });
      setTimeout(() => this.replace(), this.waitMs);
      this.waitMs = Math.min(LATEST_RESTART_MS, this.waitMs * 2);
    };
    if (this.running.has(worker)) worker.once('exit', replace);
    else replace(null, null);
  }

  private replace(): void {
    if (this.isStopping) return;
    const { worker, listening } = this.fork();
    this.replaceOnceEnded(worker);
    // One that ends before it listens is replaced like any other.
    listening.catch(() => undefined);
  }

  /** Of all that listen, as those of one process. */
  private async metrics(): Promise<string> {
    const asked = [...this.running].map((worker) =>
      this.bus.request(subjects.workerMetrics(worker.id), {}, { timeoutMs: METRICS_WITHIN_MS }),
    );
    return puttingTogether((await Promise.all(asked)).map((answer) => readings.parse(answer)));
  }
}

/** Its exit code; null when a signal ended it. */
function endOf(worker: Worker): Promise<number | null> {
  return new Promise((ended) => worker.once('exit', (code: number | null) => ended(code)));
}
