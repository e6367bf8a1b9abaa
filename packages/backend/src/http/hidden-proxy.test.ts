import { describe, expect, it } from 'vitest';
import { type HiddenProxy, hiddenProxyOf, type RequestPath } from './hidden-proxy.ts';

describe('a proxy that is not trusted', () => {
  const pod = '10.42.0.7';

  it.each<[string, RequestPath, HiddenProxy | undefined]>([
    ['no header', { peer: pod, ip: pod }, undefined],
    ['a public peer', { peer: '203.0.113.9', ip: '203.0.113.9', forwardedFor: '198.51.100.1' }, undefined],
    ['a trusted proxy', { peer: pod, ip: '198.51.100.1', forwardedFor: '198.51.100.1' }, undefined],
    ['one client', { peer: pod, ip: pod, forwardedFor: '198.51.100.1' }, { address: pod, client: '198.51.100.1' }],
    [
      'a client that lies about others before it',
      { peer: pod, ip: pod, forwardedFor: '192.0.2.1, 198.51.100.1' },
      { address: pod, client: '198.51.100.1' },
    ],
    [
      'a load balancer inside before it',
      { peer: pod, ip: pod, forwardedFor: '198.51.100.1, 10.0.0.3' },
      { address: pod },
    ],
    ['something else than an address', { peer: pod, ip: pod, forwardedFor: 'unknown' }, { address: pod }],
    ['an empty header', { peer: pod, ip: pod, forwardedFor: '' }, { address: pod }],
    ['the standard header', { peer: pod, ip: pod, forwarded: 'for=198.51.100.1' }, { address: pod }],
    [
      'addresses of IPv6',
      { peer: 'fd00::7', ip: 'fd00::7', forwardedFor: '2001:db8::1' },
      { address: 'fd00::7', client: '2001:db8::1' },
    ],
    [
      'an IPv4 address in the form of IPv6',
      { peer: '::ffff:127.0.0.1', ip: '::ffff:127.0.0.1', forwardedFor: '198.51.100.1' },
      { address: '::ffff:127.0.0.1', client: '198.51.100.1' },
    ],
    ['a public IPv6 peer', { peer: '2001:db8::9', ip: '2001:db8::9', forwardedFor: '198.51.100.1' }, undefined],
  ])('is told from %s', (_, path, expected) => {
    expect(hiddenProxyOf(path)).toEqual(expected);
  });
});
