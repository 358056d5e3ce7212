import { BlockList, isIP } from 'node:net';
import { env } from '@/lib/env';
import { ownServer } from './own-server';

/**
 * The network of the caller: an IPv4 address, or the /64 of an IPv6 address, which belongs to one household or machine.
 * X-Forwarded-For is read from its right end, and only as long as the proxies are in TRUSTED_PROXIES. A host that runs
 * the routes itself puts the caller last in that header. `unknown` when nothing names the caller.
 */
export function callerAddress(request: Request): string {
  const forwarded = request.headers.get('x-forwarded-for')?.split(',') ?? [];
  const server = ownServer();
  let address = plainAddress((server ? request.headers.get(server.peerHeader) : forwarded.pop()) ?? '');
  while (address && isTrusted(address)) {
    const named = plainAddress(forwarded.pop() ?? '');
    if (!named) break;
    address = named;
  }
  return address ? networkOf(address) : 'unknown';
}

/** Whether a call came through a proxy, and whether that proxy is believed about the caller. */
export type Passage = 'direct' | 'trusted_proxy' | 'untrusted_proxy' | 'host';

/**
 * An address that nobody has. A call with it in X-Forwarded-For reveals whether there is a proxy, because every proxy
 * appends the caller or replaces the header.
 */
export const PROBE_ADDRESS = '192.0.2.1';

/** How a call came here, judging by its headers; `host` where another server runs the routes. */
export function passageOf(request: Request): Passage {
  const server = ownServer();
  if (!server) return 'host';
  const peer = plainAddress(request.headers.get(server.peerHeader) ?? '');
  const caller = plainAddress(request.headers.get('x-forwarded-for')?.split(',').at(-1) ?? '');
  // Without a proxy, Next itself puts the peer into the header.
  if (!caller || caller === PROBE_ADDRESS || caller === peer) return 'direct';
  return peer && isTrusted(peer) ? 'trusted_proxy' : 'untrusted_proxy';
}

// Some proxies add the port, and the server listens for IPv4 and IPv6 on one socket.
const WITH_PORT = /^\[(?<v6>.+)\](?::\d+)?$|^(?<v4>[\d.]+):\d+$/;
const MAPPED = /^::ffff:(?=[\d.]+$)/i;

function plainAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const { v4, v6 } = WITH_PORT.exec(trimmed)?.groups ?? {};
  const address = (v4 ?? v6 ?? trimmed).replace(MAPPED, '').replace(/%.*$/, '');
  return isIP(address) ? address : undefined;
}

let trusted: { of: string[]; list: BlockList } | undefined;

function isTrusted(address: string): boolean {
  const { TRUSTED_PROXIES } = env();
  if (trusted?.of !== TRUSTED_PROXIES) trusted = { of: TRUSTED_PROXIES, list: listOf(TRUSTED_PROXIES) };
  return trusted.list.check(address, familyOf(address));
}

function listOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits) list.addSubnet(address, Number(bits), familyOf(address));
    else list.addAddress(address, familyOf(address));
  }
  return list;
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function networkOf(address: string): string {
  if (isIP(address) === 4) return address;
  const [front, back] = address.toLowerCase().split('::').map(groupsOf);
  const missing = 8 - (front?.length ?? 0) - (back?.length ?? 0);
  const groups = [...(front ?? []), ...Array(back ? missing : 0).fill('0'), ...(back ?? [])];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  const groups = text ? text.split(':') : [];
  // The last two may be written as an IPv4 address.
  return groups.flatMap((group) => (group.includes('.') ? ['0', '0'] : group.replace(/^0+(?=.)/, '')));
}
