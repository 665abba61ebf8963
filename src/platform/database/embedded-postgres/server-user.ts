import { chmodSync, chownSync, existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user PostgreSQL runs as when the service itself runs as root, which PostgreSQL refuses. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** The user `nobody` where the list of users does not have it. */
const NOBODY: ServerUser = { uid: 65_534, gid: 65_534 };

/** Null when the service is not root: PostgreSQL then runs as the same user. */
export function chooseServerUser(dataDir: string, cluster: string): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = listUsers();
  const owner = ownerOf(dataDir);
  // PostgreSQL creates a cluster only as a user who has a name.
  const isNamed = [...users.values()].some(({ uid }) => uid === owner?.uid);
  return ownerOf(cluster) ?? (isNamed ? owner : null) ?? users.get('nobody') ?? NOBODY;
}

/** Whether the mode bits let the user through every folder on the way to and into this one. */
export function canEnter(folder: string, { uid, gid }: ServerUser): boolean {
  const { uid: owner, gid: group, mode } = statSync(folder);
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || canEnter(parent, { uid, gid });
}

/** Lets the user's group, and no other user, through our own folder; the folders above it are not ours to open. */
export function letIn(folder: string, { gid }: ServerUser): void {
  const { uid, mode } = statSync(folder);
  chownSync(folder, uid, gid);
  chmodSync(folder, (mode & 0o777) | 0o010);
}

/**
 * The least capability of this root process that lets another user enter closed folders, in the notation of setpriv;
 * null when a container took both away.
 */
export function capabilityToEnter(): 'dac_read_search' | 'dac_override' | null {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readStatus())?.[1];
  if (effective === undefined) return null;
  const has = (bit: bigint) => (BigInt(`0x${effective}`) & (1n << bit)) !== 0n;
  if (has(2n)) return 'dac_read_search';
  return has(1n) ? 'dac_override' : null;
}

function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}

function listUsers(): Map<string, ServerUser> {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  const users = lines.map((line) => line.split(':'));
  return new Map(users.map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]));
}

function ownerOf(path: string): ServerUser | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.uid === 0 ? null : { uid: stats.uid, gid: stats.gid };
}
