// The certificate library resolves its parts through decorators and needs this before its first import.
import 'reflect-metadata';

import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate and its private key, both in PEM. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** What the certificate says. Kubernetes reads the common name as the user and the organisations as the groups. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  /** What the holder may do with it. Default `client`. */
  readonly usage?: 'client' | 'server';
  /** Start of validity. Default: one hour ago, or an hour before `notAfter` when that lies in the past. */
  readonly notBefore?: Date;
  /** End of validity. Default: in one day. A date in the past gives an expired certificate. */
  readonly notAfter?: Date;
}

/** A certificate authority for tests. */
export interface Authority extends IssuedCertificate {
  /** Issues a certificate with a fresh ECDSA P-256 key. */
  issue(request: CertificateRequest): Promise<IssuedCertificate>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Creates a self-signed authority. Two authorities of the same name still do not accept each other's certificates. */
export async function createAuthority(commonName: string): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialNumber(),
      name: subject(commonName, []),
      notBefore: new Date(Date.now() - HOUR_MS),
      notAfter: new Date(Date.now() + 365 * DAY_MS),
      keys,
      signingAlgorithm: SIGNING_ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return authority(certificate, keys.privateKey, await keyPem(keys.privateKey));
}

/** Restores an authority from its PEM texts, so that another process can issue certificates of the same plane. */
export async function loadAuthority(pem: IssuedCertificate): Promise<Authority> {
  const der = x509.PemConverter.decodeFirst(pem.key);
  const key = await webcrypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, true, ['sign']);
  return authority(new x509.X509Certificate(pem.certificate), key, pem.key);
}

function authority(certificate: x509.X509Certificate, signingKey: webcrypto.CryptoKey, key: string): Authority {
  const issue = async (request: CertificateRequest): Promise<IssuedCertificate> => {
    const keys = await newKeys();
    const issued = await x509.X509CertificateGenerator.create(
      {
        serialNumber: serialNumber(),
        subject: subject(request.commonName, request.organizations ?? []),
        issuer: certificate.subjectName,
        ...validity(request),
        publicKey: keys.publicKey,
        signingKey,
        signingAlgorithm: SIGNING_ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([
            x509.ExtendedKeyUsage[request.usage === 'server' ? 'serverAuth' : 'clientAuth'],
          ]),
          await x509.AuthorityKeyIdentifierExtension.create(certificate, false, webcrypto),
          ...alternativeNames(request),
        ],
      },
      webcrypto,
    );
    return { certificate: `${issued.toString('pem')}\n`, key: await keyPem(keys.privateKey) };
  };
  return { certificate: `${certificate.toString('pem')}\n`, key, issue };
}

function validity(request: CertificateRequest): { notBefore: Date; notAfter: Date } {
  const notAfter = request.notAfter ?? new Date(Date.now() + DAY_MS);
  const notBefore = request.notBefore ?? new Date(Math.min(Date.now(), notAfter.getTime()) - HOUR_MS);
  return { notBefore, notAfter };
}

function subject(commonName: string, organizations: readonly string[]): x509.Name {
  // As plain strings, values would be read for quotes and escapes.
  const literal = (value: string) => [{ utf8String: value }];
  return new x509.Name([
    ...organizations.map((organization) => ({ O: literal(organization) })),
    { CN: literal(commonName) },
  ]);
}

function alternativeNames(request: CertificateRequest): x509.Extension[] {
  const names: x509.JsonGeneralNames = [
    ...(request.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(request.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}

function serialNumber(): string {
  const bytes = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16)));
  // Serial numbers are positive integers; a set top bit would make this one negative.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
}

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  return `${x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}
