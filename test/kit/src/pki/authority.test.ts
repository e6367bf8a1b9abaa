import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';

import { type Authority, createAuthority, type IssuedCertificate, loadAuthority } from './authority.ts';

const HOUR_MS = 3_600_000;

describe('authority', () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await createAuthority('test authority');
  });

  it('is self-signed and may sign others', () => {
    const certificate = new X509Certificate(authority.certificate);
    expect(certificate.ca).toBe(true);
    expect(certificate.subject).toBe('CN=test authority');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  });

  it('issues certificates that name user and groups as Kubernetes reads them', async () => {
    const issued = await authority.issue({ commonName: 'jane', organizations: ['developers', 'system:masters'] });
    const certificate = new X509Certificate(issued.certificate);
    expect(certificate.subject).toBe('O=developers\nO=system:masters\nCN=jane');
    expect(certificate.ca).toBe(false);
    expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(certificate.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  });

  it('takes names with every sign that has a meaning in a distinguished name', async () => {
    const name = 'a+b=c, "d" <e>;#f\\g';
    const issued = await authority.issue({ commonName: name });
    expect(new X509Certificate(issued.certificate).toLegacyObject().subject.CN).toBe(name);
  });

  it('writes host names and addresses into serving certificates', async () => {
    const issued = await authority.issue({
      commonName: 'server',
      usage: 'server',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
    });
    const certificate = new X509Certificate(issued.certificate);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkHost('elsewhere')).toBeUndefined();
  });

  it('gives every certificate its own serial number and key', async () => {
    const issued = await Promise.all([1, 2, 3].map(() => authority.issue({ commonName: 'same' })));
    const certificates = issued.map(({ certificate }) => new X509Certificate(certificate));
    expect(new Set(certificates.map(({ serialNumber }) => serialNumber)).size).toBe(3);
    expect(new Set(issued.map(({ key }) => key)).size).toBe(3);
    expect(certificates.every((certificate, i) => certificate.checkPrivateKey(privateKey(issued[i])))).toBe(true);
  });

  it('makes certificates valid from a little while ago until tomorrow', async () => {
    const certificate = new X509Certificate((await authority.issue({ commonName: 'jane' })).certificate);
    const now = Date.now();
    expect(Date.parse(certificate.validFrom)).toBeLessThan(now);
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(now + 23 * HOUR_MS);
  });

  it('issues certificates that have expired, with a validity that makes sense', async () => {
    const notAfter = new Date('2020-06-01T12:00:00Z');
    const certificate = new X509Certificate((await authority.issue({ commonName: 'old', notAfter })).certificate);
    expect(Date.parse(certificate.validTo)).toBe(notAfter.getTime());
    expect(Date.parse(certificate.validFrom)).toBe(notAfter.getTime() - HOUR_MS);
  });

  it('can be restored from its texts', async () => {
    const restored = await loadAuthority({ certificate: authority.certificate, key: authority.key });
    const certificate = new X509Certificate((await restored.issue({ commonName: 'jane' })).certificate);
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  });

  describe('in a TLS handshake', () => {
    it.each([
      { holder: 'a certificate of its own', issue: () => authority.issue({ commonName: 'jane' }), refusal: undefined },
      {
        holder: 'an expired certificate',
        issue: () => authority.issue({ commonName: 'jane', notAfter: new Date(Date.now() - HOUR_MS) }),
        refusal: 'CERT_HAS_EXPIRED',
      },
      {
        holder: 'a certificate that is not valid yet',
        issue: () => authority.issue({ commonName: 'jane', notBefore: new Date(Date.now() + HOUR_MS) }),
        refusal: 'CERT_NOT_YET_VALID',
      },
      {
        holder: 'a certificate of a namesake authority',
        issue: async () => (await createAuthority('test authority')).issue({ commonName: 'jane' }),
        refusal: expect.stringMatching(/UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE/),
      },
      {
        holder: 'a serving certificate',
        issue: () => authority.issue({ commonName: 'jane', usage: 'server' }),
        refusal: 'INVALID_PURPOSE',
      },
    ])('$holder is judged rightly', async ({ issue, refusal }) => {
      expect(await serverVerdict(authority, await issue())).toEqual(refusal);
    });
  });
});

/** Why a server that trusts `authority` refuses the client; `undefined` when it does not. */
async function serverVerdict(authority: Authority, client: IssuedCertificate): Promise<string | undefined> {
  const serving = await authority.issue({ commonName: 'server', usage: 'server', ipAddresses: ['127.0.0.1'] });
  const server = createServer({
    cert: serving.certificate,
    key: serving.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: authority.certificate,
    cert: client.certificate,
    key: client.key,
  });
  const [accepted] = (await once(server, 'secureConnection')) as [TLSSocket];
  const verdict = accepted.authorizationError as unknown as string | null;
  socket.destroy();
  accepted.destroy();
  server.close();
  await once(server, 'close');
  return verdict ?? undefined;
}

function privateKey(issued: IssuedCertificate | undefined): KeyObject {
  return createPrivateKey(issued?.key ?? '');
}
