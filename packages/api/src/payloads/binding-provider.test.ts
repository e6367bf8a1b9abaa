import { describe, expect, it } from 'vitest';
import { type BindingProvider, loginUrl, parseBindingProvider } from './binding-provider.ts';
import { isSupportedProviderVersion } from './provider-version.ts';

/** As a Go backend sends it. */
const sent =
  '{"kind":"BindingProvider","apiVersion":"v1alpha1","providerPrettyName":"example-backend","version":"v0.0.0",' +
  '"authenticationMethods":[{"method":"OAuth2CodeGrant","oauth2CodeGrant":{"authenticatedURL":"http://127.0.0.1:8080/authorize"}}]}';

const provider: BindingProvider = {
  apiVersion: 'v1alpha1',
  kind: 'BindingProvider',
  providerPrettyName: 'Acme',
  version: 'v1.5.0',
  authenticationMethods: [
    { method: 'OAuth2CodeGrant', oauth2CodeGrant: { authenticatedURL: 'https://acme.example/authorize' } },
  ],
};

describe('the description of a provider', () => {
  it('is read as a Go backend sends it', () => {
    const read = parseBindingProvider(sent);

    expect(read).toMatchObject({ providerPrettyName: 'example-backend', version: 'v0.0.0' });
    expect(loginUrl(read)).toBe('http://127.0.0.1:8080/authorize');
  });

  it('is written so that it reads the same', () => {
    expect(parseBindingProvider(JSON.stringify(provider))).toEqual(provider);
  });

  it.each([
    ['is a web page', '<html><body>502 Bad Gateway</body></html>'],
    ['is empty', ''],
    ['is null', 'null'],
    ['is of another kind', JSON.stringify({ ...provider, kind: 'Status' })],
    ['has a version with group', JSON.stringify({ ...provider, apiVersion: 'klutch.anynines.com/v1alpha1' })],
    ['has no name', JSON.stringify({ ...provider, providerPrettyName: undefined })],
    ['has no login methods', JSON.stringify({ ...provider, authenticationMethods: undefined })],
    ['has a login method without name', JSON.stringify({ ...provider, authenticationMethods: [{}] })],
  ])('is refused when it %s', (_, text) => {
    expect(() => parseBindingProvider(text)).toThrow(expect.objectContaining({ code: 'KLUTCH_PROVIDER_INVALID' }));
  });

  it.each([undefined, '', 'v0.2.9', 'latest'])('is refused when its version is %j', (version) => {
    const text = JSON.stringify({ ...provider, version });

    expect(() => parseBindingProvider(text)).toThrow(
      expect.objectContaining({ code: 'KLUTCH_PROVIDER_VERSION_UNSUPPORTED' }),
    );
  });

  it.each<[string, BindingProvider['authenticationMethods']]>([
    ['none', []],
    ['an unknown one', [{ method: 'Passkey' }]],
    ['a known one without address', [{ method: 'OAuth2CodeGrant' }]],
  ])('has no login address when the methods are %s', (_, authenticationMethods) => {
    expect(() => loginUrl({ ...provider, authenticationMethods })).toThrow(
      expect.objectContaining({ code: 'KLUTCH_PROVIDER_NO_LOGIN_METHOD' }),
    );
  });
});

describe('the version of a provider', () => {
  it.each([
    'v0.0.0',
    'v0.0.0-master+$Format:%H$',
    'v0.3.0',
    '0.3.0',
    'v0.3.1-rc.1',
    'v0.10.0',
    'v1.5.0',
    'v1.30.0+kube-bind-v1.5.0',
  ])('%s is supported', (version) => {
    expect(isSupportedProviderVersion(version)).toBe(true);
  });

  it.each(['', '0.0.0', 'v0.0.1', 'v0.2.9', 'v0.3.0-rc.1', 'v0.3', '1', 'latest', 'vv1.0.0', 'v1.0.0 '])(
    '%j is not supported',
    (version) => {
      expect(isSupportedProviderVersion(version)).toBe(false);
    },
  );
});
