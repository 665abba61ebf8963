import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const COLLECTED_WITHIN_MS = 10_000;
const LOOK_MS = 50;

/** What a process noted of itself. */
export interface WatchedSecond {
  /** `Date.now()` at its end. */
  readonly at: number;
  /** The longest time in it for which the event loop stood still, in ms. */
  readonly pause: number;
  /** The longest such time less what of it the process waited for a processor that others had, in ms; null where no system tells. */
  readonly work: number | null;
  /** The most processor time that the loop used in one stretch, in ms; null where no system tells. */
  readonly ran: number | null;
  /** Bytes in use on the heap of JavaScript. */
  readonly heap: number;
  /** Bytes of buffers outside of it. */
  readonly external: number;
  /** What keeps a process alive: sockets, timers, requests to the file system. */
  readonly resources: number;
  readonly isCollected: boolean;
}

/** Looks into processes of Node from outside: they are started with `environment` and told apart by their ids. */
export class ProcessWatch {
  private readonly folder = mkdtempSync(join(tmpdir(), 'agent-osce-watch-'));

  get environment(): Readonly<Record<string, string>> {
    return {
      NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'watch-process.cjs'))}`,
      PROCESS_WATCH_FOLDER: this.folder,
    };
  }

  secondsOf(pid: number): WatchedSecond[] {
    const file = join(this.folder, `${pid}.jsonl`);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  /** What is in use after the garbage was collected; null when the process does not say in time. */
  async collected(pid: number): Promise<WatchedSecond | null> {
    const began = Date.now();
    process.kill(pid, 'SIGUSR2');
    while (Date.now() - began < COLLECTED_WITHIN_MS) {
      const told = this.secondsOf(pid).findLast(({ at, isCollected }) => isCollected && at >= began);
      if (told !== undefined) return told;
      await sleep(LOOK_MS);
    }
    return null;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
