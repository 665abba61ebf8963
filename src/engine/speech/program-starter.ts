import { fork, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';
import { childEnvironment } from '../../platform/config';
import { OutputTooLong, ProgramMissing, type ProgramCall, type ProgramEnd } from './program';

/** What its process is told: to run a program, or to end one. */
export type StarterOrder =
  { readonly id: number; readonly call: ProgramCall } | { readonly id: number; readonly call: null };

/** What its process answers, once for each program. */
export type StarterAnswer =
  | { readonly id: number; readonly end: ProgramEnd }
  | {
      readonly id: number;
      readonly fault: { readonly kind: 'missing' | 'too_long' } | { readonly kind: 'failed'; readonly code: string };
    };

/** Beside this module, and in the same form: compiled, or TypeScript where a loader for it is set up. */
const PROCESS = join(__dirname, `program-starter-process${extname(__filename)}`);

/** A program that could not be run, as the system or its starter says it. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';

  constructor(
    program: string,
    readonly code: string,
  ) {
    super(`${program} could not be run: ${code}.`);
  }
}

/** A process that was idle may end as it is asked. */
const TRIES = 2;

/**
 * Starts programs from a small process of its own. Node starts a program by `fork`, which copies the page tables of the process; all of
 * its threads stand still meanwhile, those that carry telephone calls too: 10 ms where little is in memory, 200 ms with 1 GB.
 */
export class ProgramStarter {
  private child: ChildProcess | null = null;
  private last = 0;
  private isClosed = false;
  private readonly waiting = new Map<number, (answer: StarterAnswer | null) => void>();

  /**
   * As `runProgram`. The program gets no key and no setting of the service.
   * @throws ProgramMissing, OutputTooLong, ProgramFailed, the signal's reason
   */
  readonly run = async (call: ProgramCall, signal: AbortSignal): Promise<ProgramEnd> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.ask(call, signal);
      if (answer !== null && 'end' in answer) return answer.end;
      if (answer !== null) throw errorOf(call, answer.fault);
      if (attempt >= TRIES || this.isClosed) throw new ProgramFailed(call.program, 'the process that starts it ended');
    }
  };

  /** Null where the process ended first. */
  private ask(call: ProgramCall, signal: AbortSignal): Promise<StarterAnswer | null> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.last += 1;
      const id = this.last;
      const finish = (): void => {
        this.waiting.delete(id);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        finish();
        this.child?.send({ id, call: null } satisfies StarterOrder, () => undefined);
        reject(new DOMException('The program was ended.', 'AbortError'));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.set(id, (answer) => {
        finish();
        resolve(answer);
      });
      this.child ??= this.start();
      // One that has just ended says so itself.
      this.child.send({ id, call } satisfies StarterOrder, () => undefined);
    });
  }

  /** Ends the process, and every program that it runs. Idempotent. */
  close(): void {
    this.isClosed = true;
    this.child?.disconnect();
    this.over(this.child);
  }

  private start(): ChildProcess {
    const child = fork(PROCESS, {
      env: childEnvironment(),
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (answer: StarterAnswer) => this.waiting.get(answer.id)?.(answer));
    child.once('error', () => this.over(child));
    child.once('exit', () => this.over(child));
    // What waits for a program has a deadline of its own.
    child.unref();
    child.channel?.unref();
    return child;
  }

  private over(child: ChildProcess | null): void {
    if (child === null || this.child !== child) return;
    this.child = null;
    for (const answered of [...this.waiting.values()]) answered(null);
  }
}

function errorOf(
  { program, mostBytes }: ProgramCall,
  fault: Extract<StarterAnswer, { fault: unknown }>['fault'],
): Error {
  switch (fault.kind) {
    case 'missing':
      return new ProgramMissing(program);
    case 'too_long':
      return new OutputTooLong(program, mostBytes);
    case 'failed':
      return new ProgramFailed(program, fault.code);
  }
}
