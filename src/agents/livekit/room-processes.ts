import { FilteringProxy } from '../../platform/targets/filtering-proxy';
import { TargetGuard } from '../../platform/targets/target-guard';
import { TargetRefusal } from '../../platform/targets/target-refusal';
import { forbiddenTarget } from '../outbound/connection-failure';
import { ProviderError } from '../errors';
import { RoomProcess } from './room-process';

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
