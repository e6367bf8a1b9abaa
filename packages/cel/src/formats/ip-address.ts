import { goQuote } from '../text/go-quote.ts';

/** An IP address: 4 or 16 bytes. IPv6 addresses may have a zone. */
export interface IpAddress {
  readonly bytes: Uint8Array;
  readonly zone: string;
}

export const isIpv4Address = ({ bytes }: IpAddress) => bytes.length === 4;

/** Whether an IPv6 address carries an IPv4 one (`::ffff:1.2.3.4`). */
export const isMapped = ({ bytes }: IpAddress) =>
  bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;

/** Parses an address as Go's netip does; a string that comes back says what is wrong. */
export function parseAddress(text: string): IpAddress | string {
  for (const char of text) {
    if (char === '.') return parseV4(text);
    if (char === ':') return parseV6(text);
    if (char === '%') return failure(text, 'missing IPv6 address');
  }
  return failure(text, 'unable to parse IP');
}

/** Parses the old way, which tolerates leading zeros in IPv4 and refuses zones. */
export function parseSloppyAddress(text: string): IpAddress | undefined {
  const isV4 = text.includes('.') && !text.includes(':');
  const address = isV4 ? parseV4(text, true) : parseAddress(text);
  return typeof address === 'string' || address.zone !== '' ? undefined : address;
}

function failure(text: string, problem: string, at?: string): string {
  const where = at === undefined ? '' : ` (at ${goQuote(at)})`;
  return `ParseAddr(${goQuote(text)}): ${problem}${where}`;
}

function parseV4(text: string, isSloppy = false): IpAddress | string {
  const problem = v4Problem(text, isSloppy);
  if (problem !== undefined) return failure(text, problem[0], problem[1]);
  return { bytes: Uint8Array.from(text.split('.'), Number), zone: '' };
}

function v4Problem(text: string, isSloppy: boolean): [problem: string, at?: string] | undefined {
  let field = '';
  let fields = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char >= '0' && char <= '9') {
      if (field === '0' && !isSloppy) return ['IPv4 field has octet with leading zero'];
      field += char;
      if (Number(field) > 255) return ['IPv4 field has value >255'];
    } else if (char === '.') {
      if (at === 0 || at === text.length - 1 || text.charAt(at - 1) === '.') {
        return ['IPv4 field must have at least one digit', text.slice(at)];
      }
      fields++;
      field = '';
      if (fields === 4) return ['IPv4 address too long'];
    } else {
      return ['unexpected character', text.slice(at)];
    }
  }
  return fields < 3 ? ['IPv4 address too short'] : undefined;
}

function parseV6(text: string): IpAddress | string {
  const percent = text.indexOf('%');
  const zone = percent === -1 ? '' : text.slice(percent + 1);
  if (percent !== -1 && zone === '') return failure(text, 'zone must be a non-empty string');
  const bytes = groupsOf(percent === -1 ? text : text.slice(0, percent));
  if (Array.isArray(bytes)) return failure(text, bytes[0], bytes[1]);
  return { bytes, zone };
}

function groupsOf(whole: string): Uint8Array | [problem: string, at?: string] {
  const bytes: number[] = [];
  let ellipsis = -1;
  let rest = whole;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (bytes.length < 16 && rest !== '') {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return ['each group must have 4 or less digits', rest];
    if (digits === '') return ['each colon-separated field must have at least one digit', rest];
    if (rest.charAt(digits.length) === '.') return withTrailingV4(bytes, ellipsis, rest);
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return ['unexpected character, want colon', rest];
    if (rest === ':') return ['colon must be followed by more characters', rest];
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (ellipsis !== -1) return ['multiple :: in address', rest];
    ellipsis = bytes.length;
    rest = rest.slice(1);
  }
  return rest === '' ? expand(bytes, ellipsis) : ['trailing garbage after address', rest];
}

function withTrailingV4(bytes: number[], ellipsis: number, rest: string): Uint8Array | [string, string?] {
  if (ellipsis === -1 && bytes.length !== 12)
    return ['embedded IPv4 address must replace the final 2 fields of the address', rest];
  if (bytes.length > 12) return ['too many hex fields to fit an embedded IPv4 at the end of the address', rest];
  const problem = v4Problem(rest, false);
  if (problem) return problem;
  return expand([...bytes, ...rest.split('.').map(Number)], ellipsis);
}

function expand(bytes: readonly number[], ellipsis: number): Uint8Array | [string, string?] {
  if (bytes.length === 16)
    return ellipsis === -1 ? Uint8Array.from(bytes) : ['the :: must expand to at least one field of zeros'];
  if (ellipsis === -1) return ['address string too short'];
  const zeros = Array.from({ length: 16 - bytes.length }, () => 0);
  return Uint8Array.from([...bytes.slice(0, ellipsis), ...zeros, ...bytes.slice(ellipsis)]);
}

/** The one way to write an address. */
export function formatAddress(address: IpAddress): string {
  const { bytes, zone } = address;
  if (isIpv4Address(address)) return bytes.join('.');
  if (isMapped(address)) return `::ffff:${bytes.subarray(12).join('.')}${zone === '' ? '' : `%${zone}`}`;
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0));
  return shorten(groups) + (zone === '' ? '' : `%${zone}`);
}

/** Writes groups in hex, the longest run of at least two zeros as `::`. */
function shorten(groups: readonly number[]): string {
  let [start, length] = [-1, 1];
  for (let at = 0; at < groups.length; at++) {
    let run = 0;
    while (groups[at + run] === 0) run++;
    if (run > length) [start, length] = [at, run];
    at += run;
  }
  const hex = groups.map((group) => group.toString(16));
  if (start === -1) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}
