import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CommandFailure } from '../failure';
import type { Environment } from '../session';

export interface ProgramOptions {
  /** Names the service. */
  readonly environment: Environment;
  /** Aborted: the program is told to end, and is waited for. */
  readonly signal: AbortSignal;
}

/** The arguments with which this very command is started once more. */
function ownCommand(): readonly string[] {
  return [...process.execArgv, process.argv[1] ?? __filename];
}

/** Runs `osce` with these arguments and passes its remarks on as they come; resolves with what it printed. */
export async function runOsce(
  args: readonly string[],
  { environment, signal }: ProgramOptions,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const child = spawn(process.execPath, [...ownCommand(), ...args], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C goes to us alone: we pass it on once. A second one would leave the run alone on the service.
    detached: process.platform !== 'win32',
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await closed(child, signal);
  return { code: child.exitCode, printed };
}

/**
 * Runs the shell script that starts the agent under examination. The script can call `osce` by its name.
 * @throws CommandFailure when it fails
 */
export async function runSetup(script: string, { environment, signal }: ProgramOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-osce-ci-'));
  try {
    const osce = join(folder, 'osce');
    await writeFile(osce, `#!/bin/sh\nexec ${[process.execPath, ...ownCommand()].map(quoted).join(' ')} "$@"\n`);
    await chmod(osce, 0o755);
    const child = spawn('sh', ['-e', '-c', script], {
      env: { ...environment, PATH: `${folder}${delimiter}${environment['PATH'] ?? ''}` },
      // Its output is not part of our answer.
      stdio: ['ignore', 2, 2],
      detached: process.platform !== 'win32',
    });
    await closed(child, signal);
    if (child.exitCode !== 0) {
      throw new CommandFailure(`OSCE_SETUP ended with ${child.exitCode ?? child.signalCode}: nothing was examined.`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function closed(child: ChildProcess, signal: AbortSignal): Promise<void> {
  const end = (): void => endGroup(child);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Ends a program and its children: each program leads a process group of its own, except on Windows, which has none. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === 'win32') child.kill('SIGTERM');
  else process.kill(-child.pid, 'SIGTERM');
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
