import { isIP, type LookupFunction, type Socket } from 'node:net';
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

/** Read by shape: a resolver's errors may come from outside a sandbox that runs this code (Jest), so instanceof fails there. */
function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'message' in error && 'name' in error;
}

function noAddress(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`There is no address for ${host}.`), { code: 'ENOTFOUND' });
}
