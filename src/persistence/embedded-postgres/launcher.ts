import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import type { ServerUser } from './server-user';

/** Nothing of the service's own environment reaches the server: it holds credentials, and settings such as PGPORT. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Exit code that `flock` is told to use when somebody else holds the lock. */
export const LOCKED_EXIT_CODE = 75;

/** A lock may outlive its server by the moment its last backend needs to end. */
const LOCK_WAIT_SECONDS = 5;

/** How PostgreSQL's programs are started: as whom, under which lock, and whether they die with this process. */
export class Launcher {
  private constructor(
    private readonly user: ServerUser | null,
    private readonly asUser: readonly string[],
    private readonly lockFile: string | null,
  ) {}

  /**
   * On Linux, `setpriv` changes the user, keeps at most one capability and has the kernel stop the server when this process
   * dies, even by kill -9; `flock` holds a lock that the server and its backends keep exactly as long as they live, and that
   * also tells containers apart which share a folder. Where either is missing the service does without.
   */
  static choose(user: ServerUser | null, capability: string | null, lockFile: string): Launcher {
    const setpriv = setprivFor(user, capability);
    const launchers = [
      new Launcher(user, setpriv, lockFile),
      new Launcher(user, setpriv, null),
      new Launcher(user, [], lockFile),
    ];
    return launchers.find((launcher) => launcher.works()) ?? new Launcher(user, [], null);
  }

  /** Whether a kept capability is really in force. */
  get usesSetpriv(): boolean {
    return this.asUser.length > 0;
  }

  /** Starts a server: under the lock, in its own session so that Ctrl-C in a terminal does not reach it before us. */
  spawnServer(program: string, args: readonly string[], stdio: SpawnOptions['stdio']): ChildProcess {
    return this.spawn([...this.asUser, ...this.underLock(LOCK_WAIT_SECONDS), program, ...args], {
      stdio,
      detached: true,
    });
  }

  /** Starts a program that ends by itself; its output is piped. */
  spawnTool(program: string, args: readonly string[]): ChildProcess {
    return this.spawn([...this.asUser, program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Whether no server holds the lock, after the wait that a dead one's last backend needs. True where there is no lock. */
  lockIsFree(): Promise<boolean> {
    const child = this.spawn([...this.asUser, ...this.underLock(LOCK_WAIT_SECONDS), 'true'], { stdio: 'ignore' });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code !== LOCKED_EXIT_CODE));
    });
  }

  private spawn([command = '', ...args]: readonly string[], options: SpawnOptions): ChildProcess {
    return spawn(command, args, { ...options, ...this.identity(), env: ENVIRONMENT, cwd: '/' });
  }

  private works(): boolean {
    const [command = '', ...args] = [...this.asUser, ...this.underLock(0), 'true'];
    const { status } = spawnSync(command, args, { ...this.identity(), env: ENVIRONMENT, cwd: '/', stdio: 'ignore' });
    return status === 0 || status === LOCKED_EXIT_CODE;
  }

  private underLock(waitSeconds: number): string[] {
    if (this.lockFile === null) return [];
    const codes = ['--conflict-exit-code', String(LOCKED_EXIT_CODE)];
    return ['flock', '--no-fork', '--wait', String(waitSeconds), ...codes, this.lockFile];
  }

  private identity(): { uid?: number; gid?: number } {
    return this.user === null || this.usesSetpriv ? {} : { uid: this.user.uid, gid: this.user.gid };
  }
}

function setprivFor(user: ServerUser | null, capability: string | null): string[] {
  if (user === null) return ['setpriv', '--pdeathsig=INT', '--'];
  const kept = capability === null ? [] : [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`];
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...kept, '--pdeathsig=INT', '--'];
}
