import { spawn } from 'node:child_process';

/** How a program ended, and what it wrote. */
export interface ProgramEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly output: Buffer;
  /** The beginning of what it wrote to standard error. */
  readonly complaint: string;
}

export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  /** More output ends it. */
  readonly mostBytes: number;
}

/** Runs a program to its end: `runProgram`, or a process that does it for others. */
export type RunProgram = (call: ProgramCall, signal: AbortSignal) => Promise<ProgramEnd>;

/** The program is not installed, or not where programs are looked for. */
export class ProgramMissing extends Error {
  override readonly name = 'ProgramMissing';

  constructor(program: string) {
    super(`${program} is not installed.`);
  }
}

export class OutputTooLong extends Error {
  override readonly name = 'OutputTooLong';

  constructor(program: string, mostBytes: number) {
    super(`${program} wrote more than ${mostBytes} bytes.`);
  }
}

const MOST_COMPLAINT = 2_000;

/**
 * Runs a program to its end.
 * @param signal kills it
 * @param env all of its environment
 * @throws ProgramMissing, OutputTooLong, the signal's reason, or what the system says of a program that cannot be started
 */
export function runProgram(
  { program, args, input, mostBytes }: ProgramCall,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = '';
    let failure: Error | null = null;
    const fail = (error: Error): void => {
      failure ??= error;
      child.kill('SIGKILL');
      // What the program has started may hold its pipes open: nothing more is read of them.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const onAbort = (): void => fail(new DOMException('The program was ended.', 'AbortError'));
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) fail(new OutputTooLong(program, mostBytes));
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < MOST_COMPLAINT) complaint += chunk.toString('utf8');
    });
    // A program that ends before it has read everything closes the pipe.
    child.stdin.on('error', () => undefined);
    child.once('error', (error: NodeJS.ErrnoException) => {
      failure ??= error.code === 'ENOENT' ? new ProgramMissing(program) : error;
      // A program that never started has nothing to close.
      if (child.pid === undefined) end(null);
    });
    const end = (code: number | null): void => {
      signal.removeEventListener('abort', onAbort);
      if (failure !== null) reject(failure);
      else resolve({ code, output: Buffer.concat(chunks, size), complaint: complaint.slice(0, MOST_COMPLAINT) });
    };
    child.once('close', end);
    child.stdin.end(input);
  });
}
