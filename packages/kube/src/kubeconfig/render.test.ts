import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { first, second } from '../auth/test-certificates.ts';
import type { Auth } from './cluster-config.ts';
import { parseKubeconfig } from './parse.ts';
import { type KubeconfigContent, renderKubeconfig } from './render.ts';
import { base64 } from './test-kubeconfig.ts';

describe('renderKubeconfig', () => {
  it('writes the kubeconfig that a bind backend hands out', () => {
    const text = renderKubeconfig({
      server: 'https://control-plane.example:6443',
      ca: first.certificate,
      tlsServerName: 'api.internal',
      user: { token: 'tenant-token' },
      namespace: 'kube-bind-x7',
    });

    expect(text).toBe(
      [
        'apiVersion: v1',
        'clusters:',
        '  - cluster:',
        `      certificate-authority-data: ${base64(first.certificate)}`,
        '      server: https://control-plane.example:6443',
        '      tls-server-name: api.internal',
        '    name: default',
        'contexts:',
        '  - context:',
        '      cluster: default',
        '      namespace: kube-bind-x7',
        '      user: default',
        '    name: default',
        'current-context: default',
        'kind: Config',
        'users:',
        '  - name: default',
        '    user:',
        '      token: tenant-token',
        '',
      ].join('\n'),
    );
  });

  it('keeps the server byte by byte', () => {
    const server = 'https://Hub.example:443/base/';

    expect(parse(renderKubeconfig({ server })).clusters[0].cluster.server).toBe(server);
  });

  it.each(['n', 'y', 'on', 'off', 'yes', 'null', '~', '007', '1:30', '1e3', '0x1f', '2001-01-01', '1_000', 'true'])(
    'quotes %s, which a reader of YAML 1.1 such as Go would not take as text',
    (word) => {
      const text = renderKubeconfig({ server: 'https://a', namespace: word, user: { token: word } });

      expect(text).toMatch(new RegExp(`namespace: ["']${word}["']`));
      expect(text).toMatch(new RegExp(`token: ["']${word}["']`));
    },
  );

  it('is read back unchanged, also as a foreign kubeconfig', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const config = parseKubeconfig(renderKubeconfig(content), { source: 'rendered', trust: 'foreign' });

        expect(config).toEqual({
          server: content.server,
          source: `context "${content.names?.context ?? 'default'}" of rendered`,
          namespace: content.namespace,
          ca: content.ca && { from: 'data', pem: content.ca },
          tlsServerName: content.tlsServerName,
          insecureSkipTlsVerify: content.insecureSkipTlsVerify,
          auth: expectedAuth(content),
        });
      }),
    );
  });

  it('gives the same text for the same content', () => {
    fc.assert(
      fc.property(contents, (content) => {
        expect(renderKubeconfig(structuredClone(content))).toBe(renderKubeconfig(content));
      }),
    );
  });
});

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
const token = fc.stringMatching(/^[\x21-\x7e]{1,80}$/);
const name = fc.string({ minLength: 1, unit: 'grapheme' });
const port = fc.integer({ min: 1, max: 65_535 });
const pem = fc.constantFrom(first.certificate, second.certificate, first.certificate + second.certificate);
const user = fc.oneof(fc.record({ token }), fc.constantFrom(first, second));

const contents: fc.Arbitrary<KubeconfigContent> = fc
  .record(
    {
      server: fc.tuple(label, port).map(([host, number]) => `https://${host}.example:${number}`),
      ca: pem,
      tlsServerName: label,
      insecureSkipTlsVerify: fc.constant(true),
      user,
      namespace: label,
      names: fc.record({ cluster: name, user: name, context: name }, { requiredKeys: [] }),
    },
    { requiredKeys: ['server'] },
  )
  .map((content) => (content.ca ? { ...content, insecureSkipTlsVerify: undefined } : content));

function expectedAuth({ user }: KubeconfigContent): Auth {
  if (user === undefined) return { kind: 'none' };
  if ('token' in user) return { kind: 'token', token: user.token };
  return {
    kind: 'certificate',
    certificate: { from: 'data', pem: user.certificate },
    key: { from: 'data', pem: user.key },
  };
}
