import { Agent, type ClientRequestArgs } from 'node:http';
import { connect as connectDirectly } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import type { Egress } from './egress';
import { bare, openTunnel } from './tunnel';

type Answer = (error: Error | null, stream: Duplex) => void;

/** Beside an error: Node looks at the stream only where there is none. */
const NO_STREAM = new Duplex();

/**
 * For libraries that send with Node's own HTTP: connections directly or through a proxy, as the settings say for each host. A host is
 * handed to the proxy by its name.
 */
export class TunnelAgent extends Agent {
  /** Node asks an agent for both. */
  readonly protocol: string;
  readonly defaultPort: number;

  /** @param scheme `https:` or `http:` */
  constructor(
    scheme: string,
    private readonly egress: Egress,
  ) {
    super({ keepAlive: true });
    this.protocol = scheme;
    this.defaultPort = scheme === 'https:' ? 443 : 80;
  }

  override createConnection(options: ClientRequestArgs, answer?: Answer): Duplex | undefined {
    const isSecure = this.protocol === 'https:';
    const host = bare(options.hostname ?? options.host ?? 'localhost');
    const port = Number(options.port ?? this.defaultPort);
    const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    const proxy = this.egress.proxyFor(this.protocol, host, port);
    if (proxy === null) {
      return isSecure ? connectSecurely({ host, port, ...servername }) : connectDirectly({ host, port });
    }
    openTunnel(proxy, { host, port, name: host }).then(
      (socket) => answer?.(null, isSecure ? connectSecurely({ socket, host, ...servername }) : socket),
      (error: unknown) => answer?.(error instanceof Error ? error : new Error(String(error)), NO_STREAM),
    );
    return undefined;
  }
}
