import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/**
 * Says why a certificate and a private key cannot be used together, as the end of a sentence about both; `undefined` when
 * they can. Of a chain, the first certificate counts.
 */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const parsedCertificate = parsed(() => new X509Certificate(certificate));
  if (parsedCertificate === undefined) return 'cannot be used: the certificate is damaged';
  const parsedKey = parsed((): KeyObject => createPrivateKey(key));
  if (parsedKey === undefined) return 'cannot be used: the key is damaged or of an unknown type';
  return parsedCertificate.checkPrivateKey(parsedKey) ? undefined : 'do not belong together';
}

/** The parser's own message is dropped: it says nothing a user could act on, and the text it is about is secret. */
function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
