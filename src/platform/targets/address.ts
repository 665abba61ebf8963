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
