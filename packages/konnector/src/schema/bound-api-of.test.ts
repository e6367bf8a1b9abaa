import { annotations, type APIServiceExport } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { boundApiOf } from './bound-api-of.ts';
import { apiName, sampleBinding, sampleExport, sampleVersion, servedCrd } from './schema.fixture.ts';

const clusterScoped = (isolation?: APIServiceExport['spec']['clusterScopedIsolation']) =>
  sampleExport({ scope: 'Cluster', informerScope: 'Cluster', clusterScopedIsolation: isolation });

describe('a bound API', () => {
  it('tells all that synchronising needs', () => {
    const binding = sampleBinding({
      annotations: { [annotations.orphans]: 'Restore', [annotations.takeOverFrom]: 'other-cluster' },
    });
    const type = { group: 'example.org', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };

    expect(boundApiOf(binding, servedCrd(), sampleExport())).toEqual({
      binding: { name: apiName, namespace: 'klutch-bind', uid: 'binding-uid' },
      name: apiName,
      crdUid: servedCrd().metadata.uid,
      appType: type,
      controlPlaneType: type,
      isolation: 'ServiceNamespace',
      informerScope: 'Namespaced',
      statusSubresource: true,
      statusConditions: false,
      orphans: 'Restore',
      takeOverFrom: 'other-cluster',
    });
  });

  it.each([
    [undefined, 'Prefixed', false],
    ['Prefixed', 'Prefixed', false],
    ['None', 'None', false],
    ['Namespaced', 'Namespaced', true],
  ] as const)('of a cluster-scoped export with isolation %s', (said, isolation, namespaced) => {
    const apiExport = clusterScoped(said);

    const api = boundApiOf(sampleBinding(), servedCrd(apiExport), apiExport);

    expect(api).toMatchObject({ isolation, informerScope: 'Cluster' });
    expect([api?.appType.namespaced, api?.controlPlaneType.namespaced]).toEqual([false, namespaced]);
  });

  it.each([
    ['None', 'None'],
    ['nonsense', 'Prefixed'],
  ])('without export goes by the mark %s of its CRD', (mark, isolation) => {
    const crd = servedCrd(clusterScoped('None'), { annotations: { [annotations.isolation]: mark } });

    expect(boundApiOf(sampleBinding(), crd, undefined)).toMatchObject({ isolation, informerScope: 'Cluster' });
  });

  it('holds orphans when the binding says something else', () => {
    const binding = sampleBinding({ annotations: { [annotations.orphans]: 'delete' } });

    expect(boundApiOf(binding, servedCrd(), sampleExport())?.orphans).toBe('Hold');
  });

  it('has no status subresource when its version has none', () => {
    const apiExport = sampleExport({ versions: [sampleVersion({ subresources: {} })] });

    expect(boundApiOf(sampleBinding(), servedCrd(apiExport), apiExport)?.statusSubresource).toBe(false);
  });
});

describe('the version in which objects travel', () => {
  const versions = (...names: string[]) =>
    sampleExport({ versions: names.map((name, index) => sampleVersion({ name, storage: index === 0 })) });
  const unserved = sampleExport({
    versions: [sampleVersion({ name: 'v2', storage: false, served: false }), sampleVersion()],
  });

  it.each<[string, APIServiceExport, APIServiceExport | undefined, string | undefined]>([
    ['the first of the export', versions('v1', 'v2'), versions('v2', 'v1'), 'v2'],
    ['the first that the app cluster serves too', versions('v1'), versions('v2', 'v1'), 'v1'],
    ['one that the export serves', versions('v2', 'v1'), unserved, 'v1'],
    ['the first of the CRD when there is no export', versions('v3', 'v1'), undefined, 'v3'],
    ['none when there is none in common', versions('v1'), versions('v2'), undefined],
  ])('is %s', (_, installed, exported, version) => {
    expect(boundApiOf(sampleBinding(), servedCrd(installed), exported)?.appType.version).toBe(version);
  });

  it.each<[string, Partial<APIServiceExport['spec']>]>([
    ['scope', { scope: 'Cluster', informerScope: 'Cluster' }],
    ['kind', { names: { kind: 'Gadget', plural: 'widgets' } }],
  ])('is none when the %s differs', (_, spec) => {
    expect(boundApiOf(sampleBinding(), servedCrd(), sampleExport(spec))).toBeUndefined();
  });
});
