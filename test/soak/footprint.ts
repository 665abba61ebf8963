import { readdirSync, readFileSync } from 'node:fs';
import type { Cluster } from '../cluster/cluster';
import type { ProcessWatch } from '../setup/process-watch';

/** What a process holds while it has nothing to do. */
export interface Footprint {
  /** Since its start, in seconds. */
  readonly age: number;
  /** MiB in use on the heap of JavaScript once the garbage was collected. */
  readonly heap: number;
  /** What keeps Node alive: sockets, timers, requests to the file system. */
  readonly resources: number;
  /** MiB of resident memory, open file descriptors and threads as /proc tells them; null on other systems than Linux. */
  readonly resident: number | null;
  readonly descriptors: number | null;
  readonly threads: number | null;
}

/** Footprints of the processes of a cluster, in their order; one that does not answer is left out. */
export async function footprintsOf(cluster: Cluster, watch: ProcessWatch): Promise<Footprint[]> {
  const found: Footprint[] = [];
  for (const { process } of cluster.members) {
    const told = await watch.collected(process.pid);
    if (told === null) continue;
    const age = Math.round((Date.now() - process.startedAt) / 1_000);
    found.push({ age, heap: inMebibytes(told.heap), resources: told.resources, ...fromProc(process.pid) });
  }
  return found;
}

function fromProc(pid: number): Pick<Footprint, 'resident' | 'descriptors' | 'threads'> {
  if (process.platform !== 'linux') return { resident: null, descriptors: null, threads: null };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    resident: Math.round(field('VmRSS') / 1_024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
  };
}

function inMebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
