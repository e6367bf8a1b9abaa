import type { CrdVersion, CustomResourceDefinition } from '../kinds/custom-resource-definition.ts';

/** For tests: the CRD of `widgets.example.org`, with anything in its spec replaced. */
export function widgetCrd(spec: Partial<CustomResourceDefinition['spec']> = {}): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.org' },
    spec: {
      group: 'example.org',
      names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
      scope: 'Namespaced',
      versions: [widgetVersion()],
      conversion: { strategy: 'None' },
      ...spec,
    },
  };
}

/** For tests: a version of that CRD, by default the one served and stored. */
export function widgetVersion(version: Partial<CrdVersion> = {}): CrdVersion {
  return {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object' } },
    subresources: { status: {} },
    ...version,
  };
}
