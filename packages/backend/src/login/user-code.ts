import { randomInt } from 'node:crypto';

/** Letters that make no words and cannot be mistaken for each other, as RFC 8628 proposes. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** A random code for people to compare and to type, such as `WDJB-MJHT`. */
export function newUserCode(): string {
  const part = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return `${part()}-${part()}`;
}

/** The code that somebody typed, however they wrote it; undefined when it cannot be one. */
export function parseUserCode(text: string): string | undefined {
  const typed = text.toUpperCase().replaceAll(/[\s-]/g, '');
  if (!new RegExp(`^[${letters}]{8}$`).test(typed)) return undefined;
  return `${typed.slice(0, 4)}-${typed.slice(4)}`;
}
