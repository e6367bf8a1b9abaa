import { formatAddress, type IpAddress, isIpv4Address, isMapped, parseAddress } from '../formats/ip-address.ts';
import { containsAddress, formatPrefix, type IpPrefix, masked, parsePrefix } from '../formats/ip-prefix.ts';
import { type GoUrl, parseRequestUri, parseUrl, queryValues, splitHostPort, UrlError } from '../formats/go-url.ts';
import { goQuote } from '../text/go-quote.ts';
import { BOOL, INT, listOf, mapOf, named, opaque, STRING } from '../types/cel-type.ts';
import { EvalError, noSuchOverload } from '../values/eval-error.ts';
import { PlainList } from '../values/list.ts';
import { PlainMap } from '../values/map.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { define, type FunctionDeclaration, global, member } from './declaration.ts';

class Ip extends OpaqueValue {
  override readonly typeName = 'net.IP';
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  override matches(other: this): boolean {
    return formatAddress(this.address) === formatAddress(other.address);
  }
}

class Cidr extends OpaqueValue {
  override readonly typeName = 'net.CIDR';
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    super();
    this.prefix = prefix;
  }

  override matches(other: this): boolean {
    return formatPrefix(this.prefix) === formatPrefix(other.prefix);
  }
}

class Url extends OpaqueValue {
  override readonly typeName = 'kubernetes.URL';
  readonly url: GoUrl;

  constructor(url: GoUrl) {
    super();
    this.url = url;
  }

  override matches(other: this): boolean {
    return this.url.text === other.url.text;
  }
}

function readIp(text: string): Ip {
  const address = parseAddress(text);
  if (typeof address === 'string')
    throw new EvalError(`IP Address ${goQuote(text)} parse error during conversion from string: ${address}`);
  if (address.zone !== '') throw new EvalError(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isMapped(address)) throw new EvalError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new Ip(address);
}

