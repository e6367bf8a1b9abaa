import { describe, expect, it } from 'vitest';
import { proxyFor, throughProxy } from './proxy-for.ts';

const proxy = 'http://proxy.example:3128';
const via = (url: string, env: NodeJS.ProcessEnv) => proxyFor(new URL(url), env);

describe('the proxy to an address', () => {
  it.each<[string, NodeJS.ProcessEnv, string, string | undefined]>([
    ['none without a variable', {}, 'https://a.example', undefined],
    ['that of https', { HTTPS_PROXY: proxy, HTTP_PROXY: 'http://other' }, 'https://a.example', proxy],
    ['that of http', { HTTPS_PROXY: 'http://other', HTTP_PROXY: proxy }, 'http://a.example', proxy],
    ['named in lower case, too', { https_proxy: proxy }, 'https://a.example', proxy],
    ['the one in upper case first', { https_proxy: 'http://other', HTTPS_PROXY: proxy }, 'https://a.example', proxy],
    ['named without a scheme', { HTTPS_PROXY: 'proxy.example:3128' }, 'https://a.example', proxy],
    ['with user and password', { HTTPS_PROXY: 'http://u:p@proxy' }, 'https://a.example', 'http://u:p@proxy'],
    ['none to this machine', { HTTP_PROXY: proxy }, 'http://127.0.0.1:8080', undefined],
    ['none to this machine by name', { HTTPS_PROXY: proxy }, 'https://localhost', undefined],
  ])('is %s', (_, env, url, expected) => {
    expect(via(url, env)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ['*', 'https://a.example', true],
    ['a.example', 'https://a.example', true],
    ['A.Example', 'https://a.example', true],
    ['a.example', 'https://b.a.example', true],
    ['a.example', 'https://ba.example', false],
    ['.a.example', 'https://b.a.example', true],
    ['.a.example', 'https://a.example', false],
    ['*.a.example', 'https://b.a.example', true],
    ['x, a.example ,y', 'https://a.example', true],
    ['a.example:443', 'https://a.example', true],
    ['a.example:8443', 'https://a.example', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['10.1.2.4', 'https://10.1.2.3', false],
    ['10.1.2.3:6443', 'https://10.1.2.3:6443', true],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['fd00::/8', 'https://[fd00::1]', true],
    ['fd00::1', 'https://[fd00::1]:8443', true],
    ['[fd00::1]:443', 'https://[fd00::1]', true],
    ['', 'https://a.example', false],
  ])('is none when NO_PROXY is %s and the address %s: %s', (excluded, url, isDirect) => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      expect(via(url, { HTTPS_PROXY: proxy, [name]: excluded })).toBe(isDirect ? undefined : proxy);
    }
  });

  it.each(['socks5://proxy:1080', 'http://', 'ftp://proxy'])('cannot be %s', (value) => {
    expect(() => via('https://a.example', { HTTPS_PROXY: value })).toThrow(
      expect.objectContaining({
        code: 'KLUTCH_USAGE',
        message: expect.stringContaining('HTTPS_PROXY') as string,
      }) as Error,
    );
  });
});

describe('a cluster', () => {
  const config = { server: 'https://cluster.example:6443', source: 'test', auth: { kind: 'none' } } as const;

  it('is reached through the proxy of the environment, unless it names one itself', () => {
    expect(throughProxy(config, { HTTPS_PROXY: proxy }).proxyUrl).toBe(proxy);
    expect(throughProxy({ ...config, proxyUrl: 'http://own' }, { HTTPS_PROXY: proxy }).proxyUrl).toBe('http://own');
    expect(throughProxy(config, {})).toBe(config);
  });
});
