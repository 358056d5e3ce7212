import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { callerAddress, PROBE_ADDRESS, passageOf } from './caller-address';

const holder = globalThis as { pagewireServer?: object };
const PEER = 'x-peer';

beforeAll(() => {
  Object.assign(process.env, COMPLETE_ENVIRONMENT, {
    TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8:1::/48, ::1',
  });
});
afterAll(() => {
  holder.pagewireServer = undefined;
});

const headersOf = (peer: string | undefined, forwarded?: string) => ({
  ...(peer && { [PEER]: peer }),
  ...(forwarded && { 'x-forwarded-for': forwarded }),
});

function addressOf(peer: string | undefined, forwarded?: string): string {
  return callerAddress(new Request('http://localhost/', { headers: headersOf(peer, forwarded) }));
}

describe('on our own server', () => {
  beforeAll(() => {
    holder.pagewireServer = { doors: new Map(), endings: [], peerHeader: PEER };
  });

  test.each<[string, string, string | undefined, string]>([
    ['a stranger is known by the socket', '203.0.113.5', undefined, '203.0.113.5'],
    ['a stranger cannot name somebody else', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['a trusted proxy names the caller', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    [
      'what the caller itself wrote into the header does not count',
      '10.1.2.3',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    [
      'a chain of trusted proxies is skipped',
      '10.1.2.3',
      '198.51.100.1, 192.0.2.7, 10.9.9.9',
      '198.51.100.1',
    ],
    ['when every address is a trusted proxy, the farthest counts', '10.1.2.3', '10.4.4.4', '10.4.4.4'],
    ['a proxy that names nobody is the caller', '10.1.2.3', undefined, '10.1.2.3'],
    ['a proxy that names nonsense is the caller', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
    ['an IPv4 address written as IPv6 is the same', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a port is not part of an address', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['a /64 is one caller', '2001:db8:5:7:a:b:c:d', undefined, '2001:db8:5:7::/64'],
    ['a /64 is one caller however it is written', '2001:0DB8:0005:7::1', undefined, '2001:db8:5:7::/64'],
    ['omitted zeros count', '2001:db8::5', undefined, '2001:db8:0:0::/64'],
    ['a single omitted zero counts once', '2001::2:3:4:5:6:7', undefined, '2001:0:2:3::/64'],
    ['a trusted range of IPv6', '2001:db8:1::9', '[2001:db8:5:7::1]:443', '2001:db8:5:7::/64'],
    ['a trusted proxy on this machine', '::1', '198.51.100.1', '198.51.100.1'],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(addressOf(peer, forwarded)).toBe(expected);
  });
});

describe('on a host that runs the routes itself', () => {
  beforeAll(() => {
    holder.pagewireServer = undefined;
  });

  test.each<[string, string | undefined, string | undefined, string]>([
    ['the last address of the header counts', undefined, '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['trusted proxies are skipped there too', undefined, '198.51.100.1, 10.1.2.3', '198.51.100.1'],
    ['the header of our own server means nothing', '203.0.113.5', '198.51.100.1', '198.51.100.1'],
    ['without it the caller is unknown', undefined, undefined, 'unknown'],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(addressOf(peer, forwarded)).toBe(expected);
  });
});

describe('how a call came', () => {
  const passage = (peer: string, forwarded?: string) =>
    passageOf(new Request('http://localhost/', { headers: headersOf(peer, forwarded) }));
  beforeAll(() => {
    holder.pagewireServer = { doors: new Map(), endings: [], peerHeader: PEER };
  });

  test.each<[string, string, string | undefined, string]>([
    ['without a proxy', '203.0.113.5', undefined, 'direct'],
    ['when Next names the peer itself', '203.0.113.5', '::ffff:203.0.113.5', 'direct'],
    ['when only the caller wrote the header', '203.0.113.5', PROBE_ADDRESS, 'direct'],
    ['through a proxy that appends', '10.1.2.3', `${PROBE_ADDRESS}, 198.51.100.1`, 'trusted_proxy'],
    ['through a proxy that nobody named', '203.0.113.9', '198.51.100.1', 'untrusted_proxy'],
  ])('shows %s', (_, peer, forwarded, expected) => {
    expect(passage(peer, forwarded)).toBe(expected);
  });

  test('is up to a host that runs the routes itself', () => {
    holder.pagewireServer = undefined;
    expect(passage('203.0.113.5')).toBe('host');
  });
});
