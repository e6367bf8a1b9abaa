/** Letters and digits that do not spell words by accident. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxLength = 63;

/** Completes a `generateName` prefix with a random suffix. */
export function generateName(prefix: string, random: () => number = Math.random): string {
  const base = prefix.slice(0, maxLength - suffixLength);
  const suffix = Array.from({ length: suffixLength }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  return base + suffix;
}
