import { X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openPki, type Pki } from './pki.ts';
import { PkiError } from './pki-error.ts';

const DAY_MS = 86_400_000;
const today = new Date('2030-01-01T00:00:00Z');
const at = (days: number) => () => new Date(today.getTime() + days * DAY_MS);

describe('keys and certificates in memory', () => {
  it('are different for every server', async () => {
    const [one, two] = [await openPki(), await openPki()];
    expect(one.certificateAuthority).not.toBe(two.certificateAuthority);
    expect(one.serviceAccountKey).not.toBe(two.serviceAccountKey);
  });

  it('let a client and the server trust each other over TLS', async () => {
    const pki = await openPki();
    const client = pki.issueClientCertificate({ user: 'ann', groups: ['one', 'two'] });
    const seen = await shakeHands(pki, client, 'localhost');
    expect(seen).toEqual({ isAuthorized: true, subject: { O: ['one', 'two'], CN: 'ann' } });
  });

  it('make the server trustworthy under its names in the cluster', async () => {
    const pki = await openPki();
    const seen = await shakeHands(pki, pki.issueClientCertificate({ user: 'ann' }), 'kubernetes.default.svc');
    expect(seen.isAuthorized).toBe(true);
  });

  it('do not make the server trust clients of another one', async () => {
    const [pki, other] = [await openPki(), await openPki()];
    const seen = await shakeHands(pki, other.issueClientCertificate({ user: 'ann' }), 'localhost');
    expect(seen.isAuthorized).toBe(false);
  });

  it('issue client certificates for a year unless told otherwise', async () => {
    const pki = await openPki({ now: at(0) });
    const lasts = (pem: string) => (new Date(new X509Certificate(pem).validTo).getTime() - today.getTime()) / 1_000;
    expect(lasts(pki.issueClientCertificate({ user: 'ann' }).certificate)).toBe(365 * 86_400);
    expect(lasts(pki.issueClientCertificate({ user: 'ann', validForSeconds: 60 }).certificate)).toBe(60);
  });
});

describe('administrators', () => {
  const isFrom = (pem: string, authority: string) =>
    new X509Certificate(pem).verify(new X509Certificate(authority).publicKey);
  const admin = { user: 'admin', groups: ['a', 'system:masters'] };

  it('are signed for by an authority of their own, and nobody else is', async () => {
    const pki = await openPki();
    const [theirs, other] = [pki.issueClientCertificate(admin), pki.issueClientCertificate({ user: 'ann' })];
    expect(isFrom(theirs.certificate, pki.administratorAuthority)).toBe(true);
    expect(isFrom(theirs.certificate, pki.certificateAuthority)).toBe(false);
    expect(isFrom(other.certificate, pki.certificateAuthority)).toBe(true);
  });

  it('stay over a restart, unless they were revoked or their files removed', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'klutch-pki-'));
    const first = await openPki({ dir });
    expect((await openPki({ dir })).administratorAuthority).toBe(first.administratorAuthority);

    const before = first.administratorAuthority;
    await first.revokeAdministrators();
    expect(first.administratorAuthority).not.toBe(before);
    expect((await openPki({ dir })).administratorAuthority).toBe(first.administratorAuthority);

    await rm(join(dir, 'administrators.crt'));
    const third = await openPki({ dir });
    expect(isFrom(first.issueClientCertificate(admin).certificate, third.administratorAuthority)).toBe(false);
    expect(third.certificateAuthority).toBe(first.certificateAuthority);
    await rm(dir, { recursive: true });
  });

  it('are revoked when a crash in the middle of a revocation left files that do not fit', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'klutch-pki-'));
    const first = await openPki({ dir });
    const other = await openPki();
    await writeFile(join(dir, 'administrators.key'), other.serviceAccountKey);
    const second = await openPki({ dir });
    expect(second.administratorAuthority).not.toBe(first.administratorAuthority);
    expect(isFrom(second.issueClientCertificate(admin).certificate, second.administratorAuthority)).toBe(true);
    await rm(dir, { recursive: true });
  });
});

