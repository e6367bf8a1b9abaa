import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';

import { signCertificate, type CertificateUse, type Subject } from './certificate.ts';

/** A certificate and its private key, both in PEM. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** What to issue. */
export interface CertificateRequest extends Subject {
  readonly use: Exclude<CertificateUse, 'authority'>;
  readonly hosts?: readonly string[];
  /** How long it is valid from now on, in seconds. */
  readonly validForSeconds: number;
}

/** Signs certificates. */
export interface Authority {
  /** Its own certificate, which those who trust it need. */
  readonly certificate: string;
  readonly key: string;
  /** Issues a certificate for a fresh key. */
  issue(request: CertificateRequest, now: Date): IssuedCertificate;
}

const NAME: Subject = { commonName: 'klutch-apiserver-ca' };
const DAY_SECONDS = 86_400;
const AUTHORITY_SECONDS = 3_650 * DAY_SECONDS;

/** Clocks differ; what is issued now is valid for somebody whose clock is a little behind, too. */
const BACKDATED_SECONDS = 300;

/** Creates an authority with a fresh key, valid for ten years. */
export function createAuthority(now: Date): Authority {
  const keys = newKeys();
  return authority(selfSign(keys.privateKey, now), keys.key);
}

/** Restores an authority from its PEM texts. Throws when they are not a certificate and the key to it. */
export function loadAuthority(pem: IssuedCertificate): Authority {
  const certificate = new X509Certificate(pem.certificate);
  if (!certificate.checkPrivateKey(createPrivateKey(pem.key)))
    throw new Error('the key does not belong to the certificate');
  return authority(pem.certificate, pem.key);
}

/**
 * The same authority with a certificate that is valid for another ten years. Whoever trusts the old certificate accepts
 * what the renewed one signs, because key and name stay.
 */
export function renewAuthority({ key }: Authority, now: Date): Authority {
  return authority(selfSign(createPrivateKey(key), now), key);
}

/** A fresh ECDSA key on P-256, in PEM (PKCS #8). */
export function newPrivateKey(): string {
  return newKeys().key;
}

function authority(certificate: string, key: string): Authority {
  const issuerKey = createPrivateKey(key);
  const issuerPublicKey = createPublicKey(issuerKey);
  const issue = ({ use, hosts, validForSeconds, ...subject }: CertificateRequest, now: Date): IssuedCertificate => {
    const keys = newKeys();
    const issued = signCertificate({
      subject,
      publicKey: keys.publicKey,
      issuer: NAME,
      issuerKey,
      issuerPublicKey,
      ...validity(now, validForSeconds),
      use,
      hosts,
    });
    return { certificate: issued, key: keys.key };
  };
  return { certificate, key, issue };
}

function selfSign(issuerKey: KeyObject, now: Date): string {
  const publicKey = createPublicKey(issuerKey);
  return signCertificate({
    subject: NAME,
    publicKey,
    issuer: NAME,
    issuerKey,
    issuerPublicKey: publicKey,
    ...validity(now, AUTHORITY_SECONDS),
    use: 'authority',
  });
}

function validity(now: Date, seconds: number): { notBefore: Date; notAfter: Date } {
  const start = now.getTime();
  return { notBefore: new Date(start - BACKDATED_SECONDS * 1_000), notAfter: new Date(start + seconds * 1_000) };
}

function newKeys(): { privateKey: KeyObject; publicKey: KeyObject; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKey, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
