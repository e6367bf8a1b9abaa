/**
 * The few pieces of DER (ITU-T X.690) a certificate is made of. Every function returns one complete element: tag,
 * length, content.
 */

const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** An ordered list of elements. */
export function sequence(...elements: readonly Buffer[]): Buffer {
  return element(TAGS.sequence, Buffer.concat(elements));
}

/** A set of one element, all that names of certificates need. */
export function setOf(member: Buffer): Buffer {
  return element(TAGS.set, member);
}

/** A non-negative integer, given as its bytes, most significant first. */
export function unsignedInteger(bytes: Buffer): Buffer {
  const significant = bytes.subarray(bytes.findIndex((byte, index) => byte !== 0 || index === bytes.length - 1));
  const needsSignByte = ((significant[0] ?? 0) & 0x80) !== 0;
  return element(TAGS.integer, needsSignByte ? Buffer.concat([Buffer.of(0), significant]) : significant);
}

/** Only `true`: DER leaves defaults out, and false is the default wherever certificates have a boolean. */
export function booleanTrue(): Buffer {
  return element(TAGS.boolean, Buffer.of(0xff));
}

/** Whole bytes as a bit string. */
export function bitString(bytes: Buffer): Buffer {
  return element(TAGS.bitString, Buffer.concat([Buffer.of(0), bytes]));
}

/** A bit string that names flags: bit 0 is the first. Trailing zero bits are dropped, as DER asks. */
export function namedBits(bits: readonly number[]): Buffer {
  const highest = Math.max(...bits);
  const bytes = Buffer.alloc((highest >> 3) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return element(TAGS.bitString, Buffer.concat([Buffer.of(7 - (highest & 7)), bytes]));
}

/** Bytes. */
export function octetString(bytes: Buffer): Buffer {
  return element(TAGS.octetString, bytes);
}

/** An object identifier in its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(TAGS.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** Text of any language. */
export function utf8String(text: string): Buffer {
  return element(TAGS.utf8String, Buffer.from(text, 'utf8'));
}

/** A moment, to the second: certificates use the short form up to the year 2049 and the long one from then on. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  const isShort = date.getUTCFullYear() < 2050;
  return element(
    isShort ? TAGS.utcTime : TAGS.generalizedTime,
    Buffer.from(isShort ? digits.slice(2) : digits, 'ascii'),
  );
}

/** `[number]` around complete elements. */
export function explicit(number: number, content: Buffer): Buffer {
  return element(0xa0 | number, content);
}

/** `[number]` in place of the tag of a primitive element. */
export function implicit(number: number, content: Buffer): Buffer {
  return element(0x80 | number, content);
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag, ...lengthOf(content.length)), content]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
