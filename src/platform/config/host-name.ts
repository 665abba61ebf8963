import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

/** The host that a request is for, or that a page comes from. */
export interface HostName {
  /** In lower case and ASCII, without a dot at its end; IPv6 in brackets, in its shortest form. */
  readonly name: string;
  /** Null: the scheme's own. */
  readonly port: number | null;
}

/** No user part, no IPv6 zone, no path: what RFC 9110 (7.2) allows in a Host header, minus what no host name contains. */
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[^\s:/?#@[\]\\%,]{1,253})(?::(\d{0,5}))?$/i;
const LOOPBACK = /^((.+\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const DEFAULT_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** The host in a Host header; null when it names none. */
export function hostNameOf(text: string): HostName | null {
  const [, written, port] = HOST.exec(text.trim()) ?? [];
  if (written === undefined) return null;
  const name = nameOf(written);
  if (name === null) return null;
  return { name, port: port === undefined || port === '' ? null : Number(port) };
}

/** Where a page of this `Origin` was loaded from; null for `null` and anything but an http or https origin. */
export function hostNameOfOrigin(origin: string): (HostName & { readonly port: number }) | null {
  if (!URL.canParse(origin)) return null;
  const { protocol, host, port, username, pathname, search } = new URL(origin);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || pathname + search !== '/') return null;
  const name = hostNameOf(host)?.name;
  if (name === undefined) return null;
  return { name, port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) };
}

/** Resolves to this machine everywhere: `localhost` and names below it (RFC 6761), 127.0.0.0/8 and ::1. */
export function isLoopbackName({ name }: HostName): boolean {
  return LOOPBACK.test(name) && name.split('.').every((part) => !/^\d+$/.test(part) || Number(part) <= 255);
}

/** One entry of ALLOWED_HOSTS: a host name or `*.suffix`, which is every name below it; with a port, that port only. */
export class HostPattern {
  private constructor(
    private readonly suffix: string | null,
    private readonly host: HostName,
  ) {}

  /** Null when it is not one. */
  static of(text: string): HostPattern | null {
    const isSuffix = text.startsWith('*.');
    const host = hostNameOf(isSuffix ? text.slice(2) : text);
    if (host === null || host.name.includes('*')) return null;
    return new HostPattern(isSuffix ? `.${host.name}` : null, host);
  }

  matches({ name, port }: HostName): boolean {
    const isNamed =
      this.suffix === null
        ? name === this.host.name
        : name.length > this.suffix.length && name.endsWith(this.suffix) && !name.startsWith('.');
    if (!isNamed || this.host.port === null) return isNamed;
    // A scheme's default port is not written, and only a proxy in front of us knows which scheme the client used.
    return port === null ? DEFAULT_PORTS.has(this.host.port) : port === this.host.port;
  }
}

function nameOf(written: string): string | null {
  if (written.startsWith('[')) return URL.canParse(`http://${written}`) ? new URL(`http://${written}`).hostname : null;
  const name = (/^[\x21-\x7e]+$/.test(written) ? written.toLowerCase() : domainToASCII(written)).replace(/\.$/, '');
  return name === '' || name.split('.').includes('') ? null : name;
}

const LOOPBACK_ADDRESSES = new BlockList();
LOOPBACK_ADDRESSES.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK_ADDRESSES.addAddress('::1', 'ipv6');

/** Whether a service that listens there can be reached from this machine only. Of names, localhost alone surely means it. */
export function isOnLoopback(host: string): boolean {
  const [address = ''] = host.split('%');
  if (isIPv4(address)) return LOOPBACK_ADDRESSES.check(address, 'ipv4');
  return isIPv6(address) ? LOOPBACK_ADDRESSES.check(address, 'ipv6') : address.toLowerCase() === 'localhost';
}
