import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import type { ServerUser } from './server-user';

/** Nothing of the service's own environment reaches the server: it holds credentials, and settings such as PGPORT. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Exit code that `flock` is configured to use when another process holds the lock. */
export const LOCKED_EXIT_CODE = 75;

/** A lock may outlive its server by the moment its last backend needs to end. */
const LOCK_WAIT_SECONDS = 5;

/** Starts PostgreSQL's programs: it decides their user, their lock, and whether they die with this process. */
export class Launcher {
  private constructor(
    private readonly user: ServerUser | null,
    private readonly asUser: readonly string[],
    private readonly lockFile: string | null,
    /** Whether its programs may enter folders that are closed to their user. */
    readonly entersAll: boolean,
  ) {}

  /**
   * On Linux, `setpriv` changes the user, keeps the one capability it may need and has the kernel stop the server when this
   * process dies, even by kill -9; `flock` holds a lock that the server and its backends keep exactly as long as they live, and that
   * also tells containers apart which share a folder. Where either is missing the service does without.
   */
  static choose(user: ServerUser | null, capability: string | null, lockFile: string): Launcher {
    const entering = capability === null ? [] : [setprivFor(user, capability)];
    const plain = setprivFor(user, null);
    const launchers = [
      ...entering.map((setpriv) => new Launcher(user, setpriv, lockFile, true)),
      ...entering.map((setpriv) => new Launcher(user, setpriv, null, true)),
      new Launcher(user, plain, lockFile, false),
      new Launcher(user, plain, null, false),
      new Launcher(user, [], lockFile, false),
    ];
    return launchers.find((launcher) => launcher.works()) ?? new Launcher(user, [], null, false);
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
    return this.user === null || this.asUser.length > 0 ? {} : { uid: this.user.uid, gid: this.user.gid };
  }
}

/**
 * PostgreSQL's programs look by access(2) whether they may run their own files, and for a user other than root that call
 * forgets the capabilities: unless this bit is set (capabilities(7), access_override_creds in the kernel's fs/open.c).
 */
const ACCESS_HEEDS = '--securebits=+no_setuid_fixup';

function setprivFor(user: ServerUser | null, capability: string | null): string[] {
  if (user === null) return ['setpriv', '--pdeathsig=INT', '--'];
  const kept = capability === null ? [] : [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, ACCESS_HEEDS];
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...kept, '--pdeathsig=INT', '--'];
}
