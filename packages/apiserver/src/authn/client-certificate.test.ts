import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { signCertificate } from '../pki/certificate.ts';
import { openPki } from '../pki/index.ts';
import { createCertificateVerifier } from './client-certificate.ts';

const now = new Date('2030-01-01T00:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const pki = await openPki({ now: () => now });
const other = await openPki({ now: () => now });
const verify = createCertificateVerifier(pki.certificateAuthority, () => pki.administratorAuthority);
const issue = (request: Parameters<typeof pki.issueClientCertificate>[0], by = pki) =>
  new X509Certificate(by.issueClientCertificate(request).certificate);

// Made with OpenSSL: version 1, so without any word about what it is for.
const WITHOUT_PURPOSE = `-----BEGIN CERTIFICATE-----
MIIBKjCB0QIUGApEYwsDshjf/I56x5/Ny14O3NwwCgYIKoZIzj0EAwIwETEPMA0G
A1UEAwwGdWlkLWNhMCAXDTI2MTExNTA5MTQyOVoYDzIxMjYxMDIyMDkxNDI5WjAd
MQ0wCwYDVQQKDARkZXZzMQwwCgYDVQQDDANhbm4wWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR9NbWIJQDdNJSS2bdHpwlWYX5wa7QmuXF3ToIxCeVtG1PfjJwbYqgv
hPFjKH1dCukT+WrJbgHgEwmYda4awlosMAoGCCqGSM49BAMCA0gAMEUCIQDhiTqM
WXydfJa43N8vWLFWadK93eSiYIaAMfX8CsjYTAIgSn899cXithcRq8o/fBU1YvO0
Q6NYKmVS5+Lo4UsU7NY=
-----END CERTIFICATE-----`;
const ITS_AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIUfhxymL9bLglMixb5P2ffEKrkSzEwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGdWlkLWNhMCAXDTI2MTExNTA5MTQyOVoYDzIxMjYxMDIyMDkx
NDI5WjARMQ8wDQYDVQQDDAZ1aWQtY2EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AARPU2oNZCg/vZxQJnt23+ShYxLEAeZ/J7y1D8lcGLi7OjEvGcR/to+cmj07a1Dj
H7jGBw6HsOCsP6JxdgehSRooo1MwUTAdBgNVHQ4EFgQUghc+z6sMcvBdoCu1Krdj
+MZcZz8wHwYDVR0jBBgwFoAUghc+z6sMcvBdoCu1Krdj+MZcZz8wDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAkvtHWwHIyzjEjOgJH5svBjXuvlfI
AXkjl3Y/M/FvCsgCIEAm8NCk9VOMDW8KEr6TVOFJg1oirZruCsNZZgPTIE6f
-----END CERTIFICATE-----`;

describe('a certificate of an administrator', () => {
  it('counts until administrators are revoked, also on connections that are open, and those of others stay', async () => {
    const own = await openPki({ now: () => now });
    const verifyOwn = createCertificateVerifier(own.certificateAuthority, () => own.administratorAuthority);
    const old = issue({ user: 'admin', groups: ['system:masters'] }, own);
    const ann = issue({ user: 'ann' }, own);
    expect(verifyOwn(old, now)).toMatchObject({ user: { name: 'admin' } });

    await own.revokeAdministrators();

    expect(verifyOwn(old, now)).toEqual({ problem: 'the certificate is not signed by the authority of this server' });
    expect(verifyOwn(issue({ user: 'admin', groups: ['system:masters'] }, own), now)).toMatchObject({
      user: { name: 'admin' },
    });
    expect(verifyOwn(ann, now)).toMatchObject({ user: { name: 'ann' } });
  });

  it('is worth nothing from the authority of the others, nor the other way round', () => {
    const crossed = createCertificateVerifier(pki.administratorAuthority, () => pki.certificateAuthority);
    for (const request of [{ user: 'admin', groups: ['system:masters'] }, { user: 'ann' }]) {
      expect(crossed(issue(request), now)).toHaveProperty('problem');
    }
  });
});

describe('a client certificate', () => {
  it('speaks for its common name, as member of its organisations', () => {
    const certificate = issue({ user: 'ann', groups: ['one', 'two'], uid: 'uid-7' });
    const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
    expect(verify(certificate, now)).toEqual({
      user: {
        name: 'ann',
        uid: 'uid-7',
        groups: ['one', 'two'],
        extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
      },
    });
  });

  it('does not have to have groups or a uid', () => {
    const verdict = verify(issue({ user: 'ann' }), now);
    expect(verdict).toMatchObject({ user: { name: 'ann', groups: [] } });
    expect(verdict).not.toHaveProperty('user.uid');
  });

  it('keeps names that contain what other formats use as separators', () => {
    const name = 'a,O=system:masters\nO=b';
    expect(verify(issue({ user: name, groups: [name] }), now)).toMatchObject({ user: { name, groups: [name] } });
  });

  it('speaks for nobody without a common name', () => {
    expect(verify(issue({ user: '', groups: ['one'] }), now)).toEqual({ user: undefined });
  });

  it('is worth nothing when another authority issued it, even one of the same name', () => {
    const problem = 'the certificate is not signed by the authority of this server';
    expect(verify(issue({ user: 'ann' }, other), now)).toEqual({ problem });
  });

  it('is worth nothing when it was only made to look like one of the authority', () => {
    const real = new X509Certificate(pki.certificateAuthority);
    const forger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forged = signCertificate({
      subject: { commonName: 'admin', organizations: ['system:masters'] },
      publicKey: forger.publicKey,
      issuer: { commonName: 'klutch-apiserver-ca' },
      issuerKey: forger.privateKey,
      issuerPublicKey: real.publicKey,
      notBefore: later(-10),
      notAfter: later(10),
      use: 'client',
    });
    expect(new X509Certificate(forged).checkIssued(real)).toBe(true);
    expect(verify(new X509Certificate(forged), now)).toHaveProperty('problem');
  });

  it('is worth nothing before and after its time, also on a connection that stays open', () => {
    const certificate = issue({ user: 'ann', validForSeconds: 60 });
    expect(verify(certificate, now)).toHaveProperty('user.name', 'ann');
    expect(verify(certificate, later(60))).toHaveProperty('user.name', 'ann');
    expect(verify(certificate, later(61))).toEqual({ problem: 'the certificate has expired' });
    expect(verify(certificate, later(-301))).toEqual({ problem: 'the certificate is not valid yet' });
    expect(verify(certificate, now)).toHaveProperty('user.name', 'ann');
  });

  it('must not be one for servers', () => {
    const serving = new X509Certificate(pki.serving.certificate);
    expect(verify(serving, now)).toEqual({ problem: 'the certificate is not for clients' });
  });

  it('may be for everything', () => {
    const verdict = createCertificateVerifier(ITS_AUTHORITY)(new X509Certificate(WITHOUT_PURPOSE), now);
    expect(verdict).toMatchObject({ user: { name: 'ann', groups: ['devs'] } });
  });

  it('must not have an empty uid', () => {
    expect(verify(issue({ user: 'ann', uid: '' }), now)).toEqual({
      problem: 'the certificate does not name exactly one uid',
    });
  });
});