describe('keys and certificates in a folder', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'klutch-pki-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('are the same after a restart', async () => {
    const first = await openPki({ dir });
    const second = await openPki({ dir });
    expect(second.certificateAuthority).toBe(first.certificateAuthority);
    expect(second.serving).toEqual(first.serving);
    expect(second.serviceAccountKey).toBe(first.serviceAccountKey);
  });

  it('can be read by their owner only, even when somebody opened them', async () => {
    await openPki({ dir: join(dir, 'pki') });
    const files = await readdir(join(dir, 'pki'));
    expect(files.sort()).toEqual([
      'administrators.crt',
      'administrators.key',
      'ca.crt',
      'ca.key',
      'service-account.key',
      'serving.crt',
      'serving.key',
    ]);
    await chmod(join(dir, 'pki', 'ca.key'), 0o644);
    await openPki({ dir: join(dir, 'pki') });
    for (const file of files) expect((await stat(join(dir, 'pki', file))).mode & 0o777, file).toBe(0o600);
    expect((await stat(join(dir, 'pki'))).mode & 0o777).toBe(0o700);
  });

  it('get a new serving certificate when the old one is about to expire, and not before', async () => {
    const first = await openPki({ dir, now: at(0) });
    expect((await openPki({ dir, now: at(334) })).serving).toEqual(first.serving);
    const renewed = await openPki({ dir, now: at(336) });
    expect(renewed.serving.certificate).not.toBe(first.serving.certificate);
    expect(renewed.certificateAuthority).toBe(first.certificateAuthority);
    expect((await openPki({ dir, now: at(336) })).serving).toEqual(renewed.serving);
  });

  it('get a new serving certificate for further hosts', async () => {
    const first = await openPki({ dir });
    const second = await openPki({ dir, hosts: ['api.example.org', '10.1.2.3'] });
    expect(second.serving).not.toEqual(first.serving);
    const certificate = new X509Certificate(second.serving.certificate);
    expect(certificate.checkHost('api.example.org')).toBe('api.example.org');
    expect(certificate.checkIP('10.1.2.3')).toBe('10.1.2.3');
    expect((await openPki({ dir })).serving).toEqual(second.serving);
  });

  it.each(['serving.key', 'serving.crt'])('get a new serving certificate when %s is damaged', async (file) => {
    await openPki({ dir });
    await writeFile(join(dir, file), 'nonsense');
    const { serving, certificateAuthority } = await openPki({ dir });
    const issuer = new X509Certificate(certificateAuthority);
    expect(new X509Certificate(serving.certificate).verify(issuer.publicKey)).toBe(true);
  });

  it('extend the authority before what it signs could outlive it', async () => {
    const first = await openPki({ dir, now: at(0) });
    const client = first.issueClientCertificate({ user: 'ann' });
    const later = await openPki({ dir, now: at(3_300) });
    expect(later.certificateAuthority).not.toBe(first.certificateAuthority);
    const authority = new X509Certificate(later.certificateAuthority);
    expect(new X509Certificate(client.certificate).verify(authority.publicKey)).toBe(true);
  });

  it('start afresh when the first start was interrupted before the authority was complete', async () => {
    await writeFile(join(dir, 'ca.key'), 'half a k');
    const pki = await openPki({ dir });
    expect(await readFile(join(dir, 'ca.crt'), 'utf8')).toBe(pki.certificateAuthority);
  });

  it.each([
    ['ca.key', 'nonsense'],
    ['ca.crt', 'nonsense'],
    ['service-account.key', 'nonsense'],
  ])('refuse to start over a damaged %s, naming it and no secret', async (file, content) => {
    await openPki({ dir });
    await writeFile(join(dir, file), content);
    const failure = await openPki({ dir }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PkiError);
    expect(failure).toHaveProperty('code', 'KLUTCH_APISERVER_PKI_UNUSABLE');
    expect(String(failure)).toContain(join(dir, file === 'ca.key' ? 'ca.crt' : file));
    expect(String(failure)).not.toContain('nonsense');
  });

  it('refuse to start over a missing key of the authority', async () => {
    await openPki({ dir });
    await rm(join(dir, 'ca.key'));
    await expect(openPki({ dir })).rejects.toThrow(PkiError);
  });
});

async function shakeHands(pki: Pki, client: { certificate: string; key: string }, host: string) {
  const server = createServer(
    {
      cert: pki.serving.certificate,
      key: pki.serving.key,
      ca: pki.certificateAuthority,
      requestCert: true,
      rejectUnauthorized: false,
    },
    ({ socket }, answer) => {
      const tls = socket as TLSSocket;
      const subject = tls.getPeerX509Certificate()?.toLegacyObject().subject;
      answer.end(JSON.stringify({ isAuthorized: tls.authorized, subject: { ...subject } }));
    },
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    return await new Promise<{ isAuthorized: boolean; subject: object }>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const tls = {
        ca: pki.certificateAuthority,
        cert: client.certificate,
        key: client.key,
        servername: host,
        agent: false as const,
      };
      request({ host: '127.0.0.1', port, ...tls }, (answer) => {
        json(answer).then((seen) => resolve(seen as { isAuthorized: boolean; subject: object }), reject);
      })
        .on('error', reject)
        .end();
    });
  } finally {
    await new Promise((resolve) => void server.close(resolve));
  }
}
