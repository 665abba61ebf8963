import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sockets that were told to end, processes that were killed: how long they may take about it on a busy machine. */
const GRACE_MS = 60_000;
const LOOK_MS = 20;
/** Node's names for what a file may hold open at any time without keeping anybody from anything. */
const HARMLESS = /^(FSReq|GetAddrInfo|Immediate|TTYWrap|PipeWrap|TCPWRAP|FILEHANDLE)/;

type Listener = (...values: unknown[]) => void;

/** What a process has that files share, as it was at one moment. */
interface Belongings {
  readonly environment: ReadonlyMap<string, string | undefined>;
  readonly folder: string;
  readonly listeners: ReadonlyMap<string | symbol, readonly Listener[]>;
  /** By Node's name of their kind: how many timers, sockets, servers and processes keep this process alive. */
  readonly resources: ReadonlyMap<string, number>;
  readonly handles: ReadonlySet<object>;
}

/** Watches what one test file does to the process that others are run in after it. */
export class LeftBehind {
  private readonly before = look();

  /**
   * What the file has left behind, a sentence for each, once everything that is ending has ended; the environment, the folder and
   * the listeners of the process are put back.
   * @param graceMs how long that may take, instead of a minute
   */
  async atEnd(graceMs: unknown): Promise<string[]> {
    const deadline = performance.now() + (typeof graceMs === 'number' ? graceMs : GRACE_MS);
    while (this.openSince().length > 0 && performance.now() < deadline) await sleep(LOOK_MS);
    const found = [...this.openSince(), ...this.changedSince()];
    this.putBack();
    return found;
  }

  private openSince(): string[] {
    const now = look();
    const more = [...now.resources].flatMap(([kind, count]) => {
      const added = count - (this.before.resources.get(kind) ?? 0);
      return added > 0 && !HARMLESS.test(kind) ? [`${added} more of what Node calls ${kind}`] : [];
    });
    if (more.length === 0) return [];
    const added = [...now.handles].filter((handle) => !this.before.handles.has(handle)).flatMap(describe);
    return [`what keeps the process alive: ${[...more, ...added].join('; ')}`];
  }

  private changedSince(): string[] {
    const now = look();
    const { environment, folder, listeners } = this.before;
    const names = new Set([...environment.keys(), ...now.environment.keys()]);
    const variables = [...names].filter((name) => environment.get(name) !== now.environment.get(name));
    const events = [...now.listeners].filter(([event, all]) => all.length > (listeners.get(event)?.length ?? 0));
    return [
      ...variables.map(
        (name) => `process.env.${name}, which it ${change(environment.get(name), now.environment.get(name))}`,
      ),
      ...(folder === now.folder ? [] : [`${now.folder} as the working folder`]),
      ...events.map(([event]) => `listeners of the process's event ${String(event)}`),
    ];
  }

  private putBack(): void {
    const { environment, folder, listeners } = this.before;
    for (const name of Object.keys(process.env)) if (!environment.has(name)) delete process.env[name];
    for (const [name, value] of environment) if (process.env[name] !== value) process.env[name] = value;
    if (process.cwd() !== folder) process.chdir(folder);
    for (const [event, all] of look().listeners) {
      const known = new Set(listeners.get(event));
      for (const listener of all) if (!known.has(listener)) process.removeListener(event, listener);
    }
  }
}

function change(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return 'set';
  return after === undefined ? 'deleted' : 'changed';
}

function look(): Belongings {
  const resources = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) resources.set(kind, (resources.get(kind) ?? 0) + 1);
  return {
    environment: new Map(Object.entries(process.env)),
    folder: process.cwd(),
    listeners: new Map(
      process.eventNames().map((event) => [event, process.rawListeners(event as string) as Listener[]]),
    ),
    resources,
    handles: new Set(handles()),
  };
}

/** Node has no public list of them; without it the kinds alone are told. */
function handles(): object[] {
  const list: unknown = Reflect.get(process, '_getActiveHandles');
  return typeof list === 'function' ? Reflect.apply(list, process, []) : [];
}

function describe(handle: object): string[] {
  if (handle instanceof ChildProcess) return [`process ${handle.pid}: ${handle.spawnargs.join(' ').slice(0, 200)}`];
  if (handle instanceof Server) return [`a server on ${JSON.stringify(handle.address())}`];
  if (handle instanceof Socket && handle.remotePort !== undefined) {
    return [`a connection from port ${handle.localPort} to ${handle.remoteAddress}:${handle.remotePort}`];
  }
  return [];
}
