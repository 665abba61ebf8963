import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Nothing run here takes a hundredth of it. */
const PROBE_WITHIN_MS = 5_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** No system assigns these; PostgreSQL runs as `nobody` (65534), whose files the browser must not touch. */
const UNUSED_UIDS = [65_533, 65_531, 65_529];

/** The user that the browser runs as, and what that user can do. */
export interface BrowserUser {
  readonly uid: number;
  readonly gid: number;
  /** Whether it can start this program, or enter this folder. Also false where the user cannot be changed at all. */
  canReach(path: string): boolean;
}

/** A user for the browser of a service that runs as root; null for any other service, which has no user but its own. */
export function otherUser(): BrowserUser | null {
  if (process.getuid?.() !== 0) return null;
  const taken = listedUids();
  const uid = UNUSED_UIDS.find((candidate) => !taken.has(candidate)) ?? 65_534;
  const user = { uid, gid: uid };
  const reached = new Set<string>();
  return {
    ...user,
    canReach: (path) => {
      // A negative answer is checked again: the operator may fix the permissions while the service runs.
      if (!reached.has(path) && probe([...becoming(user), 'test', '-x', path]).status === 0) reached.add(path);
      return reached.has(path);
    },
  };
}

/**
 * Whether a process of this user (null: of the service's own) may open a user namespace, which is what Chromium's sandbox is
 * made of; null where that cannot be determined. A browser that has been started knows better.
 */
export function allowsNamespaces(user: BrowserUser | null): boolean | null {
  if (process.platform !== 'linux') return null;
  const { status } = probe([...(user === null ? [] : becoming(user)), 'unshare', '--user', 'true']);
  // 127 is setpriv's answer when there is no such program.
  return status === null || status === 127 ? null : status === 0;
}

/** The beginning of a command line that runs what follows as this user, with no supplementary groups and no capabilities. */
export function becoming({ uid, gid }: Pick<BrowserUser, 'uid' | 'gid'>): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all', '--'];
}

function probe([command = '', ...args]: readonly string[]) {
  return spawnSync(command, args, { env: { PATH }, cwd: '/', stdio: 'ignore', timeout: PROBE_WITHIN_MS });
}

function listedUids(): ReadonlySet<number> {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return new Set(lines.map((line) => Number(line.split(':')[2])));
  } catch {
    return new Set();
  }
}
