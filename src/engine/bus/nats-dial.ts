import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { jetstreamManager } from '@nats-io/jetstream';
import { AuthorizationError, connect, type NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../../platform/config/log';
import { isUntrustedCertificate } from '../../platform/outbound/untrusted-certificate';
import { BusStartError } from './bus-start-error';
import { parseNatsUrl, type NatsAddress } from '../../platform/config/nats-address';
import { ReconnectWaits } from './reconnect-waits';
import { MAX_PAYLOAD_BYTES } from './wire-format';

/** How long a server that starts together with the service, as under docker compose, may take. */
const REACH_WITHIN_MS = 15_000;
const RETRY_DELAY_MS = 250;
const RETRY_DELAY_LIMIT_MS = 2_000;

const CONNECT_WITHIN_MS = 5_000;
/** Two missed answers in a row: the connection counts as lost after 10 to 15 s of silence. */
const PING_INTERVAL_MS = 5_000;
const PINGS_UNANSWERED = 2;

/** The first version with everything the bus uses: delayed naks, per-message ids, named consumers. Debian 12 has 2.9. */
const OLDEST_SERVER = { major: 2, minor: 9 } as const;

export interface Dialed {
  readonly connection: NatsConnection;
  /** Reset once the connection is back. */
  readonly waits: ReconnectWaits;
}

export interface DialOptions {
  readonly url: string;
  readonly log: Log;
  /** How long to wait for a server that is out of reach. */
  readonly reachWithinMs?: number;
}

/**
 * Connects and checks that the server can do what the bus needs. From then on the client keeps reconnecting on its own.
 * @throws BusStartError when the server stays out of reach, refuses us, is too old or has no JetStream
 */
export async function dialNats({ url, log, reachWithinMs = REACH_WITHIN_MS }: DialOptions): Promise<Dialed> {
  const address = parseNatsUrl(url);
  const deadline = Date.now() + reachWithinMs;
  for (let delay = RETRY_DELAY_MS; ; delay = Math.min(delay * 2, RETRY_DELAY_LIMIT_MS)) {
    try {
      return await dialOnce(address);
    } catch (error) {
      if (error instanceof BusStartError) throw error;
      if (Date.now() + delay > deadline) throw startError(address, error);
      log.warn('The NATS server is out of reach; trying again', { server: address.shown, delay_ms: delay });
      await sleep(delay);
    }
  }
}

async function dialOnce(address: NatsAddress): Promise<Dialed> {
  const waits = new ReconnectWaits();
  const connection = await connect({
    ...address.options,
    name: 'agent-osce',
    timeout: CONNECT_WITHIN_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: PINGS_UNANSWERED,
    maxReconnectAttempts: -1,
    // A server whose users are reloaded refuses for a moment: that is no reason to give up for good.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => waits.next(),
    noAsyncTraces: true,
  }).catch((error: unknown) => {
    if (isUntrustedCertificate(error)) throw distrust(address, error);
    throw error instanceof AuthorizationError ? refusal(address, error) : error;
  });
  try {
    await examine(connection, address);
    return { connection, waits };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function examine(connection: NatsConnection, { shown }: NatsAddress): Promise<void> {
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
    await jetstreamManager(connection, { timeout: CONNECT_WITHIN_MS });
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
