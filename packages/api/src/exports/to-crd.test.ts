import { describe, expect, it } from 'vitest';
import type { APIServiceExport } from '../kinds/api-service-export.ts';
import { exportedApi } from './from-crd.ts';
import { syncVersion } from './sync-version.ts';
import { crdOfExport } from './to-crd.ts';
import { widgetCrd, widgetVersion } from './widget-crd.ts';

describe('the CRD made of an export', () => {
  it('is the one the export came from, without conversion', () => {
    const source = widgetCrd();

    const crd = crdOfExport(exportOf(source));

    const { conversion: _, ...spec } = source.spec;
    expect(crd).toEqual({ ...source, spec });
  });

  it('always says which subresources there are', () => {
    const { subresources: _, ...bare } = widgetVersion();

    const crd = crdOfExport(exportOf(widgetCrd({ versions: [bare] })));

    expect(crd.spec.versions[0]?.subresources).toEqual({});
  });

  it('leaves claims and settings of the export behind', () => {
    const apiExport = exportOf(widgetCrd(), { permissionClaims: [{ resource: 'secrets', version: 'v1' }] });

    expect(Object.keys(crdOfExport(apiExport).spec)).toEqual(['group', 'names', 'scope', 'versions']);
  });

  it.each<[string, APIServiceExport]>([
    ['serves no version', exportOf(widgetCrd(), { versions: [exportedVersion({ served: false })] })],
    ['stores no version', exportOf(widgetCrd(), { versions: [exportedVersion({ storage: false })] })],
    [
      'stores two versions',
      exportOf(widgetCrd(), { versions: [exportedVersion({}), exportedVersion({ name: 'v2' })] }),
    ],
    ['has another name than its API', { ...exportOf(widgetCrd()), metadata: { name: 'gadgets.example.org' } }],
  ])('is refused when the export %s', (_, apiExport) => {
    expect(() => crdOfExport(apiExport)).toThrow(expect.objectContaining({ code: 'KLUTCH_EXPORT_INVALID' }));
  });
});

describe('the version in which objects travel', () => {
  it('is the first served one, not the storage version', () => {
    const versions = [
      exportedVersion({ name: 'v3', served: false, storage: false }),
      exportedVersion({ name: 'v2', storage: false }),
      exportedVersion({ name: 'v1' }),
    ];

    expect(syncVersion(exportOf(widgetCrd(), { versions }))).toBe('v2');
  });

  it('is refused when no version is served', () => {
    const apiExport = exportOf(widgetCrd(), { versions: [exportedVersion({ served: false })] });

    expect(() => syncVersion(apiExport)).toThrow(expect.objectContaining({ code: 'KLUTCH_EXPORT_INVALID' }));
  });
});

function exportOf(crd: ReturnType<typeof widgetCrd>, spec: Partial<APIServiceExport['spec']> = {}): APIServiceExport {
  return {
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'APIServiceExport',
    metadata: { name: 'widgets.example.org', namespace: 'cluster-a' },
    spec: { ...exportedApi(crd), informerScope: 'Namespaced', ...spec },
  };
}

function exportedVersion(
  version: Partial<APIServiceExport['spec']['versions'][number]>,
): APIServiceExport['spec']['versions'][number] {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...version };
}
