import type { Worker } from 'node:worker_threads';
import { startThread } from '../../platform/concurrency';
import type { LineCommand, LineEvent, NamedLineEvent } from './line-wire';

const IDLE_MS = 60_000;

/** What a line receives: its events, and the end of the thread that carried it. */
export type LineListener = (event: LineEvent | { readonly type: 'crashed' }) => void;

/**
 * The thread of the process that carries lines: started with the first call, started again when it ended, ended when it was idle for a
 * minute. The service's own thread may stand still for tens of milliseconds, which a line hears.
 */
export class LineThread {
  private worker: Worker | null = null;
  private readonly listeners = new Map<string, LineListener>();
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param startWorker, idleMs how the thread is started, and how long it may be idle; tests change them */
  constructor(
    private readonly startWorker: () => Worker = () => startThread(__dirname, 'line-worker'),
    private readonly idleMs = IDLE_MS,
  ) {}

  /** The listener receives every event of this line until it is forgotten. */
  listen(line: string, listener: LineListener): void {
    this.listeners.set(line, listener);
    clearTimeout(this.idle);
  }

  forget(line: string): void {
    if (!this.listeners.delete(line) || this.listeners.size > 0 || this.worker === null) return;
    this.idle = setTimeout(() => void this.end(), this.idleMs).unref();
  }

  /** A command that can no longer be carried out is answered by the `crashed` event. */
  send(command: LineCommand): void {
    if (this.isClosed) return;
    if (command.type === 'ring') this.worker ??= this.start();
    this.worker?.postMessage(command);
  }

  /** Ends the thread, and every line with it. Idempotent. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.end();
  }

  private start(): Worker {
    const worker = this.startWorker();
    worker.on('message', ({ line, ...event }: NamedLineEvent) => this.listeners.get(line)?.(event));
    worker.on('error', () => this.crashed(worker));
    worker.once('exit', () => this.crashed(worker));
    return worker;
  }

  private crashed(worker: Worker): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const listener of [...this.listeners.values()]) listener({ type: 'crashed' });
  }

  private async end(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = null;
    if (worker === null) return;
    for (const listener of [...this.listeners.values()]) listener({ type: 'crashed' });
    await worker.terminate();
  }
}
