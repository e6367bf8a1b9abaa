import { createHash } from 'node:crypto';
import { base62 } from './base62.ts';

/** SHA-224 of a text in base 62: the digest the Go components use for ids and hashes. */
export function sha224Base62(text: string): string {
  return base62(createHash('sha224').update(text, 'utf8').digest());
}

/** FNV-1a, 32 bits, of a text as eight hexadecimal digits. */
export function fnv1a32Hex(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
