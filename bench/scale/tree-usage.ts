import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc: a constant of Linux's interface to programs (man 5 proc, USER_HZ). */
const TICKS_PER_SECOND = 100;

/**
 * Processor time in milliseconds of a process and all its descendants, ended ones included: with an embedded PostgreSQL all of its
 * sessions. Only on Linux; NaN elsewhere.
 */
export function treeProcessorMs(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)));
  const children = new Map<number, Stat[]>();
  for (const one of processes) children.set(one.parent, [...(children.get(one.parent) ?? []), one]);
  const ticksFrom = (parent: number): number =>
    (children.get(parent) ?? []).reduce((sum, { pid: child, ticks }) => sum + ticks + ticksFrom(child), 0);
  const own = processes.find((one) => one.pid === pid)?.ticks ?? NaN;
  return ((own + ticksFrom(pid)) * 1_000) / TICKS_PER_SECOND;
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Its own and those of children that have ended. */
  readonly ticks: number;
}

function statOf(pid: number): Stat[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold spaces; the third is then at index 0.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid, parent: Number(fields[1]), ticks }];
  } catch {
    return [];
  }
}
