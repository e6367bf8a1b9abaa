import { base62 } from '../encoding/base62.ts';
import { sha224Base62 } from '../encoding/digest.ts';

const idLength = 6;

/**
 * Identity of an app cluster: derived from the UID of its namespace `klutch-bind`, hence stable for as long as that
 * namespace lives, and the same whichever command computes it.
 */
export function clusterId(namespaceUid: string): string {
  return sha224Base62(namespaceUid).slice(0, idLength);
}

/** How many random bytes {@link sessionId} wants. */
export const sessionEntropy = 28;

/** Identity of one login, from random bytes of a cryptographic source. */
export function sessionId(random: Uint8Array): string {
  if (random.length < sessionEntropy) throw new RangeError(`a session id needs ${sessionEntropy} random bytes`);
  return base62(random).slice(-idLength).padStart(idLength, '0');
}

/** Value of the identity annotation as the Go backend writes it. It names no issuer and is ambiguous if a part has `#`. */
export function goIdentity(subject: string, cluster: string): string {
  return `${subject}#${cluster}`;
}
