import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchToken } from '../../packages/cli/src/bind/client-credentials.ts';
import { callHttp } from '../../packages/cli/src/bind/http-call.ts';
import { httpSettings } from '../../packages/cli/src/cluster/http-settings.ts';
import { runKlutch } from '../../packages/cli/src/testing/run-klutch.ts';
import { openOwnCluster } from '../konnector/clusters.ts';
import { behindProxy, host } from './behind-proxy.ts';
import { scratchFile } from './bind-stage.ts';

/** A provider that is reached through a proxy only, with the certificates of its authority in a file. */
async function proxiedProvider(password?: string) {
  const { ca, ...provider } = await behindProxy(password);
  return { ...provider, caFile: await scratchFile('ca.pem', ca) };
}

describe('calls of the CLI', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])('go through the proxy that %s names', async (name) => {
    const { proxy, seen, caFile } = await proxiedProvider();
    const settings = await httpSettings({ backendCaFile: caFile }, { [name]: proxy.url });

    expect(await callHttp(`https://${host}/export`, {}, settings)).toMatchObject({
      status: 200,
      url: `https://${host}/export`,
    });
    const credentials = { clientId: 'c', clientSecret: 's', tokenUrl: `https://${host}/token`, scope: 'x' };
    expect(await fetchToken(credentials, settings)).toBe('t');

    expect(proxy.asked).toEqual([`CONNECT ${host}:443`, `CONNECT ${host}:443`]);
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /export', 'POST /token']);
  });

  it('log in at the proxy, and never show its password', async () => {
    const { proxy, caFile } = await proxiedProvider('hunter2');
    const call = async (url: string) =>
      callHttp(`https://${host}/export`, {}, await httpSettings({ backendCaFile: caFile }, { HTTPS_PROXY: url }));

    expect(await call(proxy.url.replace('//', '//user:hunter2@'))).toMatchObject({ status: 200 });
    const error = await call(proxy.url.replace('//', '//user:hunter3@')).catch((caught: unknown) => caught as Error);

    expect(error).toMatchObject({
      code: 'KLUTCH_PROVIDER_UNREACHABLE',
      message: expect.stringMatching(/cannot be reached through the proxy 127\.0\.0\.1:\d+ .*HTTPS_PROXY/) as string,
    });
    expect(String(error)).not.toContain('hunter');
  });

  it('go directly to hosts of NO_PROXY and to this machine', async () => {
    const { proxy, caFile } = await proxiedProvider();
    const plain = createHttp((_, response) => void response.end('{}')).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    onTestFinished(() => void plain.close());
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, no_proxy: 'example.test' };
    const settings = await httpSettings({ backendCaFile: caFile }, env);

    expect(await callHttp(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/`, {}, settings)).toMatchObject({
      status: 200,
    });
    await expect(callHttp(`https://${host}/export`, {}, settings)).rejects.toMatchObject({
      code: 'KLUTCH_PROVIDER_UNREACHABLE',
    });
    expect(proxy.asked).toEqual([]);
  });

  it.each([`http://${host}/export`, 'http://10.0.0.1/token', 'http://localhost.evil.example/'])(
    'never send anything to %s, unless told to',
    async (url) => {
      const { proxy } = await behindProxy();
      const env = { HTTP_PROXY: proxy.url };

      await expect(callHttp(url, {}, await httpSettings({}, env))).rejects.toMatchObject({
        code: 'KLUTCH_PROVIDER_INSECURE',
        message: expect.stringContaining('--insecure-http') as string,
      });
      expect(proxy.asked).toEqual([]);
      await callHttp(url, {}, await httpSettings({ insecureHttp: true, timeout: 2_000 }, env)).catch(() => undefined);
    },
  );

  it('do not follow redirects with a token', async () => {
    const seen: string[] = [];
    const server = createHttp((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(302, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/catalogue`;

    const answer = await callHttp(url, { headers: { authorization: 'Bearer t' } }, { timeoutMs: 5_000 });

    expect(answer.status).toBe(302);
    expect(seen).toEqual(['/catalogue']);
  });
});

describe('klutch bind', () => {
  it('reaches a provider through the proxy of its environment, and refuses plain http', async () => {
    const { proxy, caFile } = await proxiedProvider();
    const app = await openOwnCluster('embedded');
    onTestFinished(() => app.close());
    const env = { KUBECONFIG: await scratchFile('config', await app.kubeconfig()), HTTPS_PROXY: proxy.url };

    const proxied = runKlutch(['bind', `https://${host}/export`, '--backend-ca-file', caFile], env);
    expect(await proxied.ended()).toBe(8);
    expect(proxied.err()).toContain('answered 200 with application/json, but not with the description of a provider');
    expect(proxy.asked).toEqual([`CONNECT ${host}:443`]);

    const plain = runKlutch(['bind', `http://${host}/export`], env);
    expect(await plain.ended()).toBe(2);
    expect(plain.err()).toMatch(/is plain http, and codes and credentials sent there can be read on the way/);
  });
});
