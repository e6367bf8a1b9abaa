const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Writes bytes, read as one big-endian number, in base 62 (digits, lower case, upper case). No bytes give `0`. */
export function base62(bytes: Uint8Array): string {
  let rest = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  do {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  } while (rest > 0n);
  return text;
}
