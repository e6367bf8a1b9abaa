import { proxyFor } from '@klutch/api/contract';
import { describe, expect, it } from 'vitest';
import { createExchange } from '../../packages/konnector/src/enrolment/create-exchange.ts';
import { behindProxy, host } from '../cli/behind-proxy.ts';

const proof = { clusterUid: '3d0c0d3c-6a7c-4b0c-8f6e-0e3c1d1f2a4b', key: 'k'.repeat(40) };

/** A backend that is reached through a proxy only, and a konnector in an environment. */
async function open(password?: string) {
  const kubeconfig = Buffer.from('the kubeconfig').toString('base64');
  const { proxy, seen, ca } = await behindProxy(password, { namespace: 'cluster-a', kubeconfig });
  const enrolment = {
    id: 'e1',
    backendUrl: `https://${host}`,
    token: 'token-1',
    expiresAt: new Date('2100-01-01T00:00:00Z'),
    ca,
    kubeconfigSecret: 'kubeconfig-a',
  };
  const exchangeIn = (env: NodeJS.ProcessEnv) =>
    createExchange({ version: '1.2.3', proxyFor: (url) => proxyFor(url, env) })(
      enrolment,
      proof,
      AbortSignal.timeout(20_000),
    );
  return { proxy, seen, exchangeIn };
}

describe('the exchange of an enrolment token', () => {
  it('goes through the proxy that HTTPS_PROXY names', async () => {
    const { proxy, seen, exchangeIn } = await open();
    expect(await exchangeIn({ HTTPS_PROXY: proxy.url })).toBe('the kubeconfig');
    expect(proxy.asked).toEqual([`CONNECT ${host}:443`]);
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /enrol']);
  });

  it('goes directly to hosts of NO_PROXY', async () => {
    const { proxy, exchangeIn } = await open();
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: '.example.test' };
    await expect(exchangeIn(env)).rejects.toMatchObject({ code: 'KLUTCH_PROVIDER_UNREACHABLE' });
    expect(proxy.asked).toEqual([]);
  });

  it('names the proxy that refuses it, and never its password', async () => {
    const { proxy, exchangeIn } = await open('hunter2');
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//user:hunter3@') };
    const error = await exchangeIn(env).catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({
      code: 'KLUTCH_PROVIDER_UNREACHABLE',
      message: expect.stringContaining(`through the proxy ${new URL(proxy.url).host}`) as string,
    });
    expect(String(error)).not.toContain('hunter');
  });
});
