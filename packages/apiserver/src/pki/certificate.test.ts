import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { type CertificateContent, signCertificate } from './certificate.ts';

const issuerKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const holderKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const signed = (change: Partial<CertificateContent> = {}) =>
  new X509Certificate(
    signCertificate({
      subject: { commonName: 'holder' },
      publicKey: holderKeys.publicKey,
      issuer: { commonName: 'issuer' },
      issuerKey: issuerKeys.privateKey,
      issuerPublicKey: issuerKeys.publicKey,
      notBefore: new Date('2026-01-02T03:04:05Z'),
      notAfter: new Date('2060-01-02T03:04:05Z'),
      use: 'client',
      ...change,
    }),
  );

describe('a signed certificate', () => {
  it('is signed by the issuer and nobody else', () => {
    const certificate = signed();
    expect(certificate.verify(issuerKeys.publicKey)).toBe(true);
    expect(certificate.verify(holderKeys.publicKey)).toBe(false);
  });

  it('carries subject, issuer, key and validity', () => {
    const certificate = signed({ subject: { commonName: 'ann', organizations: ['one', 'two'] } });
    expect({ ...certificate.toLegacyObject().subject }).toEqual({ O: ['one', 'two'], CN: 'ann' });
    expect(certificate.issuer).toBe('CN=issuer');
    expect(certificate.checkPrivateKey(holderKeys.privateKey)).toBe(true);
    expect(new Date(certificate.validFrom).toISOString()).toBe('2026-01-02T03:04:05.000Z');
    expect(new Date(certificate.validTo).toISOString()).toBe('2060-01-02T03:04:05.000Z');
  });

  it.each(['system:serviceaccount:a:b', 'späß', 'a,b=c\nd+e"f\\', '中文', 'x'.repeat(200)])(
    'keeps the name %j as it is',
    (commonName) => {
      const subject = { commonName, organizations: [commonName] };
      expect({ ...signed({ subject }).toLegacyObject().subject }).toEqual({ O: commonName, CN: commonName });
    },
  );

  it('may have no common name', () => {
    expect({ ...signed({ subject: { commonName: '', organizations: ['o'] } }).toLegacyObject().subject }).toEqual({
      O: 'o',
    });
  });

  it('says what it is for', () => {
    expect(signed({ use: 'client' }).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(signed({ use: 'server' }).keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(signed({ use: 'client' }).ca).toBe(false);
    expect(signed({ use: 'authority', subject: { commonName: 'issuer' } }).ca).toBe(true);
  });

  it('names hosts and addresses of both families', () => {
    const hosts = [
      'localhost',
      'a.example.org',
      '127.0.0.1',
      '::1',
      'fe80::1:2',
      '2001:db8:1:2:3:4:5:6',
      '::ffff:10.0.0.1',
    ];
    const certificate = signed({ use: 'server', hosts });
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkHost('a.example.org')).toBe('a.example.org');
    expect(certificate.checkHost('b.example.org')).toBeUndefined();
    for (const address of hosts.slice(2)) expect(certificate.checkIP(address), address).toBe(address);
    expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
    expect(certificate.checkIP('fe80::1')).toBeUndefined();
  });

  it('points to the key of its issuer', () => {
    const authority = signed({
      use: 'authority',
      subject: { commonName: 'issuer' },
      publicKey: createPublicKey(issuerKeys.privateKey),
    });
    expect(signed().checkIssued(authority)).toBe(true);
    expect(signed({ issuerPublicKey: holderKeys.publicKey }).checkIssued(authority)).toBe(false);
  });

  it('never has the serial number of another', () => {
    const serials = Array.from({ length: 50 }, () => signed().serialNumber);
    expect(new Set(serials).size).toBe(50);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });
});
