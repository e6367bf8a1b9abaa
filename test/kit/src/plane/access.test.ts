import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Authority, createAuthority } from '../pki/authority.ts';
import { attachPlane, publishAccess } from './access.ts';
import type { PlaneAccess } from './plane.ts';

describe('access to a plane', () => {
  let dir: string;
  let pki: Authority;
  let server: Server;
  let owner: PlaneAccess;
  let guest: PlaneAccess;

  /** Grants tokens to the service account `known` and to no other, as kube-apiserver words it. */
  function answer(path = ''): { status: number; body: object } {
    if (path.includes('/serviceaccounts/known/token')) return { status: 201, body: { status: { token: 'granted' } } };
    return { status: 404, body: { kind: 'Status', status: 'Failure', message: 'serviceaccounts not found' } };
  }

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-access-'));
    pki = await createAuthority('access test');
    const serving = await pki.issue({ commonName: 'server', usage: 'server', ipAddresses: ['127.0.0.1'] });
    server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
      const { status, body } = answer(request.url);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await writeFile(join(dir, 'ca.crt'), pki.certificate);
    await writeFile(join(dir, 'ca.key'), pki.key);
    owner = await publishAccess(dir, pki, { url: `https://127.0.0.1:${port}`, tokens: { dev: 'static' } });
    guest = await attachPlane(dir);
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
    await rm(dir, { recursive: true });
  });

  it('is the same for the owner and for another process', () => {
    expect(guest.url).toBe(owner.url);
    expect(guest.dir).toBe(owner.dir);
    expect(guest.pki.certificate).toBe(owner.pki.certificate);
    expect(guest.tokenUser('dev').credentials).toEqual({ token: 'static' });
  });

  it('is recorded where only this user can read it', async () => {
    expect((await stat(join(dir, 'access.json'))).mode & 0o777).toBe(0o600);
  });

  it('lets both create users whom the authority vouches for', async () => {
    for (const access of [owner, guest]) {
      const { credentials } = await access.certificateUser({ name: 'jane', groups: ['a'] });
      const certificate = new X509Certificate('certificate' in credentials ? credentials.certificate : '');
      expect(certificate.subject).toBe('O=a\nCN=jane');
      expect(certificate.verify(new X509Certificate(pki.certificate).publicKey)).toBe(true);
    }
  });

  it('speaks for service accounts with a token it asked for', async () => {
    const user = await guest.serviceAccountUser({ namespace: 'team', name: 'known' });
    expect(user).toMatchObject({ name: 'system:serviceaccount:team:known', credentials: { token: 'granted' } });
  });

  it('repeats why a token was refused', async () => {
    await expect(guest.serviceAccountUser({ namespace: 'team', name: 'other' })).rejects.toMatchObject({
      code: 'KLUTCH_KIT_USAGE',
      message: 'no token for team/other: serviceaccounts not found',
    });
  });

  it('knows no token user that was not declared', () => {
    expect(() => guest.tokenUser('nobody')).toThrow('no token user nobody: declare it in startPlane({ tokenUsers })');
  });

  it('is not to be had where no plane is', async () => {
    await expect(attachPlane(join(dir, 'elsewhere'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
