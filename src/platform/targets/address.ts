import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Where each way of embedding an IPv4 address in an IPv6 one keeps it: the offset in bytes, and whether its bits are inverted. */
const CARRIERS: readonly (readonly [range: string, offset: number, isInverted: boolean])[] = [
  ['::ffff:0:0:0/96', 12, false], // RFC 2765, translated
  ['64:ff9b:1::/48', 12, false], // RFC 8215, local NAT64
  ['2002::/16', 2, false], // RFC 3056, 6to4
  ['2001::/32', 4, false], // RFC 4380, Teredo: its server
  ['2001::/32', 12, true], // and its client
  ['::/96', 12, false], // RFC 4291, IPv4-compatible
];
const carriers = CARRIERS.map(([range, offset, isInverted]) => ({
  range: ipaddr.IPv6.parseCIDR(range),
  offset,
  isInverted,
}));

/** ISATAP (RFC 5214): the interface's half of the address is 0000:5efe or 0200:5efe and the IPv4 address, whatever comes before it. */
const ISATAP = [0x5e, 0xfe];

/**
 * Parses an address, with or without brackets, with or without a zone; an IPv4 address mapped into IPv6 is the IPv4 address.
 * @returns null for a name, and for a spelling that is not four decimal numbers (`hostAddress` reads those)
 */
export function parseAddress(text: string): Address | null {
  const bare = text.includes(':') ? text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '') : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null;
}

/** What a URL makes of a host: names in lower case and punycode, addresses in their usual spelling; null when a URL cannot have it. */
export function urlHost(host: string): string | null {
  // These would end the host, or begin a port.
  if (/[\s/?#@\\:]/.test(host)) return null;
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** The address that a URL's host spells (`127.1`, `2130706433` and `0x7f.1` are one in every browser); null for a name. */
export function hostAddress(host: string): Address | null {
  return parseAddress(host) ?? parseAddress(urlHost(host) ?? '');
}

/** RFC 6052: how an IPv6 network with NAT64 spells the IPv4 internet. Such an address is the IPv4 address and nothing else. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** The address, or what it stands for, and every IPv4 address that a gateway may find inside it: each of them must be allowed. */
export function meanings(address: Address): readonly [Address, ...Address[]] {
  if (address instanceof ipaddr.IPv4 || isOwnHost(address)) return [address];
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return [ipv4At(bytes, 12, false)];
  const carried = carriers
    .filter(({ range }) => address.match(range))
    .map(({ offset, isInverted }) => ipv4At(bytes, offset, isInverted));
  const isIsatap =
    (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && ISATAP.every((byte, at) => bytes[10 + at] === byte);
  return [address, ...carried, ...(isIsatap ? [ipv4At(bytes, 12, false)] : [])];
}

/** `::` and `::1` are not IPv4-compatible addresses. */
function isOwnHost(address: ipaddr.IPv6): boolean {
  const range = address.range();
  return range === 'loopback' || range === 'unspecified';
}

function ipv4At(bytes: readonly number[], offset: number, isInverted: boolean): ipaddr.IPv4 {
  const four = bytes.slice(offset, offset + 4);
  return new ipaddr.IPv4(isInverted ? four.map((byte) => byte ^ 0xff) : four);
}

/** The kinds of addresses that the rules distinguish. `this machine` is loopback and the unspecified address, which connects to loopback. */
type AddressKind = 'metadata' | 'link-local' | 'unusable' | 'this machine' | 'private' | 'public';

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
