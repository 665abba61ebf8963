import ipaddr from 'ipaddr.js';
import { hostAddress, urlHost, type Address } from './address';

/** One entry of ALLOWED_TARGETS; `port` null allows every port. */
export type AllowedTarget = { readonly port: number | null } & (
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'suffix'; readonly suffix: string }
  | { readonly kind: 'range'; readonly range: [Address, number] }
);

const IN_BRACKETS = /^\[([^\]]+)\](?::(\d{1,5}))?$/;
const WITHOUT = /^([^:]+)(?::(\d{1,5}))?$/;
const BARE_IPV6 = /^([\da-f.]*:[\da-f.]*:[\da-f:.]*(?:\/\d{1,3})?)$/i;
const NAME = /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]{0,62})(?:\.[a-z\d_][a-z\d_-]{0,62})*$/;

/**
 * Reads a host, `*.suffix`, address or CIDR range, with or without a port; IPv6 with a port is written in brackets.
 * @returns null for text that is not an entry
 */
export function readAllowedTarget(text: string): AllowedTarget | null {
  const [, target, digits] = IN_BRACKETS.exec(text) ?? WITHOUT.exec(text) ?? BARE_IPV6.exec(text) ?? [];
  if (target === undefined) return null;
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  if (ipaddr.isValidCIDR(target)) return { kind: 'range', range: ipaddr.parseCIDR(target), port };
  const address = hostAddress(target);
  if (address !== null) return { kind: 'range', range: [address, address.kind() === 'ipv4' ? 32 : 128], port };
  const name = nameOf(target.replace(/^\*\./, ''));
  if (target.startsWith('*.')) return NAME.test(name) ? { kind: 'suffix', suffix: `.${name}`, port } : null;
  return NAME.test(name) ? { kind: 'host', host: name, port } : null;
}

/** Names are compared as browsers write them: lower case, punycode, without the root's dot. */
export function nameOf(host: string): string {
  return (urlHost(host) ?? host.toLowerCase()).replace(/\.$/, '');
}

export function allowsName(entry: AllowedTarget, name: string, port: number): boolean {
  if (entry.port !== null && entry.port !== port) return false;
  if (entry.kind === 'host') return entry.host === name;
  return entry.kind === 'suffix' && name.endsWith(entry.suffix) && name.length > entry.suffix.length;
}

export function allowsAddress(entry: AllowedTarget, address: Address, port: number): boolean {
  if (entry.kind !== 'range' || (entry.port !== null && entry.port !== port)) return false;
  return entry.range[0].kind() === address.kind() && address.match(entry.range);
}
