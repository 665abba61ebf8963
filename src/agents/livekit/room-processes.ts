import { fork, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';
import { childEnvironment } from '../../platform/config';
import { FilteringProxy, TargetGuard, TargetRefusal } from '../../platform/targets';
import { ProviderError } from '../errors';
import { forbiddenTarget } from '../outbound/connection-failure';
import { RoomEvent, type RoomCommand } from './room-wire';

/** Beside this module, and in the same form: compiled, or TypeScript where a loader for it is set up. */
const PROGRAM = join(__dirname, `room-worker${extname(__filename)}`);

/** What a session receives: its events, and the end of the process that held it. */
export type RoomListener = (event: RoomEvent | { readonly type: 'crashed'; readonly how: string }) => void;

/** One process with the native library in it. Its end, for whatever reason, is an event for the sessions it held. */
export class RoomProcess {
  private readonly child: ChildProcess;
  private readonly listeners = new Map<string, RoomListener>();
  private readonly ended: Promise<void>;
  private isOver = false;
  /** Sessions it has held so far. */
  private held = 0;

  /**
   * @param proxyUrl what the library connects through
   * @param onIdle called when the last session has ended
   */
  constructor(
    proxyUrl: string,
    private readonly onIdle: (process: RoomProcess) => void,
  ) {
    const env = {
      ...childEnvironment(),
      HTTP_PROXY: proxyUrl,
      HTTPS_PROXY: proxyUrl,
      http_proxy: proxyUrl,
      https_proxy: proxyUrl,
    };
    // Sound as JSON takes six times the processor.
    const serialization = 'advanced';
    this.child = fork(PROGRAM, { env, execArgv: [], serialization, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.child.on('message', (message) => this.hear(message));
    this.ended = new Promise((resolve) => {
      const over = (how: string): void => {
        this.end(how);
        resolve();
      };
      this.child.once('error', () => over('it could not be started'));
      this.child.once('exit', (code, signal) => over(signal === null ? `exit code ${code}` : signal));
    });
    // Rooms do not keep this process alive; a session in use has timers of its own.
    this.child.unref();
    this.child.channel?.unref();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get sessions(): number {
    return this.listeners.size;
  }

  get sessionsSoFar(): number {
    return this.held;
  }

  get isAlive(): boolean {
    return !this.isOver;
  }

  /** The listener receives every event of this session until it is forgotten. */
  listen(session: string, listener: RoomListener): void {
    this.held += 1;
    this.listeners.set(session, listener);
  }

  forget(session: string): void {
    if (this.listeners.delete(session) && this.listeners.size === 0) this.onIdle(this);
  }

  /** A command that can no longer be delivered is answered by the `crashed` event. */
  send(command: RoomCommand): void {
    if (!this.isOver && this.child.connected) this.child.send(command, () => undefined);
  }

  /** Idempotent. */
  async kill(): Promise<void> {
    if (!this.isOver) this.child.kill('SIGKILL');
    await this.ended;
  }

  private hear(message: unknown): void {
    const event = RoomEvent.safeParse(message);
    if (event.success) this.listeners.get(event.data.session)?.(event.data);
  }

  private end(how: string): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const listener of [...this.listeners.values()]) listener({ type: 'crashed', how });
  }
}

/** An idle process is kept this long for the next conversation. */
const IDLE_MS = 30_000;

/** The native library does not release all of a session's memory; after this many, a process takes no new ones. */
const SESSIONS_PER_PROCESS = 40;

/**
 * The processes that hold rooms: one for each LiveKit server, so that whatever a server does to the native library harms only
 * conversations with that server. They start when first needed and end when idle. The library opens its own connections: through a proxy of
 * ours, which checks every address that it is directed to.
 */
export class RoomProcesses {
  private readonly current = new Map<string, RoomProcess>();
  private readonly all = new Set<RoomProcess>();
  private readonly idle = new Map<RoomProcess, NodeJS.Timeout>();
  private isClosed = false;
  private proxy: Promise<FilteringProxy> | null = null;

  constructor(private readonly guard: TargetGuard = TargetGuard.local()) {}

  /**
   * @param url of the LiveKit server (ws, wss, http or https)
   * @throws ProviderError `config_invalid` for a server where no agent may live
   */
  async for(url: string, signal: AbortSignal): Promise<RoomProcess> {
    const { host: origin } = new URL(url);
    await this.admit(url);
    if (this.isClosed) throw new Error('The room processes were closed.');
    const proxy = await (this.proxy ??= FilteringProxy.start(this.guard));
    if (signal.aborted) throw ProviderError.canceled();
    if (this.isClosed) throw new Error('The room processes were closed.');
    const known = this.current.get(origin);
    if (known !== undefined && known.isAlive && known.sessionsSoFar < SESSIONS_PER_PROCESS) {
      clearTimeout(this.idle.get(known));
      this.idle.delete(known);
      return known;
    }
    this.current.delete(origin);
    if (known !== undefined && known.sessions === 0) this.end(known);
    const started = new RoomProcess(proxy.url, (process) => this.becameIdle(origin, process));
    this.current.set(origin, started);
    this.all.add(started);
    return started;
  }

  /** Process ids, for monitoring memory. */
  get pids(): readonly number[] {
    return [...this.all].flatMap(({ pid, isAlive }) => (isAlive && pid !== undefined ? [pid] : []));
  }

  /** Ends every process, and with it every room that is still held. Idempotent. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.idle.values()) clearTimeout(timer);
    this.idle.clear();
    await Promise.all([...this.all].map((process) => process.kill()));
    this.all.clear();
    this.current.clear();
    await (await this.proxy)?.close();
  }

  /**
   * Whether rooms of a server may be joined. The proxy refuses as well, but only we can say why; anything else wrong with an address, the
   * library finds out.
   * @throws ProviderError `config_invalid` for a server where no agent may live
   */
  async admit(url: string): Promise<void> {
    const { protocol, hostname, port } = new URL(url);
    try {
      await this.guard.addressesOf(hostname, Number(port || (/^(wss|https):$/.test(protocol) ? 443 : 80)));
    } catch (error) {
      if (error instanceof TargetRefusal) throw forbiddenTarget(error);
    }
  }

  private becameIdle(origin: string, process: RoomProcess): void {
    if (this.isClosed) return;
    if (this.current.get(origin) !== process || process.sessionsSoFar >= SESSIONS_PER_PROCESS) this.end(process);
    else this.idle.set(process, setTimeout(() => this.end(process), IDLE_MS).unref());
  }

  private end(process: RoomProcess): void {
    clearTimeout(this.idle.get(process));
    this.idle.delete(process);
    for (const [origin, current] of this.current) if (current === process) this.current.delete(origin);
    void process.kill().then(() => this.all.delete(process));
  }
}
