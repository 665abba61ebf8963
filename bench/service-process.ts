import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenRunning, usageOf, type ProcessUsage } from './process-usage';
import { ServiceClient } from './service-client';

export interface ServiceOptions {
  /** Settings on top of those that keep a bench quiet. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
}

const READY_WITHIN_MS = 60_000;
const LOOK_MS = 50;
/** dist/bench is beside dist/src. */
const ENTRY = resolve(__dirname, '..', 'src', 'main.js');

/** The built service as its users start it, with its rows in a temporary folder. */
export class ServiceProcess {
  private stopping: Promise<void> | null = null;

  private constructor(
    private readonly process: ChildProcess,
    private readonly dataDir: string,
    readonly client: ServiceClient,
  ) {}

  /** Resolves when `/health` answers 200. @throws Error with what the service said, when it does not start */
  static async start({ settings = {}, nodeArguments = [] }: ServiceOptions = {}): Promise<ServiceProcess> {
    const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-bench-'));
    const port = await findFreePort();
    const child = spawn(process.execPath, [...nodeArguments, ENTRY], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        DATA_DIR: dataDir,
        PORT: String(port),
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own: Ctrl-C reaches only the bench, which then stops the service in order.
      detached: true,
    });
    let complaints = '';
    child.stderr?.on('data', (text: Buffer) => (complaints = (complaints + text.toString()).slice(-4_000)));
    // However the bench ends, the service ends with it.
    process.once('exit', () => child.kill('SIGTERM'));
    const service = new ServiceProcess(child, dataDir, new ServiceClient(`http://127.0.0.1:${port}`));
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!(await service.client.isHealthy())) {
      if (child.exitCode !== null || Date.now() > deadline) {
        await service.stop();
        throw new Error(`The service did not start: ${complaints}`);
      }
      await sleep(LOOK_MS);
    }
    return service;
  }

  /** Its own and that of its workers; not PostgreSQL’s. */
  get usage(): ProcessUsage {
    const all = [this.pid, ...childrenRunning(this.pid, ENTRY)].map((pid) => usageOf(pid));
    return {
      processorMs: all.reduce((sum, { processorMs }) => sum + processorMs, 0),
      residentBytes: all.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    };
  }

  get pid(): number {
    return this.process.pid ?? NaN;
  }

  /** Ends the service as a deployment does and removes its rows. */
  stop(): Promise<void> {
    this.stopping ??= this.stopOnce();
    return this.stopping;
  }

  private async stopOnce(): Promise<void> {
    await this.client.close();
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await ended;
    }
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A port of 127.0.0.1 on which no process listens. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('No free port was found.');
  return address.port;
}
