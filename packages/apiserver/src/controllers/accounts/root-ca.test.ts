import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../objects/api-object.ts';
import { wantedRootCa } from './root-ca.ts';

const complete = wantedRootCa(undefined, 'one', 'PEM');
const found = (more: Partial<ApiObject>): ApiObject => ({ ...(complete as ApiObject), ...more });

describe('the ConfigMap with the certificate authority', () => {
  it('is made where it is missing', () => {
    expect(complete).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kube-root-ca.crt', namespace: 'one' },
      data: { 'ca.crt': 'PEM' },
    });
    expect(complete?.metadata.annotations?.['kubernetes.io/description']).toMatch(/^Contains a CA bundle/);
  });

  it.each([
    ['as it was made', found({})],
    ['with another description', found({ metadata: { annotations: { 'kubernetes.io/description': 'mine' } } })],
    ['with labels', found({ metadata: { ...complete?.metadata, labels: { a: 'b' } } })],
  ])('is left alone %s', (_, object) => {
    expect(wantedRootCa(object, 'one', 'PEM')).toBeUndefined();
  });

  it.each([
    ['another certificate', found({ data: { 'ca.crt': 'old' } })],
    ['more data', found({ data: { 'ca.crt': 'PEM', more: '' } })],
    ['other data', found({ data: { more: 'PEM' } })],
    ['no data', found({ data: undefined })],
    ['no description', found({ metadata: { name: 'kube-root-ca.crt', namespace: 'one' } })],
  ])('is restored when it has %s', (_, object) => {
    expect(wantedRootCa(object, 'one', 'PEM')).toMatchObject({
      data: { 'ca.crt': 'PEM' },
      metadata: { annotations: complete?.metadata.annotations },
    });
  });

  it('keeps what others wrote into its metadata', () => {
    const metadata = {
      name: 'kube-root-ca.crt',
      namespace: 'one',
      uid: 'u',
      labels: { a: 'b' },
      annotations: { c: 'd' },
    };
    const wanted = wantedRootCa(found({ metadata }), 'one', 'PEM');
    expect(wanted?.metadata).toMatchObject({ uid: 'u', labels: { a: 'b' }, annotations: { c: 'd' } });
  });
});
