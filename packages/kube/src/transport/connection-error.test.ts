import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { KubeErrorCode } from '../errors/codes.ts';
import { connectionError } from './connection-error.ts';
import { get, loopback } from './loopback.fixture.ts';

const { listen, open } = loopback();
const target = { server: 'https://api.example.org', source: 'test' };

const failure = (code: string) => Object.assign(new Error('it failed'), { code });

describe('connectionError', () => {
  it.each<[string, KubeErrorCode]>([
    ['ECONNREFUSED', 'KUBE_UNREACHABLE'],
    ['UND_ERR_SOCKET', 'KUBE_UNREACHABLE'],
    ['UND_ERR_HEADERS_TIMEOUT', 'KUBE_TIMEOUT'],
    ['UND_ERR_DESTROYED', 'KUBE_ABORTED'],
    ['UND_ERR_INVALID_ARG', 'KUBE_INVALID'],
    ['CERT_HAS_EXPIRED', 'KUBE_TLS_EXPIRED'],
    ['CERT_REVOKED', 'KUBE_TLS_UNTRUSTED'],
    ['INVALID_PURPOSE', 'KUBE_TLS_UNTRUSTED'],
    ['UND_ERR_PRX_TLS', 'KUBE_TLS_UNTRUSTED'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'KUBE_TLS_CLIENT_REJECTED'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'KUBE_TLS_EXPIRED'],
    ['HPE_INVALID_HEADER_TOKEN', 'KUBE_NOT_KUBERNETES'],
  ])('%s means %s', (code, expected) => {
    const error = connectionError(failure(code), get, target);
    expect(error).toMatchObject({ code: expected, object: 'version' });
  });

  it('finds the code inside of what went wrong at several addresses', () => {
    const error = connectionError(new AggregateError([failure('ENOTFOUND')], ''), get, target);
    expect(error).toMatchObject({ code: 'KUBE_UNREACHABLE', reason: 'ENOTFOUND' });
  });
});

describe('a proxy', () => {
  const proxyUrl = async (status: number) => {
    const proxy = createServer().on('connect', (_, client) => client.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    return `http://jane:top-secret@127.0.0.1:${await listen(proxy)}`;
  };

  it('that refuses is named, but not the password for it', async () => {
    const transport = open('https://api.example.org', { proxyUrl: await proxyUrl(407) });
    const error = await transport.json(get).catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({
      code: 'KUBE_UNREACHABLE',
      message: expect.stringMatching(/through the proxy http:\/\/127\.0\.0\.1:\d+.*407.*proxy-url/),
    });
    for (let seen: unknown = error; seen instanceof Error; seen = seen.cause) {
      expect(JSON.stringify(seen, Object.getOwnPropertyNames(seen))).not.toContain('top-secret');
    }
  });
});

it('an address with a password in it is refused instead of being repeated in every message', () => {
  expect(() => open('https://jane:top-secret@api.example.org')).toThrow(
    expect.objectContaining({ code: 'KUBE_CONFIG_INVALID', message: expect.not.stringContaining('top-secret') }),
  );
  expect(() => open('not an address')).toThrow(expect.objectContaining({ code: 'KUBE_CONFIG_INVALID' }));
});
