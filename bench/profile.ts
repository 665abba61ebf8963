import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { z } from 'zod';

/** What `node --cpu-prof` writes. Times are in microseconds of the clock that all processes share. */
const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.int()).optional(),
    }),
  ),
  startTime: z.number(),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});
type CpuProfile = z.infer<typeof cpuProfile>;

export interface ProfileWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Turns that were run in it. */
  readonly turns: number;
}

/** Parts below this share are summed up as the rest. */
const LEAST_SHARE = 0.005;

/**
 * What each part of the service costs a turn, as a table. A sample counts for the part that called into Node: the time
 * `pg` spends in a socket's write is `pg`'s. Where no caller is known, as for what a socket brings in, it is Node's.
 */
export function summarizeProfile(folder: string, { fromMs, toMs, turns }: ProfileWindow): string {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error(`The service left no profile in ${folder}.`);
  const profile = cpuProfile.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const ownerOf = ownersOf(profile);
  const costs = new Map<string, number>();
  let at = profile.startTime;
  for (const [index, node] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0;
    // The sample stands for the time until the next one.
    const ms = (profile.timeDeltas[index + 1] ?? 0) / 1000;
    const owner = ownerOf.get(node) ?? 'unknown';
    if (at / 1000 < fromMs || at / 1000 > toMs || owner === IDLE) continue;
    costs.set(owner, (costs.get(owner) ?? 0) + ms);
  }
  const total = [...costs.values()].reduce((sum, ms) => sum + ms, 0);
  const table = new Table({ head: ['part', 'ms a turn', 'share'], style: { head: [], border: [], compact: true } });
  const row = (part: string, ms: number) => [part, (ms / turns).toFixed(3), `${((ms / total) * 100).toFixed(1)} %`];
  const shown = [...costs].filter(([, ms]) => ms >= LEAST_SHARE * total).sort(([, a], [, b]) => b - a);
  for (const [part, ms] of shown) table.push(row(part, ms));
  table.push(row('the rest', total - shown.reduce((sum, [, ms]) => sum + ms, 0)), row('all', total));
  return table.toString();
}

const IDLE = '(idle)';

/** The part each node of the call tree belongs to: its own, or its nearest caller's. */
function ownersOf({ nodes }: CpuProfile): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = new Map<number, string>();
  const [root] = nodes;
  const open: { id: number; caller: string }[] = root === undefined ? [] : [{ id: root.id, caller: NODE_ITSELF }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = byId.get(next.id);
    if (node === undefined) continue;
    const owner = partOf(node.callFrame.functionName, node.callFrame.url) ?? next.caller;
    owners.set(node.id, owner);
    for (const child of node.children ?? []) open.push({ id: child, caller: owner });
  }
  return owners;
}

const NODE_ITSELF = 'Node (sockets, streams, timers, promises)';
const SPECIAL = new Map([
  ['(garbage collector)', 'garbage collector'],
  ['(idle)', IDLE],
  ['(program)', 'native code outside JavaScript (compiling, system calls)'],
]);

/** Null for Node's own code and for code without a file, which belong to their caller. */
function partOf(functionName: string, url: string): string | null {
  const special = SPECIAL.get(functionName);
  if (special !== undefined) return special;
  if (url.startsWith('node:internal/deps/undici')) return 'fetch of Node';
  if (url === '' || /^(?:node|wasm):/.test(url)) return null;
  const path = (url.startsWith('file:') ? fileURLToPath(url) : url).replaceAll('\\', '/');
  const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (packageName !== undefined) return packageName;
  const own = /\/dist\/((?:src\/)?[^/]+)\//.exec(path)?.[1];
  return own ?? path;
}
