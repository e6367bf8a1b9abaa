import { compilePattern } from '../patterns/pattern.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './check-digits.ts';
import { isEmail } from './email.ts';
import { parseSchemaDuration } from './go-duration.ts';
import { isDateTime, parseDate } from './go-time.ts';
import { parseRequestUri, UrlError } from './go-url.ts';
import { parseSloppyAddress } from './ip-address.ts';
import { isSloppyCidr } from './ip-prefix.ts';
import { isLongName, isShortName } from './kubernetes-names.ts';

/** Whether a string has a format. */
export type FormatCheck = (text: string) => boolean;

/** The formats that a server knows, and what becomes of the others. */
export interface Formats {
  get(name: string): FormatCheck | undefined;
  /** Whether the format stays in the schema at all; one that does not is as if it were not written. */
  isKept(name: string): boolean;
}

const HEX = '[0-9a-fA-F]';

/** `xxxxxxxx-xxxx-…`, dashes optional; `version` and `variant` are the first digits of the third and fourth group. */
const uuid = (version: string, variant: string) =>
  regex(`^${HEX}{8}-?${HEX}{4}-?${version}${HEX}{3}-?${variant}${HEX}{3}-?${HEX}{12}$`);

/** For expressions that are linear anyway. */
function regex(source: string): FormatCheck {
  const compiled = new RegExp(source);
  return (text) => compiled.test(text);
}

const COLOR_PART = '\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*';

/** Names without dashes: `date-time` and `datetime` are the same. */
const CHECKS: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: regex(`^${HEX}{24}$`),
  uri: isUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && parseSloppyAddress(text) !== undefined,
  ipv6: (text) => text.includes(':') && parseSloppyAddress(text) !== undefined,
  cidr: isSloppyCidr,
  mac: isMac,
  uuid: uuid(HEX, HEX),
  uuid3: uuid('3', HEX),
  uuid4: uuid('4', '[89abAB]'),
  uuid5: uuid('5', '[89abAB]'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: regex('^(?=.{11}$)\\d{3}[- ]?\\d{2}[- ]?\\d{4}$'),
  hexcolor: regex(`^#?(${HEX}{3}|${HEX}{6})$`),
  rgbcolor: regex(`^rgb\\(${COLOR_PART},${COLOR_PART},${COLOR_PART}\\)$`),
  byte: isBase64,
  password: () => true,
  date: (text) => parseDate(text) !== undefined,
  duration: (text) => parseSchemaDuration(text) !== undefined,
  datetime: isDateTime,
  k8sshortname: isShortName,
  k8slongname: isLongName,
};

const checkOf = (name: string): FormatCheck | undefined => {
  const plain = name.replaceAll('-', '');
  return Object.hasOwn(CHECKS, plain) ? CHECKS[plain] : undefined;
};

/** For objects: formats that Kubernetes does not know (`int32`, `double`, made-up ones) mean nothing. */
export const OBJECT_FORMATS: Formats = { get: checkOf, isKept: (name) => checkOf(name) !== undefined };

/** For defaults in a schema: unknown formats stay and colour the messages about wrong types. */
export const DEFAULT_FORMATS: Formats = { get: checkOf, isKept: (name) => name !== '' };

/** An absolute URI or an absolute path. */
export function isUri(text: string): boolean {
  try {
    parseRequestUri(text);
    return true;
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}

export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

const LABEL_CHAR = 'a-zA-Z0-9\\p{S}\\p{L}';
const SINGLE = `[${LABEL_CHAR}](-?[${LABEL_CHAR}]{0,62})?`;
const QUALIFIED = `([${LABEL_CHAR}]([-${LABEL_CHAR}]{0,61}[${LABEL_CHAR}])?\\.)+[a-zA-Z\\p{L}]{2,63}`;
let hostnamePattern: ReturnType<typeof compilePattern> | undefined;

/** A single label, or labels that end in a top-level domain of letters. */
function isHostname(text: string): boolean {
  hostnamePattern ??= compilePattern(`^(${SINGLE}|${QUALIFIED})$`);
  if (!hostnamePattern.test(text) || Buffer.byteLength(text) > 255) return false;
  return text.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

/** Six, eight or twenty bytes: pairs joined by `:` or `-`, or groups of four joined by dots. */
function isMac(text: string): boolean {
  const pairs = /^[0-9a-fA-F]{2}(([:-])[0-9a-fA-F]{2}(\2[0-9a-fA-F]{2})*)$/.test(text) ? (text.length + 1) / 3 : 0;
  const fours = /^[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4})+$/.test(text) ? ((text.length + 1) / 5) * 2 : 0;
  return [6, 8, 20].includes(pairs || fours);
}
