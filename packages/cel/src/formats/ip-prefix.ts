import { goQuote } from '../text/go-quote.ts';
import { formatAddress, type IpAddress, isIpv4Address, parseAddress, parseSloppyAddress } from './ip-address.ts';

/** A network: an address and how many of its leading bits count. */
export interface IpPrefix {
  readonly address: IpAddress;
  readonly bits: number;
}

/** Parses a network as Go's netip does; a string that comes back says what is wrong. */
export function parsePrefix(text: string): IpPrefix | string {
  const failure = (problem: string) => `netip.ParsePrefix(${goQuote(text)}): ${problem}`;
  const slash = text.lastIndexOf('/');
  if (slash === -1) return failure("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if (typeof address === 'string') return failure(address);
  if (address.zone !== '') return failure('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  if (!/^(0|[1-9]\d*)$/.test(length)) return failure(`bad bits after slash: ${goQuote(length)}`);
  const bits = Number(length);
  if (bits > address.bytes.length * 8) return failure('prefix length out of range');
  return { address, bits };
}

/** Whether a text is a network in the old, tolerant reading. */
export function isSloppyCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash === -1) return false;
  const address = parseSloppyAddress(text.slice(0, slash));
  const length = text.slice(slash + 1);
  return address !== undefined && /^\d+$/.test(length) && Number(length) <= address.bytes.length * 8;
}

export const formatPrefix = ({ address, bits }: IpPrefix) => `${formatAddress(address)}/${bits}`;

/** The network with all bits behind its length cleared. */
export function masked({ address, bits }: IpPrefix): IpPrefix {
  const bytes = address.bytes.map((byte, at) => byte & mask(bits - at * 8));
  return { address: { bytes, zone: '' }, bits };
}

export function containsAddress({ address, bits }: IpPrefix, other: IpAddress): boolean {
  if (isIpv4Address(address) !== isIpv4Address(other)) return false;
  return address.bytes.every((byte, at) => ((byte ^ (other.bytes[at] ?? 0)) & mask(bits - at * 8)) === 0);
}

/** The mask of one byte of which `bits` leading bits count. */
const mask = (bits: number) => (bits >= 8 ? 0xff : bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff);
