import { hostAddress, meanings, parseAddress, type Address, kindOf } from './address';
import { allowsAddress, allowsName, nameOf, type AllowedTarget } from './allowed-targets';
import type { OwnServices } from './own-services';
import { refusal, type TargetRule } from './target-refusal';

/** `local` allows loopback and private addresses, `public` does not, `list` allows what ALLOWED_TARGETS names. */
export const TARGET_MODES = ['local', 'public', 'list'] as const;
export type TargetMode = (typeof TARGET_MODES)[number];

export interface TargetRules {
  readonly mode: TargetMode;
  /** The targets of mode `list`. */
  readonly allowed: readonly AllowedTarget[];
}

/**
 * Where agents may live: pure rules about hosts, addresses and ports. They hold for what agents' configs name and for what agents name in
 * turn, not for the operator's own settings (DATABASE_URL, NATS_URL, ANTHROPIC_BASE_URL). Link-local, metadata and unusable addresses and
 * the service's own ports are refused in every mode, whatever is listed.
 */
export class TargetPolicy {
  constructor(
    private readonly rules: TargetRules,
    private readonly own: OwnServices,
  ) {}

  /**
   * What can be checked before a name is looked up. A name that passes has its addresses checked too.
   * @param host of a URL: a name, or an address in any spelling that a URL may have
   * @throws TargetRefusal
   */
  checkHost(host: string, port: number): void {
    const address = hostAddress(host);
    if (address !== null) return this.check(address, port, host);
    const name = nameOf(host);
    if (this.own.isName(name, port)) throw refusal('own_service', host, port);
    // RFC 6761: these are loopback, whatever a resolver says.
    if (name === 'localhost' || name.endsWith('.localhost')) this.checkAddress('127.0.0.1', port, host);
    const { mode, allowed } = this.rules;
    if (mode !== 'list' || this.isListed(name, port)) return;
    // Only its addresses show whether a listed range holds it.
    if (!allowed.some((entry) => entry.kind === 'range')) throw refusal('not_listed', host, port);
  }

  /**
   * @param address as a resolver or a socket reports it
   * @param host the name that resolved to it; the address itself when there was none
   * @throws TargetRefusal
   */
  checkAddress(address: string, port: number, host = address): void {
    const parsed = parseAddress(address);
    if (parsed === null) throw refusal('unusable', host, port);
    this.check(parsed, port, host);
  }

  private check(address: Address, port: number, host: string): void {
    const all = meanings(address);
    const rule = this.ruleForAll(all) ?? this.ruleForMode(all, port) ?? this.ruleForList(all[0], port, host);
    if (rule !== null) throw refusal(rule, host, port);
  }

  /** What no setting allows. */
  private ruleForAll(addresses: readonly Address[]): TargetRule | null {
    const kinds = new Set(addresses.map(kindOf));
    if (kinds.has('metadata')) return 'metadata';
    if (kinds.has('link-local')) return 'link_local';
    return kinds.has('unusable') ? 'unusable' : null;
  }

  private ruleForMode(addresses: readonly Address[], port: number): TargetRule | null {
    if (addresses.some((address) => this.own.isAt(address, port))) return 'own_service';
    const isPublic = addresses.every((address) => kindOf(address) === 'public');
    return this.rules.mode === 'public' && !isPublic ? 'not_public' : null;
  }

  private ruleForList(address: Address, port: number, host: string): TargetRule | null {
    if (this.rules.mode !== 'list' || this.isListed(nameOf(host), port)) return null;
    return this.rules.allowed.some((entry) => allowsAddress(entry, address, port)) ? null : 'not_listed';
  }

  private isListed(name: string, port: number): boolean {
    return this.rules.allowed.some((entry) => allowsName(entry, name, port));
  }
}
