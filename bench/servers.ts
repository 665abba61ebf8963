import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { silentLog } from '../src/platform/config/log';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../src/platform/database/embedded-postgres/embedded-postgres';

/** Where scripts/install-test-servers.sh puts the newest NATS server, seen from dist/bench, and where Debian puts its own. */
const PROGRAMS = [resolve(__dirname, '..', '..', 'artifacts', 'bin', 'nats-server'), '/usr/sbin/nats-server'];

/** A PostgreSQL and a NATS server for several processes of the service, with nothing in them. */
export class Servers {
  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly nats: ChildProcess,
    private readonly natsPort: string,
  ) {}

  /** @throws Error when there is no nats-server on this machine */
  static async start(): Promise<Servers> {
    const program = PROGRAMS.find((path) => existsSync(path));
    if (program === undefined) throw new Error('There is no nats-server: run scripts/install-test-servers.sh.');
    const folder = await mkdtemp(join(tmpdir(), 'agent-osce-bench-'));
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'rows'), log: silentLog });
    const nats = spawn(program, ['-js', '-a', '127.0.0.1', '-p', '-1', '-sd', join(folder, 'nats')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    process.once('exit', () => nats.kill('SIGKILL'));
    let said = '';
    for await (const chunk of nats.stderr.iterator({ destroyOnReturn: false })) {
      said += String(chunk);
      if (said.includes('Server is ready')) break;
    }
    nats.stderr.resume();
    const port = /client connections on 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    if (port === undefined) throw new Error(`${program} does not start: ${said}`);
    process.stderr.write(`  ${execFileSync(program, ['-v'], { encoding: 'utf8' })}`);
    return new Servers(folder, postgres, nats, port);
  }

  /** Settings for every process that uses them. */
  get settings(): Readonly<Record<string, string>> {
    return { DATABASE_URL: this.postgres.url, NATS_URL: `nats://127.0.0.1:${this.natsPort}` };
  }

  async stop(): Promise<void> {
    const ended = once(this.nats, 'exit');
    this.nats.kill('SIGTERM');
    await ended;
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
