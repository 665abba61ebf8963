import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { programCommand } from './program-command';

const ROOT = join(__dirname, '..', '..');

/** What starts it, for those who start it themselves. */
export function osceCommandLine(
  args: readonly string[],
  environment: CommandOptions['environment'] = {},
): readonly string[] {
  return [process.execPath, ...programCommand('osce', environment), ...args];
}

export interface CommandOptions {
  /** OSCE_URL. */
  readonly url?: string;
  /** OSCE_API_KEY. */
  readonly key?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command `osce` as a process of its own, from its sources or their bundle, with nothing of this environment but PATH. */
export class OsceCommand {
  stdout = '';
  stderr = '';
  private readonly closed: Promise<unknown>;

  private constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.closed = once(child, 'close');
  }

  static start(args: readonly string[], { input = '', cwd = ROOT, ...options }: CommandOptions = {}): OsceCommand {
    const [program = '', ...line] = osceCommandLine(args, options.environment);
    const child = spawn(program, line, { cwd, env: environmentOf(options) });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return new OsceCommand(child);
  }

  /**
   * On a terminal: `script` of util-linux (Debian and Ubuntu: package bsdutils) makes one. What it writes, to both streams,
   * is in `stdout`; `type` sends what a person types.
   */
  static onTerminal(args: readonly string[], columns: number, options: CommandOptions = {}): OsceCommand {
    if (spawnSync('script', ['--version']).error !== undefined) {
      throw new Error('There is no command `script` to make a terminal with: install util-linux (bsdutils).');
    }
    const command = osceCommandLine(args, options.environment).map(quoted).join(' ');
    const child = spawn('script', ['-qefc', `stty cols ${columns} rows 40; exec ${command}`, '/dev/null'], {
      cwd: ROOT,
      env: { TERM: 'xterm', SHELL: '/bin/sh', ...environmentOf(options) },
    });
    child.stdin.on('error', () => undefined);
    return new OsceCommand(child);
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Resolves when it has written this to either stream. @throws when it ends without */
  async writes(text: string): Promise<void> {
    const { stdout, stderr } = this.child;
    let hasEnded = false;
    void this.closed.then(() => (hasEnded = true));
    while (!(this.stdout + this.stderr).includes(text)) {
      if (hasEnded) throw new Error(`It ended without writing "${text}":\n${this.stdout}\n${this.stderr}`);
      const more = [stdout, stderr].flatMap((stream) => (stream === null ? [] : [once(stream, 'data')]));
      await Promise.race([...more, this.closed]);
    }
  }

  async ends(): Promise<CommandResult> {
    await this.closed;
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** For clean-ups: gone, whatever it was doing. */
  async kill(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    this.child.stdin?.destroy();
    await this.closed;
  }
}

/** Commands that become another program, start one, or speak on standard input. */
const PROCESSES = new Set(['serve', 'demo', 'backup', 'restore', 'ci', 'mcp', 'open', 'speech']);

/**
 * Runs the command to its end: in this process, from its arguments to its exit code, where neither standard input, nor signals, nor
 * what Node loads are the point; else in one of its own.
 */
export function osce(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { input, environment = {} } = options;
  const becomesAnother = PROCESSES.has(args[0] ?? '') && !args.includes('--help');
  const isProcess = input !== undefined || args.includes('-') || 'NODE_OPTIONS' in environment || becomesAnother;
  return isProcess ? OsceCommand.start(args, options).ends() : osceHere(args, options);
}

async function osceHere(args: readonly string[], { cwd = ROOT, ...options }: CommandOptions): Promise<CommandResult> {
  // Loaded when a command is first run: most specs run none.
  const [{ runCommandLine }, { Host }] = await Promise.all([
    import('../../cli/command-line.js'),
    import('../../cli/session.js'),
  ]);
  const surroundings = { stdout: new Written(), stderr: new Written(), exitCode: 0, cwd: () => cwd };
  await inFolder(cwd, () => runCommandLine(args, new Host(environmentOf(options), surroundings)));
  const { stdout, stderr, exitCode } = surroundings;
  return { code: exitCode, stdout: stdout.text, stderr: stderr.text };
}

/** What a command has written to one of its streams. */
class Written extends Writable {
  private readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

/** All commands here share the folder of the process. */
const shared = { home: '', folder: '', atWork: 0, left: new EventEmitter() };

/** Works in a folder: beside others that do in the same one, after those that do in another. */
async function inFolder(folder: string, work: () => Promise<void>): Promise<void> {
  while (shared.atWork > 0 && shared.folder !== folder) await once(shared.left, 'left');
  if (shared.atWork === 0) {
    shared.home = process.cwd();
    process.chdir(folder);
  }
  shared.folder = folder;
  shared.atWork += 1;
  try {
    await work();
  } finally {
    shared.atWork -= 1;
    if (shared.atWork === 0) {
      process.chdir(shared.home);
      shared.left.emit('left');
    }
  }
}

/** A command line for a shell, for what only shells can do: pipes. */
export async function osceInShell(
  args: readonly string[],
  rest: string,
  options: CommandOptions = {},
): Promise<CommandResult> {
  const command = osceCommandLine(args, options.environment).map(quoted).join(' ');
  const child = spawn('bash', ['--norc', '--noprofile', '-c', `set -o pipefail; ${command} ${rest}`], {
    cwd: ROOT,
    env: environmentOf(options),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end();
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

function environmentOf({ url, key, environment = {} }: CommandOptions): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_NO_WARNINGS: '1',
    ...(url !== undefined && { OSCE_URL: url }),
    ...(key !== undefined && { OSCE_API_KEY: key }),
    ...environment,
  };
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
