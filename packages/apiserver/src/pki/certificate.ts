import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';

import * as der from './der.ts';

/** What a certificate says about its holder. Kubernetes reads the common name as the user, organisations as groups. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly uid?: string;
}

/** What its holder may do with a certificate. */
export type CertificateUse = 'authority' | 'server' | 'client';

/** Everything a certificate of version 3 is made of, apart from its serial number. */
export interface CertificateContent {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly issuer: Subject;
  /** An ECDSA key on P-256. */
  readonly issuerKey: KeyObject;
  readonly issuerPublicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly use: CertificateUse;
  /** Host names and IP addresses the holder answers for. */
  readonly hosts?: readonly string[];
}

const OIDS = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  kubernetesUid: '1.3.6.1.4.1.57683.2',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
} as const;

/** Bits of the key usage extension (RFC 5280, 4.2.1.3). */
const KEY_USAGE = { digitalSignature: 0, keyCertificateSign: 5, crlSign: 6 } as const;

const VERSION_3 = Buffer.of(2);
const SIGNATURE_ALGORITHM = der.sequence(der.oid(OIDS.ecdsaWithSha256));

/**
 * Signs a certificate and returns it in PEM. The signature is ECDSA with SHA-256.
 *
 * Written here rather than taken from a library: the usual one takes longer to load than the whole server may take to
 * start, and a certificate without options is one page of code.
 */
export function signCertificate(content: CertificateContent): string {
  const signed = der.sequence(
    der.explicit(0, der.unsignedInteger(VERSION_3)),
    der.unsignedInteger(serialNumber()),
    SIGNATURE_ALGORITHM,
    name(content.issuer),
    der.sequence(der.time(content.notBefore), der.time(content.notAfter)),
    name(content.subject),
    spki(content.publicKey),
    der.explicit(3, der.sequence(...extensions(content))),
  );
  const signature = sign('sha256', signed, content.issuerKey);
  return pem(der.sequence(signed, SIGNATURE_ALGORITHM, der.bitString(signature)));
}

/** A positive number of at most 16 bytes, as authorities must not give the same one twice. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function name({ commonName, organizations = [], uid }: Subject): Buffer {
  return der.sequence(
    ...organizations.map((organization) => namePart(OIDS.organization, organization)),
    ...(commonName === '' ? [] : [namePart(OIDS.commonName, commonName)]),
    ...(uid === undefined ? [] : [namePart(OIDS.kubernetesUid, uid)]),
  );
}

function namePart(type: string, value: string): Buffer {
  return der.setOf(der.sequence(der.oid(type), der.utf8String(value)));
}

function extensions({ use, hosts = [], publicKey, issuerPublicKey }: CertificateContent): Buffer[] {
  const isAuthority = use === 'authority';
  const usage = isAuthority
    ? [KEY_USAGE.digitalSignature, KEY_USAGE.keyCertificateSign, KEY_USAGE.crlSign]
    : [KEY_USAGE.digitalSignature];
  return [
    extension(OIDS.basicConstraints, der.sequence(...(isAuthority ? [der.booleanTrue()] : [])), true),
    extension(OIDS.keyUsage, der.namedBits(usage), true),
    ...(isAuthority ? [] : [extension(OIDS.extendedKeyUsage, der.sequence(der.oid(purpose(use))))]),
    extension(OIDS.subjectKeyIdentifier, der.octetString(keyIdentifier(publicKey))),
    extension(OIDS.authorityKeyIdentifier, der.sequence(der.implicit(0, keyIdentifier(issuerPublicKey)))),
    ...(hosts.length === 0 ? [] : [extension(OIDS.subjectAlternativeName, der.sequence(...hosts.map(generalName)))]),
  ];
}

function purpose(use: CertificateUse): string {
  return use === 'server' ? OIDS.serverAuthentication : OIDS.clientAuthentication;
}

function extension(type: string, value: Buffer, isCritical = false): Buffer {
  return der.sequence(der.oid(type), ...(isCritical ? [der.booleanTrue()] : []), der.octetString(value));
}

const DNS_NAME = 2;
const IP_ADDRESS = 7;

function generalName(host: string): Buffer {
  if (isIP(host) === 0) return der.implicit(DNS_NAME, Buffer.from(host, 'ascii'));
  return der.implicit(IP_ADDRESS, isIPv4(host) ? Buffer.from(host.split('.').map(Number)) : ipv6Bytes(host));
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser writes an embedded IPv4 address as two groups.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** SHA-1 over the whole public key structure: any stable digest will do, and nothing depends on its strength. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha1').update(spki(publicKey)).digest();
}

function spki(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
