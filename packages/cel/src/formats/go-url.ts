import { goQuote } from '../text/go-quote.ts';
import { isIpv4Address, parseAddress } from './ip-address.ts';

/** A URL as Go reads it, with the parts that CEL gives access to. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** As written, or escaped where it had to be. */
  readonly escapedPath: string;
  readonly rawQuery: string;
  /** The whole URL in its normal form; two URLs are equal when these are. */
  readonly text: string;
}

/** Says why a text is not a URL, in the words of Go. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

/** Parses an absolute URI or an absolute path, as Go does for the target of a request. A fragment is not one there. */
export function parseRequestUri(raw: string): GoUrl {
  return named(raw, () => parse(raw, true, ''));
}

/** Parses any URL, relative ones and fragments included. */
export function parseUrl(raw: string): GoUrl {
  const hash = raw.indexOf('#');
  const head = hash === -1 ? raw : raw.slice(0, hash);
  const fragment = hash === -1 ? '' : raw.slice(hash + 1);
  named(raw, () => checkEscapes(fragment));
  return named(head, () => parse(head, false, fragment));
}

function named<T>(raw: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new UrlError(`parse ${goQuote(raw)}: ${error.message}`, { cause: error });
  }
}

function parse(raw: string, viaRequest: boolean, fragment: string): GoUrl {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(raw)) throw new UrlError('net/url: invalid control character in URL');
  if (raw === '' && viaRequest) throw new UrlError('empty url');
  if (raw === '*') return build({ scheme: '', authority: undefined, path: '*', query: undefined, fragment });

  const [scheme, afterScheme] = splitScheme(raw);
  const mark = afterScheme.indexOf('?');
  const query = mark === -1 ? undefined : afterScheme.slice(mark + 1);
  const rest = mark === -1 ? afterScheme : afterScheme.slice(0, mark);

  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme, host: '', escapedPath: '', rawQuery: query ?? '', text: raw };
    if (viaRequest) throw new UrlError('invalid URI for request');
    if (rest.split('/', 1)[0]?.includes(':')) throw new UrlError('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!viaRequest && !rest.startsWith('///')));
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0;
  const path = slash === -1 ? '' : rest.slice(slash);
  const authority = hasAuthority ? rest.slice(2, slash === -1 ? undefined : slash) : undefined;
  return build({ scheme, authority, path, query, fragment });
}

function splitScheme(raw: string): [scheme: string, rest: string] {
  if (raw.startsWith(':')) throw new UrlError('missing protocol scheme');
  const found = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(raw);
  if (!found?.[1]) return ['', raw];
  return [found[1].toLowerCase(), raw.slice(found[0].length)];
}

interface Parts {
  readonly scheme: string;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string;
}

function build({ scheme, authority, path, query, fragment }: Parts): GoUrl {
  const { user, host } = authority === undefined ? { user: '', host: '' } : splitAuthority(authority, scheme);
  checkEscapes(path);
  const escapedPath = PATH_AS_IS.test(path) ? path : escape(decode(path), PATH_PLAIN);
  const start = (scheme === '' ? '' : `${scheme}:`) + (authority === undefined ? '' : `//${user}${host}`);
  const end = (query === undefined ? '' : `?${query}`) + (fragment === '' ? '' : `#${fragment}`);
  return { scheme, host, escapedPath, rawQuery: query ?? '', text: start + escapedPath + end };
}

function splitAuthority(authority: string, scheme: string): { user: string; host: string } {
  const at = authority.lastIndexOf('@');
  const host = checkHost(authority.slice(at + 1), scheme);
  if (at === -1) return { user: '', host };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlError('net/url: invalid userinfo');
  checkEscapes(user);
  return { user: `${user}@`, host };
}

function checkHost(host: string, scheme: string): string {
  if (host.lastIndexOf('[') > 0) throw new UrlError('invalid IP-literal');
  if (host.startsWith('[')) return checkLiteral(host);
  const first = host.indexOf(':');
  const isStrict = scheme === 'http' || scheme === 'https';
  if (first !== -1) checkPort(host.slice(isStrict ? first : host.lastIndexOf(':')));
  return checkHostText(host);
}

function checkLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close === -1) throw new UrlError("missing ']' in host");
  checkPort(host.slice(close + 1));
  const inner = host.slice(1, close);
  const zone = inner.indexOf('%25');
  const address = zone === -1 ? checkHostText(inner) : checkHostText(inner.slice(0, zone)) + decode(inner.slice(zone));
  const problem = parseAddress(address);
  if (typeof problem === 'string') throw new UrlError(`invalid host: ${problem}`);
  if (isIpv4Address(problem)) throw new UrlError('invalid IP-literal');
  return `[${address}]${host.slice(close + 1)}`;
}

function checkPort(port: string): void {
  if (port === '' || /^:\d*$/.test(port)) return;
  throw new UrlError(`invalid port ${goQuote(port)} after host`);
}

function checkHostText(host: string): string {
  checkEscapes(host);
  for (const [escape] of host.matchAll(/%[0-7][0-9a-fA-F]/g)) {
    if (escape !== '%25') throw new UrlError(`invalid URL escape ${goQuote(escape)}`);
  }
  const wrong = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(host);
  if (wrong) throw new UrlError(`invalid character ${goQuote(wrong[0])} in host name`);
  return decode(host);
}

function checkEscapes(text: string): void {
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(text);
  if (wrong) throw new UrlError(`invalid URL escape ${goQuote(wrong[0])}`);
}

/** Paths that Go gives back as they were written. */
const PATH_AS_IS = /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/;
const PATH_PLAIN = /[A-Za-z0-9\-_.~$&+,/:;=@]/;

function escape(text: string, plain: RegExp): string {
  let escaped = '';
  for (const char of text) escaped += plain.test(char) ? char : percent(char);
  return escaped;
}

const percent = (char: string) =>
  Array.from(new TextEncoder().encode(char), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

function decode(text: string): string {
  if (!text.includes('%')) return text;
  const bytes: number[] = [];
  for (const [part] of text.matchAll(/%[0-9a-fA-F]{2}|[^%]+|%/g)) {
    if (part.length === 3 && part.startsWith('%')) bytes.push(Number.parseInt(part.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Host name and port of `host`; the port is empty when there is none. */
export function splitHostPort(host: string): { hostname: string; port: string } {
  const port = /:(\d*)$/.exec(host);
  const name = port ? host.slice(0, port.index) : host;
  const isLiteral = name.startsWith('[') && name.endsWith(']');
  return { hostname: isLiteral ? name.slice(1, -1) : name, port: port?.[1] ?? '' };
}

/** The values of each parameter of a query. Parts that are not well-formed are left out. */
export function queryValues(rawQuery: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const part of rawQuery.split('&')) {
    if (part === '' || part.includes(';') || /%(?![0-9a-fA-F]{2})/.test(part)) continue;
    const equals = part.indexOf('=');
    const name = unplus(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : unplus(part.slice(equals + 1));
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

const unplus = (text: string) => decode(text.replaceAll('+', ' '));