function readCidr(text: string): Cidr {
  const failed = 'network address parse error during conversion from string';
  const prefix = parsePrefix(text);
  if (typeof prefix === 'string') throw new EvalError(`${failed}: ${failed}: ${prefix}`);
  if (isMapped(prefix.address))
    throw new EvalError(`${failed}: IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new Cidr(prefix);
}

function readUrl(text: string): Url {
  try {
    // Only absolute URLs are URLs here, but a fragment is read as one.
    parseRequestUri(text);
    return new Url(parseUrl(text));
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new EvalError(`URL parse error during conversion from string: ${error.message}`, { cause: error });
  }
}

/** Whether reading succeeds. */
const succeeds = (read: (text: string) => unknown) => (text: string) => {
  try {
    read(text);
    return true;
  } catch (error) {
    if (error instanceof EvalError) return false;
    throw error;
  }
};

/** Tests of an address by its leading bytes. */
const isLoopback = ({ address: { bytes } }: Ip) =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, at) => byte === (at === 15 ? 1 : 0));
const isUnspecified = ({ address: { bytes } }: Ip) => bytes.every((byte) => byte === 0);
const isLinkLocalUnicast = ({ address: { bytes } }: Ip) =>
  bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
const isLinkLocalMulticast = ({ address: { bytes } }: Ip) =>
  bytes.length === 4
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 0x02;
const isMulticast = ({ address: { bytes } }: Ip) =>
  bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
const isBroadcast = ({ address: { bytes } }: Ip) => bytes.length === 4 && bytes.every((byte) => byte === 255);
const isGlobalUnicast = (ip: Ip) =>
  !isUnspecified(ip) && !isBroadcast(ip) && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);

const containsCidr = ({ prefix }: Cidr, { prefix: other }: Cidr) =>
  prefix.bits <= other.bits && containsAddress({ ...prefix, bits: Math.min(prefix.bits, other.bits) }, other.address);

/** A text that is no address counts as an argument of the wrong type. */
function containsIpText({ prefix }: Cidr, text: string): boolean {
  if (!succeeds(readIp)(text)) throw noSuchOverload();
  return containsAddress(prefix, readIp(text).address);
}

const query = ({ url }: Url) =>
  new PlainMap(
    Array.from(queryValues(url.rawQuery), ([name, values]): [string, PlainList] => [name, new PlainList(values)]),
  );

const IP = opaque('net.IP');
const CIDR = opaque('net.CIDR');
const URL_TYPE = named('kubernetes.URL');

/** Addresses, networks and URLs. */
export const NETWORKS: readonly FunctionDeclaration[] = [
  define(
    'ip',
    global('string_to_ip', [STRING], IP, readIp),
    member('cidr_ip', [CIDR], IP, ({ prefix }: Cidr) => new Ip(prefix.address)),
  ),
  define('isIP', global('is_ip', [STRING], BOOL, succeeds(readIp))),
  define(
    'ip.isCanonical',
    global('ip_is_canonical', [STRING], BOOL, (text: string) => formatAddress(readIp(text).address) === text),
  ),
  define(
    'family',
    member('ip_family', [IP], INT, ({ address }: Ip) => (isIpv4Address(address) ? 4n : 6n)),
  ),
  define('isUnspecified', member('ip_is_unspecified', [IP], BOOL, isUnspecified)),
  define('isLoopback', member('ip_is_loopback', [IP], BOOL, isLoopback)),
  define('isLinkLocalMulticast', member('ip_is_link_local_multicast', [IP], BOOL, isLinkLocalMulticast)),
  define('isLinkLocalUnicast', member('ip_is_link_local_unicast', [IP], BOOL, isLinkLocalUnicast)),
  define('isGlobalUnicast', member('ip_is_global_unicast', [IP], BOOL, isGlobalUnicast)),
  define(
    'string',
    global('ip_to_string', [IP], STRING, ({ address }: Ip) => formatAddress(address)),
    global('cidr_to_string', [CIDR], STRING, ({ prefix }: Cidr) => formatPrefix(prefix)),
  ),
  define('cidr', global('string_to_cidr', [STRING], CIDR, readCidr)),
  define('isCIDR', global('is_cidr', [STRING], BOOL, succeeds(readCidr))),
  define(
    'containsIP',
    member('cidr_contains_ip_string', [CIDR, STRING], BOOL, containsIpText),
    member('cidr_contains_ip_ip', [CIDR, IP], BOOL, ({ prefix }: Cidr, { address }: Ip) =>
      containsAddress(prefix, address),
    ),
  ),
  define(
    'containsCIDR',
    member('cidr_contains_cidr_string', [CIDR, STRING], BOOL, (cidr: Cidr, text: string) =>
      containsCidr(cidr, readCidr(text)),
    ),
    member('cidr_contains_cidr', [CIDR, CIDR], BOOL, containsCidr),
  ),
  define(
    'prefixLength',
    member('cidr_prefix_length', [CIDR], INT, ({ prefix }: Cidr) => BigInt(prefix.bits)),
  ),
  define(
    'masked',
    member('cidr_masked', [CIDR], CIDR, ({ prefix }: Cidr) => new Cidr(masked(prefix))),
  ),
  define('url', global('string_to_url', [STRING], URL_TYPE, readUrl)),
  define('isURL', global('is_url_string', [STRING], BOOL, succeeds(readUrl))),
  define(
    'getScheme',
    member('url_get_scheme', [URL_TYPE], STRING, ({ url }: Url) => url.scheme),
  ),
  define(
    'getHost',
    member('url_get_host', [URL_TYPE], STRING, ({ url }: Url) => url.host),
  ),
  define(
    'getHostname',
    member('url_get_hostname', [URL_TYPE], STRING, ({ url }: Url) => splitHostPort(url.host).hostname),
  ),
  define(
    'getPort',
    member('url_get_port', [URL_TYPE], STRING, ({ url }: Url) => splitHostPort(url.host).port),
  ),
  define(
    'getEscapedPath',
    member('url_get_escaped_path', [URL_TYPE], STRING, ({ url }: Url) => url.escapedPath),
  ),
  define('getQuery', member('url_get_query', [URL_TYPE], mapOf(STRING, listOf(STRING)), query)),
];
