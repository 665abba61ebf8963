import type { NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../../platform/config/log';
import type { Dialed } from './nats-dial';
import type { ReconnectWaits } from './reconnect-waits';

/** Knows whether the connection is up. The client reconnects on its own; this notifies those who need to know. */
export class NatsLink {
  readonly connection: NatsConnection;
  private up = true;
  private isClosing = false;
  private version: string;
  private readonly waits: ReconnectWaits;
  private readonly watchers = new Set<(isUp: boolean) => void>();

  constructor(
    { connection, waits }: Dialed,
    private readonly log: Log,
  ) {
    this.connection = connection;
    this.waits = waits;
    this.version = connection.info?.version ?? 'of unknown version';
    log.info('Connected to the NATS server', { server: connection.getServer(), version: this.version });
    void this.watch();
  }

  get isUp(): boolean {
    return this.up && !this.connection.isClosed();
  }

  get serverVersion(): string {
    return this.version;
  }

  /** Calls back whenever the connection is lost or restored; returns a function that stops it. */
  onChange(watcher: (isUp: boolean) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  close(): Promise<void> {
    this.isClosing = true;
    return this.connection.close();
  }

  private async watch(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') {
        this.log.warn('The NATS server is out of reach; reconnecting', { server: status.server });
        this.change(false);
      } else if (status.type === 'reconnect') {
        this.waits.reset();
        this.version = this.connection.info?.version ?? this.version;
        this.log.info('Connected to the NATS server again', { server: status.server, version: this.version });
        this.change(true);
      } else if (status.type === 'error') {
        this.log.warn('The NATS server reported an error', { error: status.error });
      }
    }
    this.change(false);
    if (!this.isClosing) this.log.error('The connection to the NATS server ended for good; restart this process');
  }

  private change(isUp: boolean): void {
    if (this.up === isUp) return;
    this.up = isUp;
    for (const watcher of [...this.watchers]) watcher(isUp);
  }
}
