import type { Worker } from 'node:worker_threads';
import { startThread } from '../../platform/concurrency';
import { SpeechError } from './speech-error';
import type { SpeechJobName, SpeechRequest, SpeechResult, SpeechSetup } from './speech-jobs';
import type { SpeechAnswer, SpeechOrder } from './speech-worker';

const IDLE_MS = 60_000;
/** Each spoken conversation has at most a few at a time. */
const MOST_JOBS = 500;
/** A job waits for programs and servers, which have deadlines of their own: 120 s for a voice, 150 s for a stretch that is heard. */
const DEADLINES_MS: Readonly<Record<SpeechJobName, number>> = {
  engines: 300_000,
  control: 300_000,
  utter: 300_000,
  hear: 300_000,
  pack: 60_000,
};
/** A thread that does not answer by then is busy with something that it cannot be told to leave. */
const GIVES_UP_WITHIN_MS = 10_000;
/** A thread that is busy does not end by itself. */
const ENDS_WITHIN_MS = 1_000;
/** A job whose thread ended under it, for whatever reason, is done once more. */
const TRIES = 2;

/** The thread ended before the job did. */
class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/**
 * The thread of the process that makes and hears speech: started when first needed, started again when it ended, ended when it was idle for a
 * minute. A process without spoken conversations has none.
 */
export class SpeechThread {
  private running: RunningThread | null = null;
  private idleTimer: NodeJS.Timeout | null = null;
  private isClosed = false;

  /** @param deadlines of jobs in ms, where they are others than usual */
  constructor(
    private readonly setup: SpeechSetup,
    private readonly deadlines: Partial<typeof DEADLINES_MS> = {},
  ) {}

  /** @throws SpeechError */
  async run<Name extends SpeechJobName>(
    name: Name,
    request: SpeechRequest<Name>,
    signal: AbortSignal,
  ): Promise<SpeechResult<Name>> {
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted || this.isClosed) throw canceled();
      try {
        return await this.thread().do(name, request, signal);
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error;
        if (attempt >= TRIES) throw new SpeechError('engine_failed', error.message, { cause: error });
      } finally {
        this.rest();
      }
    }
  }

  /** Whether there is a thread now. */
  get isRunning(): boolean {
    return this.running !== null && !this.running.isOver;
  }

  /** Ends the thread, and every job with it. Idempotent. */
  close(): void {
    this.isClosed = true;
    this.end();
  }

  private thread(): RunningThread {
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    this.idleTimer = null;
    if (this.running === null || this.running.isOver) {
      this.running = new RunningThread(this.setup, { ...DEADLINES_MS, ...this.deadlines });
    }
    return this.running;
  }

  private rest(): void {
    if (this.running === null || this.running.jobs > 0 || this.idleTimer !== null) return;
    this.idleTimer = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  private end(): void {
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    this.idleTimer = null;
    this.running?.end(this.isClosed ? canceled() : new ThreadEnded('The thread that speaks and hears was idle.'));
    this.running = null;
  }
}

/** One thread, and the jobs that it is doing. */
class RunningThread {
  private readonly worker: Worker;
  /** By job, what fails it. */
  private readonly waiting = new Map<number, (reason: Error) => void>();
  private last = 0;
  isOver = false;

  constructor(
    setup: SpeechSetup,
    private readonly deadlines: typeof DEADLINES_MS,
  ) {
    this.worker = startThread(__dirname, 'speech-worker');
    // Each job listens for its answer.
    this.worker.setMaxListeners(0);
    this.worker.on('error', (error) =>
      this.end(new ThreadEnded('The thread that speaks and hears failed.', { cause: error })),
    );
    this.worker.once('exit', () => this.end(new ThreadEnded('The thread that speaks and hears ended.')));
    this.worker.postMessage(setup);
  }

  get jobs(): number {
    return this.waiting.size;
  }

  /** @throws SpeechError, ThreadEnded, or Error for a fault of the program */
  do<Name extends SpeechJobName>(
    name: Name,
    request: SpeechRequest<Name>,
    signal: AbortSignal,
  ): Promise<SpeechResult<Name>> {
    if (this.waiting.size >= MOST_JOBS) {
      return Promise.reject(
        new SpeechError(
          'overloaded',
          `More than ${MOST_JOBS} sentences wait to be spoken or heard: run fewer at a time.`,
        ),
      );
    }
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.worker.off('message', onAnswer);
        this.waiting.delete(id);
      };
      const failed = (error: Error): void => {
        finish();
        reject(error);
      };
      const onAbort = (): void => {
        this.order({ id, name: null });
        failed(canceled());
      };
      const timer = setTimeout(() => {
        const late = `A sentence was not spoken or heard within ${this.deadlines[name] / 1_000} s.`;
        this.giveUp(id);
        failed(new SpeechError('timed_out', late));
      }, this.deadlines[name]).unref();
      signal.addEventListener('abort', onAbort, { once: true });
      const onAnswer = (answer: SpeechAnswer<Name>): void => {
        if (answer.id !== id || 'isGivenUp' in answer) return;
        finish();
        if ('result' in answer) resolve(answer.result);
        else if (answer.fault !== null) reject(new SpeechError(answer.fault.kind, answer.fault.message));
        else reject(new Error(`The job ${name} of the thread that speaks and hears failed unexpectedly.`));
      };
      this.waiting.set(id, failed);
      this.worker.on('message', onAnswer);
      this.order({ id, name, request });
    });
  }

  /** Fails its jobs at once, and stops whatever it is doing. Idempotent. */
  end(reason: Error): void {
    if (this.isOver) return;
    this.order({ name: 'end' });
    this.isOver = true;
    for (const fail of [...this.waiting.values()]) fail(reason);
    const terminating = setTimeout(() => void this.worker.terminate(), ENDS_WITHIN_MS).unref();
    this.worker.once('exit', () => clearTimeout(terminating));
  }

  /** The other jobs of the thread go on, unless it does not answer any more. */
  private giveUp(id: number): void {
    const gone = setTimeout(() => {
      this.end(new ThreadEnded('The thread that speaks and hears did not answer.'));
    }, GIVES_UP_WITHIN_MS).unref();
    const onAnswer = (answer: SpeechAnswer<SpeechJobName>): void => {
      if (answer.id !== id) return;
      clearTimeout(gone);
      this.worker.off('message', onAnswer);
    };
    this.worker.on('message', onAnswer);
    this.order({ id, name: null });
  }

  private order(order: SpeechOrder): void {
    if (!this.isOver) this.worker.postMessage(order);
  }
}

function canceled(): SpeechError {
  return new SpeechError('canceled', 'The speech was canceled.');
}
