import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, AuthorizationError, connect } from '@nats-io/transport-node';
import { type Log, parseNatsUrl, type NatsAddress } from '../../platform/config';
import { isUntrustedCertificate } from '../../platform/outbound';
import { BusStartError } from './bus';
import { NatsTimes } from './nats-times';
import { MAX_PAYLOAD_BYTES } from './wire-format';

/** How long a server that starts together with the service, as under docker compose, may take. */
const REACH_WITHIN_MS = 15_000;
const PINGS_UNANSWERED = 2;

/** The first version with everything the bus uses: delayed naks, per-message ids, named consumers. Debian 12 has 2.9. */
const OLDEST_SERVER = { major: 2, minor: 9 } as const;

interface Dialed {
  readonly connection: NatsConnection;
  /** Reset once the connection is back. */
  readonly waits: ReconnectWaits;
}

interface DialOptions {
  readonly url: string;
  readonly log: Log;
  /** How long to wait for a server that is out of reach. */
  readonly reachWithinMs?: number;
  readonly times?: NatsTimes;
}

/**
 * Connects and checks that the server can do what the bus needs. From then on the client keeps reconnecting on its own.
 * @throws BusStartError when the server stays out of reach, refuses us, is too old or has no JetStream
 */
export async function dialNats({
  url,
  log,
  reachWithinMs = REACH_WITHIN_MS,
  times = new NatsTimes(),
}: DialOptions): Promise<Dialed> {
  const address = parseNatsUrl(url);
  const deadline = Date.now() + reachWithinMs;
  for (let delay = times.dialRetryMs; ; delay = Math.min(delay * 2, times.longestDialRetryMs)) {
    try {
      return await dialOnce(address, times);
    } catch (error) {
      if (error instanceof BusStartError) throw error;
      if (Date.now() + delay > deadline) throw startError(address, error);
      log.warn('The NATS server is out of reach; trying again', { server: address.shown, delay_ms: delay });
      await sleep(delay);
    }
  }
}

async function dialOnce(address: NatsAddress, times: NatsTimes): Promise<Dialed> {
  const waits = new ReconnectWaits();
  const connection = await connect({
    ...address.options,
    name: 'agent-osce',
    timeout: times.connectWithinMs,
    pingInterval: times.pingIntervalMs,
    maxPingOut: PINGS_UNANSWERED,
    maxReconnectAttempts: -1,
    // A server whose users are reloaded refuses for a moment: that is no reason to give up for good.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => waits.current,
    noAsyncTraces: true,
  }).catch((error: unknown) => {
    if (isUntrustedCertificate(error)) throw distrust(address, error);
    throw error instanceof AuthorizationError ? refusal(address, error) : error;
  });
  try {
    await examine(connection, address, times);
    return { connection, waits };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function examine(connection: NatsConnection, { shown }: NatsAddress, times: NatsTimes): Promise<void> {
  const { version = '', max_payload = 0, jetstream = false } = connection.info ?? {};
  if (!isSupportedVersion(version)) {
    const { major, minor } = OLDEST_SERVER;
    throw new BusStartError(`The NATS server at ${shown} is version ${version}: ${major}.${minor} or newer is needed.`);
  }
  if (max_payload < MAX_PAYLOAD_BYTES) {
    throw new BusStartError(
      `The NATS server at ${shown} takes messages of ${max_payload} bytes: set its max_payload to ${MAX_PAYLOAD_BYTES} or more.`,
    );
  }
  try {
    await jetstreamManager(connection, { timeout: times.connectWithinMs });
  } catch (cause) {
    // A server that has JetStream may still be reading its storage.
    if (jetstream) throw cause;
    throw new BusStartError(`The NATS server at ${shown} has no JetStream: start it with -js.`, { cause });
  }
}

/** Whether the bus works with a server of this version, as the server writes it: `2.9.10`, `2.12.0-RC.1`. */
export function isSupportedVersion(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > OLDEST_SERVER.major || (major === OLDEST_SERVER.major && minor >= OLDEST_SERVER.minor);
}

function refusal({ shown }: NatsAddress, cause: unknown): BusStartError {
  return new BusStartError(
    `The NATS server at ${shown} does not accept this service: correct user, password or token in NATS_URL.`,
    { cause },
  );
}

function distrust({ shown }: NatsAddress, cause: unknown): BusStartError {
  return new BusStartError(
    `The certificate of the NATS server at ${shown} is not trusted (${reasonOf(cause)}): name its authority in ` +
      'NODE_EXTRA_CA_CERTS=/path/of/its/authority.pem, and the server in NATS_URL as its certificate does.',
    { cause },
  );
}

function startError({ shown }: NatsAddress, cause: unknown): BusStartError {
  const reason = reasonOf(cause);
  return new BusStartError(`The NATS server at ${shown} is out of reach: start it, or correct NATS_URL (${reason}).`, {
    cause,
  });
}

function reasonOf(cause: unknown): string {
  return isNativeError(cause) && cause.message !== '' ? cause.message : String(cause);
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/**
 * Waits between attempts to reconnect: growing while they fail, with jitter so that many processes do not come back
 * in the same millisecond.
 */
export class ReconnectWaits {
  private longest = FIRST_WAIT_MS;
  private drawn = draw(FIRST_WAIT_MS);

  /** Milliseconds from the start of the last attempt to the next: the client asks before it waits and again afterwards. */
  get current(): number {
    return this.drawn;
  }

  /** An attempt has begun: the wait for the next one is longer. */
  grow(): void {
    this.longest = Math.min(LONGEST_WAIT_MS, this.longest * 1.5);
    this.drawn = draw(this.longest);
  }

  reset(): void {
    this.longest = FIRST_WAIT_MS;
    this.drawn = draw(FIRST_WAIT_MS);
  }
}

function draw(longest: number): number {
  return longest * (0.5 + Math.random() / 2);
}

/** Knows whether the connection is up. The client reconnects on its own; this notifies those who need to know. */
export class NatsLink {
  readonly connection: NatsConnection;
  private up = true;
  private isClosing = false;
  private readonly waits: ReconnectWaits;
  private readonly watchers = new Set<(isUp: boolean) => void>();

  constructor(
    { connection, waits }: Dialed,
    private readonly log: Log,
  ) {
    this.connection = connection;
    this.waits = waits;
    log.info('Connected to the NATS server', { server: connection.getServer(), version: this.serverVersion });
    void this.watch();
  }

  get isUp(): boolean {
    return this.up && !this.connection.isClosed();
  }

  get serverVersion(): string {
    return this.connection.info?.version ?? 'of unknown version';
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
      } else if (status.type === 'reconnecting') {
        this.waits.grow();
      } else if (status.type === 'reconnect') {
        this.waits.reset();
        this.log.info('Connected to the NATS server again', { server: status.server, version: this.serverVersion });
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
