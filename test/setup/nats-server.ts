import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A nats-server program on this machine. */
export interface NatsBinary {
  readonly path: string;
  /** As in `2.9.10`. */
  readonly version: string;
}

const ROOT = join(__dirname, '..', '..');

/** What to do on a machine without servers. */
export const INSTALL_HINT = 'run scripts/install-test-servers.sh to test with real NATS servers';

/** Where Debian puts servers; not on the path of every user. */
const PACKAGED = '/usr/sbin/nats-server';

/** The packaged server, and a newer one at NATS_SERVER_NEW or where scripts/install-test-servers.sh puts it. */
export function findNatsBinaries(): readonly NatsBinary[] {
  const newer = process.env['NATS_SERVER_NEW'] ?? join(ROOT, 'artifacts', 'bin', 'nats-server');
  const candidates = ['nats-server', PACKAGED, newer].filter((path) => !path.includes('/') || existsSync(path));
  const found = candidates.flatMap((path) => {
    try {
      const version = /: v(\S+)/.exec(
        execFileSync(path, ['-v'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      )?.[1];
      return version === undefined ? [] : [{ path, version }];
    } catch {
      return [];
    }
  });
  return [...new Map(found.map((binary) => [binary.version, binary])).values()];
}

/** One server with its storage, on a port of loopback that it keeps over restarts. */
export class NatsServer {
  private child: ChildProcess | null = null;
  private output = '';

  private constructor(
    private readonly binary: NatsBinary,
    private readonly folder: string,
    private readonly extraArguments: readonly string[],
    private port: number,
  ) {}

  static async start(binary: NatsBinary, extraArguments: readonly string[] = ['-js']): Promise<NatsServer> {
    const folder = await mkdtemp(join(tmpdir(), 'osce-nats-'));
    const server = new NatsServer(binary, folder, extraArguments, -1);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get process(): ChildProcess | null {
    return this.child;
  }

  /** Starts it again, on the same port. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      if (await this.spawn()) return;
      if (attempt === 20) throw new Error(`nats-server does not start: ${this.output}`);
      // A client that reconnects may have got the server's port for its own end.
      await sleep(250);
    }
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Only while it does not run. */
  async deleteStorage(): Promise<void> {
    await rm(join(this.folder, 'storage'), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Answers false when the server ended before it was ready. */
  private async spawn(): Promise<boolean> {
    this.output = '';
    const child = spawn(
      this.binary.path,
      [...['-a', '127.0.0.1', '-p', String(this.port), '-sd', join(this.folder, 'storage')], ...this.extraArguments],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    // Known before it is ready, so that whatever happens close() ends it.
    this.child = child;
    const ready = new Promise<boolean>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
        if (this.output.includes('Server is ready')) resolve(true);
      });
      child.once('error', () => resolve(false));
      child.once('exit', () => resolve(false));
    });
    if (!(await ready)) return false;
    const listening = /client connections on 127\.0\.0\.1:(\d+)/.exec(this.output)?.[1];
    if (listening === undefined) throw new Error(`nats-server does not say where it listens: ${this.output}`);
    this.port = Number(listening);
    return true;
  }
}
