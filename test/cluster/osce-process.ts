import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../setup/api-client';

const ROOT = join(__dirname, '..', '..');
/** A start takes one to two seconds; a machine on which much else runs may take long over them. */
const START_WITHIN_MS = 120_000;

/** One process of the built service. */
export class OsceProcess {
  readonly api: ApiClient;
  readonly startedAt = Date.now();

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly printed: () => string,
  ) {
    this.api = new ApiClient(url);
  }

  /** Starts `npm run build`'s output (of OSCE_DIST, when another folder was built) with nothing of this environment but PATH. */
  static async start(variables: Readonly<Record<string, string>>): Promise<OsceProcess> {
    const main = join(ROOT, process.env['OSCE_DIST'] ?? 'dist', 'src', 'main.js');
    const child = spawn(process.execPath, [main], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', PORT: '0', NODE_NO_WARNINGS: '1', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const keep = (chunk: Buffer): void => void (printed += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const deadline = Date.now() + START_WITHIN_MS;
    for (;;) {
      const url = /listens on (http:\S+);/.exec(printed)?.[1];
      if (url !== undefined) return new OsceProcess(url, child, () => printed);
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`The service does not start: ${printed}`);
      }
      await sleep(20);
    }
  }

  /** Its log so far. */
  get output(): string {
    return this.printed();
  }

  get pid(): number {
    return this.child.pid ?? NaN;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Resolves with the exit code, null when the signal ended it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) {
      const exited = once(this.child, 'exit');
      this.child.kill(signal);
      await exited;
    }
    return this.child.exitCode;
  }
}
