import { hostAddress, kindOf, meanings } from '../targets/address';
import { allowsAddress, allowsName, nameOf, readAllowedTarget, type AllowedTarget } from '../targets/allowed-targets';

/** Hosts that are reached without a proxy, as NO_PROXY lists them. */
export type DirectHosts = 'all' | readonly AllowedTarget[];

/** What NO_PROXY accepts; follows "must be". */
export const NO_PROXY_LIST =
  'host names, addresses and CIDR ranges separated by commas, such as localhost, .example.org, 10.0.0.0/8, or * for all';

/**
 * Reads a list as curl does: separated by commas or white space; a name stands for itself and every name below it, with or without a dot or
 * `*.` before it; `*` alone is every host; ranges hold for addresses that stand in an address, not for what a name leads to. Beyond curl, an
 * entry may have a port.
 * @returns null for an entry that is none of these
 */
export function readNoProxy(text: string): DirectHosts | null {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  if (entries.length === 1 && entries[0] === '*') return 'all';
  const read = entries.map((entry) => readAllowedTarget(entry.replace(/^\*?\./, '')));
  const targets = read.filter((target) => target !== null);
  return targets.length < entries.length ? null : targets.flatMap(withNamesBelow);
}

/** @param host of a URL */
export function isDirect(direct: DirectHosts, host: string, port: number): boolean {
  if (direct === 'all') return true;
  const address = hostAddress(host);
  if (address !== null) return direct.some((entry) => allowsAddress(entry, address, port));
  return direct.some((entry) => allowsName(entry, nameOf(host), port));
}

/** Whether a host is this machine's loopback: `localhost`, a name below it, or an address that leads there. What a name resolves to is not looked at. */
export function isLoopback(host: string): boolean {
  const address = hostAddress(host);
  if (address !== null) return meanings(address).some((meaning) => kindOf(meaning) === 'this machine');
  const name = nameOf(host);
  return name === 'localhost' || name.endsWith('.localhost');
}

function withNamesBelow(target: AllowedTarget): readonly AllowedTarget[] {
  if (target.kind !== 'host') return [target];
  return [target, { kind: 'suffix', suffix: `.${target.host}`, port: target.port }];
}
