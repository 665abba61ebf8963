import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

export const ROOT = join(__dirname, '..', '..');
const run = promisify(execFile);

/** An empty folder with an empty home beside it, for somebody who has nothing but Node. */
export class EmptyPlace {
  private constructor(readonly folder: string) {}

  static async make(): Promise<EmptyPlace> {
    const place = new EmptyPlace(await mkdtemp(join(tmpdir(), 'agent-osce-package-test-')));
    await mkdir(place.home);
    await mkdir(place.work);
    return place;
  }

  get home(): string {
    return join(this.folder, 'home');
  }

  get work(): string {
    return join(this.folder, 'work');
  }

  /** Nothing of this process's environment but what npm needs to reach its registry. */
  async environment(): Promise<Record<string, string>> {
    const setting = async (name: string) =>
      (await run('npm', ['config', 'get', name], { cwd: tmpdir() })).stdout.trim();
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      // What was downloaded once is not downloaded again.
      npm_config_cache: await setting('cache'),
      npm_config_registry: await setting('registry'),
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

const packedByNpm = z.tuple([
  z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })), unpackedSize: z.number() }),
]);

export interface Packed {
  readonly tarball: string;
  readonly files: readonly string[];
  readonly unpackedSize: number;
}

interface PackOptions {
  /** The usual: npm's own of whoever runs the tests. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What `npm pack` makes of a folder, or of a repository: that one is cloned, its development tools are installed, and it is built. */
export async function pack(
  what: string,
  into: string,
  { environment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }, cwd = ROOT }: PackOptions = {},
): Promise<Packed> {
  const { stdout } = await run('npm', ['pack', what, '--json', '--pack-destination', into], {
    cwd,
    env: environment,
    maxBuffer: 2 ** 26,
  });
  const [{ filename, files, unpackedSize }] = packedByNpm.parse(JSON.parse(stdout));
  return { tarball: join(into, filename), files: files.map(({ path }) => path), unpackedSize };
}

/** The program of a newer Node. */
export function newerNode(major: number): string {
  const program = join(
    ...[ROOT, 'artifacts', 'node', String(major), 'node_modules'],
    ...[`node-${process.platform}-${process.arch}`, 'bin', 'node'],
  );
  if (!existsSync(program)) throw new Error(`Node ${major} is missing: run scripts/install-node-versions.sh`);
  return program;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program with what it printed so far. */
export class Running {
  stdout = '';
  stderr = '';
  private readonly closed: Promise<unknown>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.closed = once(child, 'close');
  }

  static start(command: readonly string[], cwd: string, env: Record<string, string>): Running {
    const [program = '', ...args] = command;
    return new Running(spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Resolves with what the pattern finds in what it prints. @throws when it ends without */
  async prints(pattern: RegExp): Promise<string> {
    let hasEnded = false;
    void this.closed.then(() => (hasEnded = true));
    for (;;) {
      const found = pattern.exec(this.stdout)?.[1];
      if (found !== undefined) return found;
      if (hasEnded) throw new Error(`It ended without: ${this.stdout}\n${this.stderr}`);
      const more = this.child.stdout === null ? [] : [once(this.child.stdout, 'data')];
      await Promise.race([...more, this.closed]);
    }
  }

  async ends(): Promise<Ended> {
    await this.closed;
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}
