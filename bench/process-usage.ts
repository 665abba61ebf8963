import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  /** User and system time of all threads since the process began, in milliseconds. */
  readonly processorMs: number;
  /** Resident memory, in bytes. */
  readonly residentBytes: number;
}

/** Clock ticks a second in /proc: a constant of Linux's interface to programs (man 5 proc, USER_HZ). */
const TICKS_PER_SECOND = 100;

/** The usage of another process, from /proc, or from `ps` where there is none, which has processor time in hundredths of a second. */
export function usageOf(pid: number): ProcessUsage {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses and may hold spaces; the third is then at index 0.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return {
    processorMs: (ticks * 1000) / TICKS_PER_SECOND,
    residentBytes: statusKilobytes(pid, 'VmRSS') * 1024,
  };
}

function statusKilobytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
}

function fromPs(pid: number): ProcessUsage {
  const [time = '', kilobytes = ''] = execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { processorMs: seconds * 1000, residentBytes: Number(kilobytes) * 1024 };
}

/** Its children that run a program of Node's, by the path of that program. None where there is no /proc. */
export function childrenRunning(pid: number, program: string): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
    return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').includes(program));
  } catch {
    return [];
  }
}
