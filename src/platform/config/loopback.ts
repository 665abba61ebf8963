import { BlockList, isIPv4, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether a service that listens there can be reached from this machine only. Of names, localhost alone surely means it. */
export function isOnLoopback(host: string): boolean {
  const [address = ''] = host.split('%');
  if (isIPv4(address)) return LOOPBACK.check(address, 'ipv4');
  return isIPv6(address) ? LOOPBACK.check(address, 'ipv6') : address.toLowerCase() === 'localhost';
}
