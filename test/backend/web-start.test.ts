import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { type Authority, createAuthority } from '@klutch/kit';
import { silentLogger } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWeb } from '../../packages/backend/src/http/create-web.ts';
import type { WebDeps } from '../../packages/backend/src/http/deps.ts';
import { startWeb } from '../../packages/backend/src/http/start-web.ts';
import { scriptedControlPlane } from './scripted-control-plane.ts';
import { baseUrl, memoryHolders, memoryMarks, memoryTickets, startWebWorld } from './web-world.ts';

describe('TLS of the backend', () => {
  it('follows certificate files that change, and keeps the old ones while the new are broken', async () => {
    const { folder, authority, files, write } = await certificateFolder();
    await write(authority, 'first');
    const abort = new AbortController();
    const web = await startWeb(
      { ...(await plainDeps()), timing: { files: 20 } },
      { host: '127.0.0.1', port: 0, tls: files },
      abort.signal,
    );
    onTestFinished(async () => {
      abort.abort();
      await web.stopped;
    });

    expect(await commonName(web.port, authority)).toBe('first');
    expect(await statusOver(web.port, authority, '/healthz')).toBe(200);

    await writeFile(join(folder, 'tls.key'), 'broken');
    await write(authority, 'second');
    await eventually(async () => (await commonName(web.port, authority)) === 'second', { withinMs: 30_000 });
  });

  it.each([
    ['BE-61 without the key', 'tls.key', undefined, '--tls-key-file'],
    ['BE-61 without the certificate', 'tls.crt', undefined, '--tls-cert-file'],
    ['BE-61 with a key that is none', 'tls.key', 'text', '--tls-key-file'],
    ['BE-61 with a certificate that is none', 'tls.crt', 'text', '--tls-cert-file'],
    ['BE-61 with the key of another certificate', 'tls.key', 'other', '--tls-key-file'],
  ])('%s does not start, and names the option', async (_, file, content, option) => {
    const { folder, authority, files, write } = await certificateFolder();
    await write(authority, 'first');
    if (content === undefined) await rm(join(folder, file));
    else
      await writeFile(
        join(folder, file),
        content === 'other' ? (await authority.issue({ commonName: 'x' })).key : content,
      );

    const starting = startWeb(
      await plainDeps(),
      { host: '127.0.0.1', port: 0, tls: files },
      new AbortController().signal,
    );

    await expect(starting).rejects.toMatchObject({ code: 'KLUTCH_USAGE', message: expect.stringContaining(option) });
  });
});

describe('a backend that could not be run safely', () => {
  it.each<[string, Partial<WebDeps['options']>, string]>([
    ['S-8 when nobody says who may bind', { policy: undefined }, '--allowed-groups'],
    ['BE-61 with a short key', { sealingKeys: { value: [new Uint8Array(16)] } }, '--cookie-signing-key'],
    ['S-13 with an http address', { baseUrl: 'http://klutch.example' }, '--external-url'],
    ['with an address that is none', { baseUrl: 'klutch' }, '--external-url'],
  ])('%s does not start, and names the option', async (_, wrong, option) => {
    const deps = await plainDeps();
    const policy = { ...deps.options.policy, allowAll: false };
    const options = { ...deps.options, ...wrong, ...('policy' in wrong && { policy }) };

    await expect(createWeb({ ...deps, options })).rejects.toMatchObject({
      code: 'KLUTCH_USAGE',
      message: expect.stringContaining(option),
    });
  });

  it('S-13 may use http on this machine, or when told so', async () => {
    const deps = await plainDeps();
    for (const more of [{ baseUrl: 'http://localhost:8080' }, { baseUrl: 'http://klutch.example', allowHttp: true }]) {
      const { app } = await createWeb({ ...deps, options: { ...deps.options, ...more } });
      const answer = await app.inject({ url: '/export' });
      expect(answer.json()).toMatchObject({
        authenticationMethods: [
          { oauth2CodeGrant: { authenticatedURL: `${more.baseUrl}/authorize` } },
          { deviceCode: { deviceURL: `${more.baseUrl}/device` } },
        ],
      });
      expect(answer.headers['strict-transport-security']).toBeUndefined();
      await app.close();
    }
  });

  it('says when its port is taken', async () => {
    const world = await startWebWorld();

    const starting = startWeb(await plainDeps(), { host: '127.0.0.1', port: world.port }, new AbortController().signal);

    await expect(starting).rejects.toMatchObject({ code: 'KLUTCH_BACKEND_PORT_IN_USE' });
  });
});

/** A backend whose issuer never answers. */
async function plainDeps(): Promise<WebDeps> {
  const { catalogue, tenants } = scriptedControlPlane();
  const unreachable = () => {
    throw new Error('no issuer');
  };
  return {
    options: {
      version: '1.0.0',
      prettyName: 'Acme',
      baseUrl,
      issuer: {
        url: 'https://issuer.example',
        clientId: 'a',
        clientSecrets: { value: ['b'] },
        callbackUrl: `${baseUrl}/callback`,
        scopes: ['openid'],
        otherClientIds: [],
      },
      policy: {
        allowAll: true,
        allowedUsers: [],
        allowedGroups: [],
        groupsClaim: 'groups',
        machines: { scope: 's', audiences: [], clients: new Map() },
      },
      sealingKeys: { value: [new Uint8Array(32)] },
      limits: { perAddress: 1000, perSubject: 1000 },
    },
    catalogue,
    tenants,
    issuer: {
      check: unreachable,
      authorizationUrl: unreachable,
      exchange: unreachable,
      verifyAccessToken: unreachable,
      stopped: Promise.resolve(),
    },
    usedTickets: memoryTickets(),
    tokenHolders: memoryHolders(),
    deviceMarks: memoryMarks(),
    audit: { record: () => {} },
    log: silentLogger,
  };
}

async function certificateFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const authority = await createAuthority('test authority');
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
  const write = async (from: Authority, commonName: string) => {
    const issued = await from.issue({ commonName, usage: 'server', ipAddresses: ['127.0.0.1'] });
    await writeFile(files.certFile, issued.certificate);
    await writeFile(files.keyFile, issued.key);
  };
  return { folder, authority, files, write };
}

async function commonName(port: number, authority: Authority): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port, ca: authority.certificate });
  await once(socket, 'secureConnect');
  const name = String(socket.getPeerCertificate().subject.CN);
  socket.destroy();
  return name;
}

async function statusOver(port: number, authority: Authority, path: string): Promise<number | undefined> {
  const request = httpsRequest({ host: '127.0.0.1', port, path, ca: authority.certificate, agent: false }).end();
  const [response] = (await once(request, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}
