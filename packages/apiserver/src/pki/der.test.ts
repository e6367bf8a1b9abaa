import { describe, expect, it } from 'vitest';

import * as der from './der.ts';

const hex = (bytes: Buffer) => bytes.toString('hex');

describe('DER', () => {
  // Expected bytes are those of the examples in X.690 and of OpenSSL.
  it.each([
    ['zero', der.unsignedInteger(Buffer.of(0)), '020100'],
    ['a small integer', der.unsignedInteger(Buffer.of(0x7f)), '02017f'],
    ['an integer with its top bit set', der.unsignedInteger(Buffer.of(0x80)), '02020080'],
    ['an integer with leading zeros', der.unsignedInteger(Buffer.of(0, 0, 1)), '020101'],
    ['true', der.booleanTrue(), '0101ff'],
    ['bytes as bits', der.bitString(Buffer.of(1, 2)), '0303000102'],
    ['flag 0', der.namedBits([0]), '03020780'],
    ['flags 0, 5 and 6', der.namedBits([0, 5, 6]), '03020186'],
    ['a flag in the second byte', der.namedBits([8]), '0303070080'],
    ['an octet string', der.octetString(Buffer.of(9)), '040109'],
    ['an identifier with long parts', der.oid('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
    ['an identifier with a very long part', der.oid('1.3.6.1.4.1.57683.2'), '06092b0601040183c25302'],
    ['text beyond ASCII', der.utf8String('é'), '0c02c3a9'],
    [
      'a time before 2050',
      der.time(new Date('2049-12-31T23:59:59Z')),
      `170d${Buffer.from('491231235959Z').toString('hex')}`,
    ],
    [
      'a time from 2050 on',
      der.time(new Date('2050-01-01T00:00:00Z')),
      `180f${Buffer.from('20500101000000Z').toString('hex')}`,
    ],
    ['an explicit tag', der.explicit(3, Buffer.of(5, 0)), 'a3020500'],
    ['an implicit tag', der.implicit(2, Buffer.from('a')), '820161'],
    ['an empty sequence', der.sequence(), '3000'],
    ['a set', der.setOf(der.booleanTrue()), '31030101ff'],
  ])('encodes %s', (_, encoded, expected) => {
    expect(hex(encoded)).toBe(expected);
  });

  it('writes the length of long content in as many bytes as it needs', () => {
    expect(hex(der.octetString(Buffer.alloc(127)).subarray(0, 2))).toBe('047f');
    expect(hex(der.octetString(Buffer.alloc(128)).subarray(0, 3))).toBe('048180');
    expect(hex(der.octetString(Buffer.alloc(256)).subarray(0, 4))).toBe('04820100');
    expect(hex(der.octetString(Buffer.alloc(65_536)).subarray(0, 5))).toBe('0483010000');
  });
});
