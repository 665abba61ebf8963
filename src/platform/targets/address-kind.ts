import ipaddr from 'ipaddr.js';
import type { Address } from './address';

/** The kinds of addresses that the rules distinguish. `this machine` is loopback and the unspecified address, which connects to loopback. */
export type AddressKind = 'metadata' | 'link-local' | 'unusable' | 'this machine' | 'private' | 'public';

/**
 * Instance metadata services of clouds, which also hand out credentials, outside the link-local range: AWS (IPv6), Google (IPv6),
 * Oracle (IPv4 and IPv6), Alibaba, Azure's wire server and Scaleway (IPv6). Each is documented by its vendor under "instance metadata".
 */
const METADATA = [
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
  '192.0.0.192/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
].map((range) => ipaddr.parseCIDR(range));

/** Reserved (RFC 1112) and discard-only (RFC 6666). */
const UNUSABLE = ['240.0.0.0/4', '100::/64'].map((range) => ipaddr.parseCIDR(range));
const UNSPECIFIED_IPV4 = ipaddr.IPv4.parseCIDR('0.0.0.0/32');

/** Judged as it is; an IPv4 address embedded in it is judged separately (`meanings`). */
export function kindOf(address: Address): AddressKind {
  if (isIn(METADATA, address)) return 'metadata';
  if (isIn(UNUSABLE, address)) return 'unusable';
  switch (address.range()) {
    case 'linkLocal':
      return 'link-local';
    case 'multicast':
    case 'broadcast':
      return 'unusable';
    case 'loopback':
      return 'this machine';
    case 'unspecified':
      // The rest of 0.0.0.0/8 is not a valid destination.
      return address instanceof ipaddr.IPv6 || address.match(UNSPECIFIED_IPV4) ? 'this machine' : 'unusable';
    case 'unicast':
      return 'public';
    default:
      // Shared, local, translation, documentation and benchmarking ranges: whatever answers there is not on the public internet.
      return 'private';
  }
}

function isIn(ranges: readonly [Address, number][], address: Address): boolean {
  return ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
}
