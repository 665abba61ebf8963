import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { type Address, hostAddress, parseAddress, kindOf } from './address';
import { nameOf } from './allowed-targets';

/** Where this service listens, or a server that it alone may talk to. */
export interface OwnService {
  /** A name, an address, or an address that stands for all of this machine. */
  readonly host: string;
  readonly port: number;
}

/** How long the addresses of a name are kept before it is looked up again: its server may move. */
const FRESH_MS = 30_000;

/** Resolves with every address of a name. */
export type ResolveAll = (name: string) => Promise<readonly string[]>;

export const resolveAll: ResolveAll = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * The ports of the service itself, which no agent may be: its HTTP port (known once it listens), PostgreSQL and NATS. A port of this
 * machine is one at each of its addresses.
 */
export class OwnServices {
  private readonly known = new Map<string, readonly Address[]>();
  private refreshed = -Infinity;
  private refreshing: Promise<void> | null = null;

  /** @param list called at each check, since ports become known while the service starts */
  constructor(
    private readonly list: () => readonly OwnService[],
    private readonly resolve: ResolveAll = resolveAll,
    private readonly ofMachine: () => readonly string[] = addressesOfMachine,
  ) {}

  /**
   * Looks up the names among them again when the last lookup is old; only the first lookup is waited for. Never throws: a name that is not
   * known now keeps its earlier addresses.
   */
  async refresh(): Promise<void> {
    if (performance.now() - this.refreshed < FRESH_MS) return;
    const isFirst = this.refreshed === -Infinity;
    this.refreshing ??= this.lookUp().finally(() => (this.refreshing = null));
    if (isFirst) await this.refreshing;
  }

  isName(name: string, port: number): boolean {
    return this.list().some((service) => service.port === port && nameOf(service.host) === name);
  }

  isAt(address: Address, port: number): boolean {
    const services = this.list().filter((service) => service.port === port);
    if (services.length === 0) return false;
    const isOurs = this.isOfMachine(address);
    const addresses = services.flatMap(({ host }) => this.addressesOf(host));
    return addresses.some((one) => isSame(one, address) || (isOurs && this.isOfMachine(one)));
  }

  private addressesOf(host: string): readonly Address[] {
    const address = hostAddress(host);
    if (address !== null) return [address];
    return this.known.get(host) ?? [];
  }

  private isOfMachine(address: Address): boolean {
    if (kindOf(address) === 'this machine') return true;
    return this.ofMachine().some((text) => {
      const own = parseAddress(text);
      return own !== null && isSame(own, address);
    });
  }

  private async lookUp(): Promise<void> {
    const names = this.list().flatMap(({ host }) => (hostAddress(host) === null ? [host] : []));
    const found = names.map(async (name) => {
      const addresses = await this.resolve(name).catch(() => null);
      if (addresses === null) return;
      this.known.set(
        name,
        addresses.map(parseAddress).filter((address) => address !== null),
      );
    });
    await Promise.all(found);
    this.refreshed = performance.now();
  }
}

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
}

function isSame(one: Address, other: Address): boolean {
  return one.kind() === other.kind() && one.toNormalizedString() === other.toNormalizedString();
}
