import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Egress } from '../egress/egress';
import { isLoopback } from '../egress/no-proxy';
import type { ForwardProxy } from '../egress/forward-proxy';
import { unresolved, type TunnelEnd } from '../egress/proxy-failure';
import { hostAddress } from './address';
import { OwnServices, resolveAll, type ResolveAll } from './own-services';
import { TargetPolicy } from './target-policy';
import { TargetRefusal } from './target-refusal';

/**
 * Enforces the policy where connections are made: on every address that a name resolves to at the moment of connecting, and on what a socket says
 * it is connected to. A name that is allowed now and resolves elsewhere the next time is checked the next time.
 */
export class TargetGuard {
  constructor(
    private readonly policy: TargetPolicy,
    private readonly own: OwnServices,
    private readonly resolveName: ResolveAll = resolveAll,
    readonly egress: Egress = Egress.direct(),
  ) {}

  /** The rules of TARGETS=local for a program outside the service: a benchmark, a test of one part. */
  static local(): TargetGuard {
    const own = new OwnServices(() => []);
    return new TargetGuard(new TargetPolicy({ mode: 'local', allowed: [] }, own), own);
  }

  /**
   * What can be checked before a name is looked up; for an address, the whole check.
   * @param host of a URL, a name or an address in any spelling
   * @throws TargetRefusal
   */
  async checkHost(host: string, port: number): Promise<void> {
    await this.own.refresh();
    this.policy.checkHost(host, port);
  }

  /**
   * The addresses behind a host that may be connected to, at least one; forbidden ones are left out.
   * @throws TargetRefusal when none may be connected to
   * @throws Error of the resolver (`ENOTFOUND`, `EAI_AGAIN`)
   */
  async addressesOf(host: string, port: number): Promise<readonly string[]> {
    await this.checkHost(host, port);
    const address = hostAddress(host);
    if (address !== null) return [address.toString()];
    let refused: TargetRefusal | null = null;
    const allowed = (await this.resolveName(host)).filter((one) => {
      try {
        this.policy.checkAddress(one, port, host);
        return true;
      } catch (error) {
        if (!(error instanceof TargetRefusal)) throw error;
        refused = error;
        return false;
      }
    });
    if (allowed.length > 0) return allowed;
    throw refused ?? noAddress(host);
  }

  /**
   * The proxy through which a target is reached, with what to ask it for: the address that was checked, or the name where the settings leave
   * names to the proxy. Null: directly, as loopback always is, also when a name leads there.
   * @param protocol `https:` or `http:`
   * @throws TargetRefusal when no address behind the host may be connected to
   * @throws ProxyFailure when a name cannot be looked up and is not left to the proxy
   */
  async proxiedWay(protocol: string, host: string, port: number): Promise<ProxiedWay | null> {
    await this.checkHost(host, port);
    const proxy = this.egress.proxyFor(protocol, host, port);
    if (proxy === null) return null;
    const name = host.replace(/^\[(.*)\]$/, '$1');
    const byName = this.egress.handsOnNames && hostAddress(host) === null;
    let addresses: readonly string[];
    try {
      addresses = await this.addressesOf(host, port);
    } catch (error) {
      if (error instanceof TargetRefusal) throw error;
      if (byName) return { proxy, end: { host: name, port, name } };
      throw unresolved(proxy, name, isErrno(error) ? (error.code ?? error.name) : 'unknown');
    }
    if (addresses.some(isLoopback)) return null;
    // Every proxy's network has IPv4.
    const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0] ?? name;
    return { proxy, end: { host: byName ? name : address, port, name } };
  }

  /** For `net.connect` and `tls.connect` to one port. They call it for names only: call `checkHost` first. */
  lookupFor(port: number): LookupFunction {
    return (host, { family, all }, answer) => {
      this.addressesOf(host, port).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          const wanted = found.filter((one) => (family !== 4 && family !== 6) || one.family === family);
          const [first] = wanted;
          if (first === undefined) answer(noAddress(host), '', 0);
          else if (all === true) answer(null, wanted);
          else answer(null, first.address, first.family);
        },
        (error: unknown) => answer(isErrno(error) ? error : new Error(String(error)), '', 0),
      );
    };
  }

  /**
   * The final check, before anything is sent.
   * @throws TargetRefusal
   */
  checkConnected(socket: Pick<Socket, 'remoteAddress'>, port: number, host: string): void {
    this.policy.checkAddress(socket.remoteAddress ?? '', port, host);
  }
}

/** How a target is reached that is not reached directly. */
export interface ProxiedWay {
  readonly proxy: ForwardProxy;
  readonly end: TunnelEnd;
}

/** Read by shape: a resolver's errors may come from outside a sandbox that runs this code (Jest), so instanceof fails there. */
function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'message' in error && 'name' in error;
}

function noAddress(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`There is no address for ${host}.`), { code: 'ENOTFOUND' });
}
