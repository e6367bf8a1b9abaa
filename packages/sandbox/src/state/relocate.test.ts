import { annotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { patchFor } from './relocate.ts';

const origins = new Map([
  ['https://127.0.0.1:1000', 'https://127.0.0.1:2000'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:1000'],
]);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = (data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
});

describe('after addresses have changed', () => {
  it('kubeconfigs lead to the new one, and are otherwise the same', () => {
    const patch = patchFor(secret({ kubeconfig: 'server: https://127.0.0.1:1000\ntoken: t', other: 'x' }), origins);
    expect(patch).toEqual({ data: { kubeconfig: base64('server: https://127.0.0.1:2000\ntoken: t') } });
  });

  it('tenants are those of the issuer where it is now', () => {
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: 'klutch-x',
        annotations: {
          [annotations.tenantIdentity]: '["user","http://127.0.0.1:3000","ada"]',
          [annotations.boundBy]: 'http://127.0.0.1:3000/ada',
          'somebody.else/url': 'http://127.0.0.1:3000',
        },
      },
    };
    expect(patchFor(namespace, origins)).toEqual({
      metadata: {
        annotations: {
          [annotations.tenantIdentity]: '["user","http://127.0.0.1:1000","ada"]',
          [annotations.boundBy]: 'http://127.0.0.1:1000/ada',
        },
      },
    });
  });

  it('nothing else is touched', () => {
    expect(patchFor(secret({ kubeconfig: 'server: https://127.0.0.1:10000' }), origins)).toBeUndefined();
    expect(patchFor(secret({ other: 'https://127.0.0.1:1000' }), origins)).toBeUndefined();
    expect(patchFor({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }, origins)).toBeUndefined();
  });
});
