/** Bytes of a text in base 64, standard or URL-safe alphabet, padded or not; undefined when it is neither. */
export function decodeBase64(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return undefined;
  const digits = text.replace(/=+$/, '');
  return digits.length % 4 === 1 ? undefined : Buffer.from(digits, 'base64');
}

/** A text in base 64: standard alphabet with padding, the only form that every Go decoder of Klutch understands. */
export function encodeBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
