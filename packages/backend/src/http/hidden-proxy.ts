import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What of a request tells which way it came. */
export interface RequestPath {
  /** Address of the other end of the connection. */
  readonly peer: string;
  /** Address that the request counts for: that of the peer unless the peer is a trusted proxy. */
  readonly ip: string;
  /** Header `X-Forwarded-For`. */
  readonly forwardedFor?: string;
  /** Header `Forwarded`. */
  readonly forwarded?: string;
}

/** A proxy that is not trusted, so that all who come through it have one address. */
export interface HiddenProxy {
  readonly address: string;
  /** The address that the proxy itself added, if it can be that of a client; whoever runs the proxy may have made it up. */
  readonly client?: string;
}

/**
 * The proxy that a request came through if it is inside of the network and not among the trusted ones; undefined when there
 * is none. A peer with a public address is a client, whatever its headers say.
 */
export function hiddenProxyOf({ peer, ip, forwardedFor, forwarded }: RequestPath): HiddenProxy | undefined {
  if (forwardedFor === undefined && forwarded === undefined) return undefined;
  if (ip !== peer || !isInside(peer)) return undefined;
  const last = forwardedFor?.split(',').at(-1)?.trim() ?? '';
  const isClient = (isIPv4(last) || isIPv6(last)) && !isInside(last);
  return { address: peer, ...(isClient && { client: last }) };
}

const inside = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(network, bits, 'ipv4');
}
inside.addAddress('::1', 'ipv6');
inside.addSubnet('fc00::', 7, 'ipv6');
inside.addSubnet('fe80::', 10, 'ipv6');

/** Whether an address is one of this machine or of a private network. */
function isInside(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  if (isIPv4(plain)) return inside.check(plain, 'ipv4');
  return isIPv6(plain) && inside.check(plain, 'ipv6');
}
