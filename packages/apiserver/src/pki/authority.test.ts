import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { createAuthority, loadAuthority, newPrivateKey, renewAuthority } from './authority.ts';

const now = new Date('2030-05-06T07:08:09Z');
const request = { commonName: 'ann', use: 'client', validForSeconds: 3_600 } as const;
const dates = (pem: string) => {
  const { validFrom, validTo } = new X509Certificate(pem);
  return [new Date(validFrom).toISOString(), new Date(validTo).toISOString()];
};

describe('an authority', () => {
  it('is valid for ten years and signs itself', () => {
    const authority = createAuthority(now);
    const certificate = new X509Certificate(authority.certificate);
    expect(dates(authority.certificate)).toEqual(['2030-05-06T07:03:09.000Z', '2040-05-03T07:08:09.000Z']);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.ca).toBe(true);
  });

  it('issues certificates for as long as asked, from a little before now', () => {
    const issued = createAuthority(now).issue(request, now);
    expect(dates(issued.certificate)).toEqual(['2030-05-06T07:03:09.000Z', '2030-05-06T08:08:09.000Z']);
  });

  it('issues every certificate for a key of its own', () => {
    const authority = createAuthority(now);
    expect(authority.issue(request, now).key).not.toBe(authority.issue(request, now).key);
  });

  it('goes on after it was stored', () => {
    const authority = createAuthority(now);
    const restored = loadAuthority({ certificate: authority.certificate, key: authority.key });
    const issued = new X509Certificate(restored.issue(request, now).certificate);
    expect(issued.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  });

  it('does not accept the key of another', () => {
    const { certificate } = createAuthority(now);
    expect(() => loadAuthority({ certificate, key: newPrivateKey() })).toThrow('does not belong');
  });

  it('is still trusted by those who know its old certificate after renewal', () => {
    const authority = createAuthority(now);
    const renewed = renewAuthority(authority, new Date('2040-01-01T00:00:00Z'));
    const old = new X509Certificate(authority.certificate);
    const issued = new X509Certificate(renewed.issue(request, now).certificate);
    expect(dates(renewed.certificate)[1]).toBe('2049-12-29T00:00:00.000Z');
    expect(issued.checkIssued(old)).toBe(true);
    expect(issued.verify(old.publicKey)).toBe(true);
  });
});
