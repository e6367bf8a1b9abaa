import { describe, expect, it } from 'vitest';
import { isKlutchError } from '../errors/klutch-error.ts';
import { thrownBy } from '../errors/thrown-by.ts';
import type { CustomResourceDefinition } from '../kinds/custom-resource-definition.ts';
import { exportedApi } from './from-crd.ts';
import { widgetCrd, widgetVersion } from './widget-crd.ts';

describe('what is exported of a CRD', () => {
  it('is its group, names, scope and served versions', () => {
    const version = widgetVersion({
      deprecated: true,
      deprecationWarning: 'Use v2.',
      additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
    });

    expect(exportedApi(widgetCrd({ versions: [version] }))).toEqual({
      group: 'example.org',
      names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
      scope: 'Namespaced',
      versions: [version],
    });
  });

  it('is not what only the control plane needs', () => {
    const api = exportedApi(
      widgetCrd({
        preserveUnknownFields: false,
        versions: [widgetVersion({ selectableFields: [{ jsonPath: '.spec.plan' }] })],
      }),
    );

    expect(Object.keys(api)).toEqual(['group', 'names', 'scope', 'versions']);
    expect(api.versions[0]).not.toHaveProperty('selectableFields');
  });

  it('keeps served versions in their order and drops the others', () => {
    const versions = [
      widgetVersion({ name: 'v2', storage: false }),
      widgetVersion({ name: 'v1alpha1', storage: false, served: false }),
      widgetVersion({ name: 'v1' }),
    ];

    expect(exportedApi(widgetCrd({ versions })).versions.map(({ name }) => name)).toEqual(['v2', 'v1']);
  });

  it('is only the storage version when a webhook converts', () => {
    const versions = [widgetVersion({ name: 'v2', storage: false }), widgetVersion({ name: 'v1' })];

    const api = exportedApi(widgetCrd({ versions, conversion: { strategy: 'Webhook', webhook: {} } }));

    expect(api.versions).toEqual([widgetVersion({ name: 'v1' })]);
  });

  it('does not invent fields that the CRD leaves out', () => {
    const { name, served, storage, schema } = widgetVersion();
    const bare = { name, served, storage, schema };

    expect(exportedApi(widgetCrd({ versions: [bare] })).versions).toStrictEqual([bare]);
  });

  it.each<[string, Partial<CustomResourceDefinition['spec']>]>([
    [
      'other versions are served',
      { versions: [widgetVersion({ name: 'v2', storage: false }), widgetVersion({ served: false })] },
    ],
    ['no version is stored', { versions: [widgetVersion({ storage: false })] }],
    [
      'a webhook converts',
      {
        versions: [widgetVersion({ name: 'v2', storage: false }), widgetVersion({ served: false })],
        conversion: { strategy: 'Webhook' },
      },
    ],
  ])('is refused when the storage version is not served and %s', (_, spec) => {
    const error = thrownBy(() => exportedApi(widgetCrd(spec)));

    expect(isKlutchError(error, 'KLUTCH_CRD_STORAGE_NOT_SERVED')).toBe(true);
    expect(error).toHaveProperty('message', expect.stringContaining('widgets.example.org'));
  });

  it.each<[string, Partial<CustomResourceDefinition['spec']>]>([
    ['no version is served', { versions: [widgetVersion({ served: false })] }],
    ['there is no version at all', { versions: [] }],
    ['a version has no schema', { versions: [widgetVersion({ schema: undefined })] }],
    ['a version has an empty schema', { versions: [widgetVersion({ schema: {} })] }],
  ])('is refused when %s', (_, spec) => {
    const error = thrownBy(() => exportedApi(widgetCrd(spec)));

    expect(isKlutchError(error, 'KLUTCH_CRD_NOT_EXPORTABLE')).toBe(true);
  });
});
