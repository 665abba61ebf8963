import type { NodeConnectionOptions } from '@nats-io/transport-node';

const DEFAULT_PORT = '4222';

/** Where NATS_URL points, and the credentials to use there. */
export interface NatsAddress {
  /** Host and port: what may be shown and logged. */
  readonly shown: string;
  readonly options: Pick<NodeConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'>;
}

/**
 * Reads `nats://host:port`, `nats://user:password@host` and `nats://token@host`; `tls://` insists on an encrypted connection.
 * User, password and token are percent-encoded where they hold characters that a URL keeps for itself.
 */
export function parseNatsUrl(url: string): NatsAddress {
  const { protocol, hostname, port, username, password } = new URL(url);
  const shown = `${hostname}:${port || DEFAULT_PORT}`;
  const user = decodeURIComponent(username);
  const credentials =
    user === '' ? {} : password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
  return { shown, options: { servers: [shown], ...credentials, ...(protocol === 'tls:' ? { tls: {} } : {}) } };
}

/** The server of NATS_URL alone, without how to introduce oneself. */
export function natsServerOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || DEFAULT_PORT) };
}
