import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { type Authority, createAuthority, type IssuedCertificate } from '@klutch/kit';
import { type ClusterConfig, connect, type KubeErrorCode, Secrets } from '@klutch/kube';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

const html = '<!doctype html><title>Sign in</title>';
let authority: Authority;
let serving: IssuedCertificate;
const servers: Server[] = [];

beforeAll(async () => {
  authority = await createAuthority('test CA');
  serving = await authority.issue({ commonName: 'api', usage: 'server', ipAddresses: ['127.0.0.1'] });
});

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const plain = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createHttpServer(listener))}`;

async function secure(certificate: IssuedCertificate, listener: RequestListener = (_, answer) => answer.end('{}')) {
  const server = createHttpsServer({ cert: certificate.certificate, key: certificate.key }, listener);
  return `https://127.0.0.1:${await listen(server)}`;
}

/** Asks for a Secret and returns the error; succeeding is a failure of the test. */
async function failure(config: Partial<ClusterConfig> & { server: string }, timeoutMs?: number) {
  const client = connect({ source: 'the test', auth: { kind: 'none' }, ...config }, { userAgent: 'test', timeoutMs });
  try {
    await client.resource(Secrets).get({ namespace: 'team-a', name: 'db' });
  } catch (error) {
    return error as Error & { code: KubeErrorCode };
  } finally {
    await client.close();
  }
  throw new Error('the request should have failed');
}

const ca = () => ({ from: 'data', pem: authority.certificate }) as const;

describe('a server that cannot be used gives one clear error:', () => {
  it('nothing listens', async () => {
    const server = createHttpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const error = await failure({ server: `https://127.0.0.1:${port}` });
    expect(error).toMatchObject({ code: 'KUBE_UNREACHABLE', message: expect.stringContaining(`127.0.0.1:${port}`) });
    expect(error.message).toContain('Nothing listens there');
  });

  it('a host name that does not exist', async () => {
    const error = await failure({ server: 'https://api.cluster.invalid' });
    expect(error).toMatchObject({ code: 'KUBE_UNREACHABLE', message: expect.stringContaining('api.cluster.invalid') });
  });

  it('a certificate signed by somebody else', async () => {
    const other = await createAuthority('other CA');
    const error = await failure({ server: await secure(serving), ca: { from: 'data', pem: other.certificate } });
    expect(error).toMatchObject({
      code: 'KUBE_TLS_UNTRUSTED',
      message: expect.stringContaining('certificate-authority-data'),
    });
  });

  it('a certificate for another host', async () => {
    const foreign = await authority.issue({ commonName: 'api', usage: 'server', dnsNames: ['api.example.org'] });
    const error = await failure({ server: await secure(foreign), ca: ca() });
    expect(error).toMatchObject({ code: 'KUBE_TLS_UNTRUSTED', message: expect.stringContaining('tls-server-name') });
  });

  it('a server certificate that has expired', async () => {
    const expired = await authority.issue({
      commonName: 'api',
      usage: 'server',
      ipAddresses: ['127.0.0.1'],
      notAfter: new Date(Date.now() - 60_000),
    });
    const error = await failure({ server: await secure(expired), ca: ca() });
    expect(error).toMatchObject({ code: 'KUBE_TLS_EXPIRED', message: expect.stringContaining('expired') });
  });

  it('plain HTTP behind an https address', async () => {
    const url = await plain((_, answer) => answer.end(html));
    const error = await failure({ server: url.replace('http:', 'https:') });
    expect(error).toMatchObject({
      code: 'KUBE_NOT_KUBERNETES',
      message: expect.stringContaining('does not speak TLS'),
    });
  });

  it('HTML instead of JSON', async () => {
    const server = await plain((_, answer) => answer.setHeader('content-type', 'text/html').end(html));
    const error = await failure({ server });
    expect(error).toMatchObject({ code: 'KUBE_NOT_KUBERNETES', message: expect.stringContaining('text/html') });
    expect(error.message).toContain('Sign in');
  });

  it('a redirect to a login page', async () => {
    const server = await plain((_, answer) => answer.writeHead(302, { location: 'https://login.example.org' }).end());
    const error = await failure({ server });
    expect(error).toMatchObject({ code: 'KUBE_NOT_KUBERNETES', message: expect.stringContaining('redirect') });
  });

  it('JSON that breaks off', async () => {
    const server = await plain((_, answer) => answer.setHeader('content-type', 'application/json').end('{"kind":'));
    expect(await failure({ server })).toMatchObject({
      code: 'KUBE_UNREACHABLE',
      message: expect.stringContaining('complete JSON'),
    });
  });

  it('no answer in time', async () => {
    const server = await plain(() => {});
    expect(await failure({ server }, 50)).toMatchObject({
      code: 'KUBE_TIMEOUT',
      message: expect.stringContaining('50 ms'),
    });
  });

  it('an answer whose end never comes', async () => {
    const server = await plain((_, answer) => void answer.setHeader('content-type', 'application/json').write('{'));
    expect(await failure({ server }, 50)).toMatchObject({ code: 'KUBE_TIMEOUT' });
  });

  it('a refusal in plain text', async () => {
    const server = await plain((_, answer) => answer.writeHead(403).end('blocked by policy'));
    expect(await failure({ server })).toMatchObject({
      code: 'KUBE_FORBIDDEN',
      message: expect.stringContaining('blocked by policy'),
    });
  });

  it('a caller that gives up', async () => {
    const server = await plain(() => {});
    const client = connect({ server, source: 'the test', auth: { kind: 'none' } }, { userAgent: 'test' });
    const abort = new AbortController();
    const request = client.resource(Secrets).list({ signal: abort.signal });
    abort.abort();
    await expect(request).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    await client.close();
  });

  it('never repeats a token in an error', async () => {
    const server = await plain((_, answer) => answer.writeHead(401).end('Unauthorized'));
    const error = await failure({ server, auth: { kind: 'token', token: 'top-secret-token' } });
    expect(error.code).toBe('KUBE_UNAUTHORIZED');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('top-secret-token');
  });
});
