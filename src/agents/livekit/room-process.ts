import { fork, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';
import { childEnvironment } from '../../platform/config/child-environment';
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
    this.child = fork(PROGRAM, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
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
